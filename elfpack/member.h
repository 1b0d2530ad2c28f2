/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What would become of the members of an archive, or of an object, in an image: before the link, so
 * where things will lie is not known. In: a path. Out: one row for each ELF file in it.
 */
#ifndef RP_ELFPACK_MEMBER_H
#define RP_ELFPACK_MEMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

enum rp_fit {
    RP_FIT_CLEAN,     /* position-independent */
    RP_FIT_COPY_ONLY, /* with -r copy-only */
    RP_FIT_NOT,
    RP_FIT_COUNT
};

struct rp_member {
    const char *name; /* NULL: the file is an object */
    enum rp_fit fit;
    uint32_t words;            /* that would be patched */
    uint32_t pairs;            /* of MOVW and MOVT, likewise */
    struct rp_strings reasons; /* why not even then */
    /* A function keeps a value of its own in r9 while it calls others: these must not need the GOT
       (elfpack/r9.h), which only the link tells. */
    bool keeps_r9;
};

struct rp_members {
    struct rp_member *items;
    size_t count;
    size_t capacity;
};

/* Adds the members of the archive, or the object, at path. RP_E_ELF, RP_E_INPUT. */
bool rp_members_read(struct rp_members *members, struct rp_arena *arena, const char *path,
                     struct rp_error *err);

#endif
