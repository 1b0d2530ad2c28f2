/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges before the link, when addresses are not yet known, whether an object or the members of an
 * archive can be part of an image. In: a path. Out: one row for each ELF file in it, and the
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
    struct rp_strings reasons; /* why not even patching helps */
    /* A function changes r9 and then calls others. These must not need the GOT, which only the
       link shows (elfpack/check/r9.h). */
    bool keeps_r9;
};

/* A symbol that objects in the file use, but none defines, as `nm -u` lists it. */
struct rp_undefined {
    const char *symbol;
    bool weak;                 /* all of these objects can do without it */
    struct rp_strings members; /* of an archive: those that use it */
};

struct rp_members {
    struct rp_member *items;
    size_t count;
    size_t capacity;
    struct {
        struct rp_undefined *items; /* sorted by name */
        size_t count;
        size_t capacity;
    } undefined;
};

/*
 * Adds the object, or the members of the archive, at path. RP_E_ELF, RP_E_INPUT: it cannot be read.
 */
bool rp_members_read(struct rp_members *members, struct rp_arena *arena, const char *path,
                     struct rp_error *err);

#endif
