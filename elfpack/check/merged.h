/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections whose strings or constants the linker merges (SHF_MERGE). No map says where each of
 * these went, so the contents that references lead to are compared. In: all inputs with their
 * placements, and the bytes of the linked file. Pure.
 */
#ifndef RP_ELFPACK_CHECK_MERGED_H
#define RP_ELFPACK_CHECK_MERGED_H

#include "elfpack/check/link_inputs.h"

/* A part of the linked file that has merged strings and constants. */
struct rp_pool {
    uint32_t addr;
    uint32_t size;
    const uint8_t *bytes;
    const struct rp_placed *placed;
};

/* One string or constant of an object. */
struct rp_entity {
    const uint8_t *bytes;
    uint32_t size;    /* the end of a string included */
    uint32_t missing; /* bytes of its end that are not in the object */
    bool is_string;
};

struct rp_merged {
    struct {
        struct rp_pool *items;
        size_t count;
        size_t capacity;
    } pools;
    struct {
        struct rp_entity *items;
        size_t count;
        size_t capacity;
    } entities; /* of all sections, sorted by their bytes */
};

/* Finds the pools and the entities. */
void rp_merged_find(struct rp_merged *merged, const struct rp_link_inputs *inputs);
/* Does a pool have, at address, the string or constant at offset of the input? */
bool rp_merged_is_at(const struct rp_merged *merged, const struct rp_input_section *input,
                     uint32_t offset, uint32_t address);
/*
 * The next such address above after (0 at the start), for fields that hold only part of an address;
 * false: there is none.
 */
bool rp_merged_next(const struct rp_merged *merged, const struct rp_input_section *input,
                    uint32_t offset, uint32_t after, uint32_t *address);
/*
 * Checks that every byte of a pool belongs to a string or constant of an object, or is a 0 between
 * them. RP_E_LINK_CHECK: one does not.
 */
bool rp_merged_check(const struct rp_merged *merged, struct rp_error *err);

#endif
