/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the linker's map to the letter: where each input section was placed or that it was
 * discarded, what the linker script put between them, which archive members were taken and which
 * symbols the script assigns. In: the text of `-Map` of GNU ld or lld. Out: arrays in the order of
 * the map. linkmap.h, which only names places in messages, skips lines; here, a line of the memory
 * map that is not understood is an error.
 */
#ifndef RP_ELFPACK_CHECK_PLACEMENT_H
#define RP_ELFPACK_CHECK_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum rp_placed_kind {
    RP_PLACED_INPUT, /* of an input section, or made by the linker */
    RP_PLACED_FILL,
    RP_PLACED_DATA /* by a statement of the script: BYTE, SHORT, LONG, QUAD */
};

struct rp_placed {
    enum rp_placed_kind kind;
    const char *output;  /* output section */
    const char *section; /* input section; NULL for what the script put there */
    const char *file;    /* as the linker was told */
    const char *member;  /* of an archive, or NULL */
    uint32_t addr;
    uint32_t size;
    uint64_t value; /* RP_PLACED_DATA */
    bool discarded; /* in no output section */
    bool taken;     /* for the list's user: an object's section has this placement */
    bool merged;    /* for the list's user: the linker may have merged its contents with others */
};

struct rp_placed_list {
    struct rp_placed *items;
    size_t count;
    size_t capacity;
};

struct rp_archive_member {
    const char *archive;
    const char *member;
    const char *symbol;    /* for which it was taken; NULL: not stated */
    const char *wanted_by; /* the file that names it first */
    size_t rank, group;    /* these three are for the list's user */
    bool found;
};

struct rp_placements {
    bool lld; /* its map does not list what was loaded or discarded */
    struct rp_strings loaded;
    struct {
        struct rp_archive_member *items;
        size_t count;
        size_t capacity;
    } members; /* in the order in which they were taken; with lld: those with a placement */
    struct rp_placed_list placed;
    struct rp_strings assigned; /* symbols that the linker script defines */
};

/* RP_E_LINK_CHECK: a line is not understood, or there is no memory map. */
bool rp_placements_read(struct rp_placements *placement, struct rp_arena *arena, const char *text,
                        struct rp_error *err);
/* For qsort of pointers to placements: by address, then in the order of the map. */
int rp_placed_compare(const void *a, const void *b);

#endif
