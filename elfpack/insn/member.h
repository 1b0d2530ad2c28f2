/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges before the link whether the members of an archive, or an object, can be part of an image.
 * Where things will lie is not known yet. In: a path. Out: one row for each ELF file in it, and the
 * symbols that it needs from elsewhere.
 */
#ifndef RP_ELFPACK_INSN_MEMBER_H
#define RP_ELFPACK_INSN_MEMBER_H

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
    uint32_t words;            /* words to patch */
    uint32_t pairs;            /* pairs of MOVW and MOVT to patch */
    struct rp_strings reasons; /* why it cannot be patched either */
    /*
     * A function has a value of its own in r9 while it calls others. These must not need the GOT
     * (elfpack/check/r9.h), which only the link shows.
     */
    bool keeps_r9;
};

/* A symbol that objects of the file name and none of them defines, as `nm -u` lists it. */
struct rp_undefined {
    const char *symbol;
    bool weak;                 /* all of them can do without it */
    struct rp_strings members; /* of an archive that need it */
};

struct rp_members {
    struct rp_member *items;
    size_t count;
    size_t capacity;
    struct {
        struct rp_undefined *items; /* by name */
        size_t count;
        size_t capacity;
    } undefined;
};

/* Adds the members of the archive, or the object, at path. RP_E_ELF, RP_E_INPUT. */
bool rp_members_read(struct rp_members *members, struct rp_arena *arena, const char *path,
                     struct rp_error *err);

#endif
