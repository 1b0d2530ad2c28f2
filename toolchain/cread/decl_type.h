/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the tokens of one C declaration into names and types. What is not understood gets an
 * unknown type; nothing is guessed.
 */
#ifndef RP_TOOLCHAIN_CREAD_DECL_TYPE_H
#define RP_TOOLCHAIN_CREAD_DECL_TYPE_H

#include "toolchain/cread/scope.h"

/*
 * A typedef of this name for signed or unsigned char says which of them a plain char is, as flags
 * of the compiler decide; without one, it is unsigned, as Arm's ABI has it.
 */
#define RP_CDECL_PLAIN_CHAR "rp_plain_char"

struct rp_cdecl_declaration {
    bool is_typedef;
    bool is_static;
    bool is_extern;
    bool is_weak;
    bool is_constexpr;
    bool is_inline;
    struct {
        struct rp_cparam *items; /* name and type; the name is "" when there is none */
        size_t count;
        size_t capacity;
    } names;
};

/* A scope in which nothing has been declared yet. */
struct rp_cdecl_scope rp_cdecl_start(struct rp_arena *arena);
/* Reads a declaration without its ; or body. Initialisers are skipped. */
void rp_cdecl_read(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens,
                   struct rp_cdecl_declaration *out);
/* Reads the constants of an enumeration; tokens are those inside its braces. */
void rp_cdecl_read_enum(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens);

#endif
