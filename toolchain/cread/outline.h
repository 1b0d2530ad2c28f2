/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What C text may define, told from its tokens, before any preprocessor has run: the names at file
 * scope, macros, and which files are included. Names of all branches of #if are taken together. So
 * there may be more of them than a compiler would define, but not fewer. In: the text of a source
 * or a header. Out: its outline. Pure; the time is linear in the length of the text, but for
 * sorting.
 */
#ifndef RP_TOOLCHAIN_CREAD_OUTLINE_H
#define RP_TOOLCHAIN_CREAD_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct rp_outline_macro {
    const char *name;
    struct rp_strings words; /* identifiers of its text */
    bool pastes;             /* it makes names of parts (##) */
    bool shapes;             /* it has braces that are not paired: text is not what it looks like */
};

struct rp_outline {
    struct rp_strings names;   /* sorted: identifiers outside of braces, and in strings there */
    struct rp_strings defined; /* sorted: of these, those of declarations that define something */
    struct rp_strings
        called; /* sorted: names that mere declarations give to functions, or macros */
    struct rp_strings includes; /* "x.h" or <x.h>, without these marks */
    struct {
        struct rp_outline_macro *items;
        size_t count;
        size_t capacity;
    } macros;     /* in the order of the text; a name may be there twice */
    bool unclear; /* it may define anything: assembly, pragmas, or text that is not understood */
};

/* The text need not end with a 0 byte. Names are copied. */
void rp_outline_read(struct rp_outline *out, struct rp_arena *arena, const char *text, size_t len);

#endif
