/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sections whose strings or constants a linker merges (SHF_MERGE). No map says where each of them
 * went, so the contents that references lead to are compared. In: all inputs with their placements,
 * and the bytes of the linked file. Pure.
 */
#ifndef RP_ELFPACK_CHECK_MERGED_H
#define RP_ELFPACK_CHECK_MERGED_H

#include "elfpack/check/link_inputs.h"

/* Where merged strings and constants lie in the linked file. */
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
    uint32_t missing; /* of its end: bytes that the object does not have */
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

/* Looks for pools and entities. */
void rp_merged_find(struct rp_merged *merged, const struct rp_link_inputs *inputs);
/* Does a pool have, at address, the string or constant that is at offset of the input? */
bool rp_merged_is_at(const struct rp_merged *merged, const struct rp_input_section *input,
                     uint32_t offset, uint32_t address);
/*
 * The next such address above after, for fields that hold only part of an address; false when there
 * is none. Begin with after = 0.
 */
bool rp_merged_next(const struct rp_merged *merged, const struct rp_input_section *input,
                    uint32_t offset, uint32_t after, uint32_t *address);
/*
 * Checks that every byte of a pool belongs to a string or constant of an object, or is 0 between
 * them. RP_E_LINK_CHECK.
 */
bool rp_merged_check(const struct rp_merged *merged, struct rp_error *err);

#endif
