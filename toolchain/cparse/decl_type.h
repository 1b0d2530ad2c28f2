/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One declaration of C, as tokens, into names and types: specifiers, then declarators, inside out.
 * What is not understood is of an unknown type; nothing is guessed.
 */
#ifndef RP_TOOLCHAIN_CPARSE_DECL_TYPE_H
#define RP_TOOLCHAIN_CPARSE_DECL_TYPE_H

#include "toolchain/cparse/scope.h"

struct rp_cdecl_declaration {
    bool is_typedef;
    bool is_static;
    bool is_extern;
    bool is_weak;
    bool is_constexpr;
    struct {
        struct rp_cparam *items; /* name and type; "" for what could not be read */
        size_t count;
        size_t capacity;
    } names;
};

/* A scope in which nothing has been declared. */
struct rp_cdecl_scope rp_cdecl_start(struct rp_arena *arena);
/* Reads a declaration without its ; or body. Initialisers are passed over. */
void rp_cdecl_read(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens,
                   struct rp_cdecl_declaration *out);
/* The constants of an enumeration: what stands in its braces. */
void rp_cdecl_read_enum(struct rp_cdecl_scope *scope, struct rp_cdecl_range tokens);
/* Does the word take parentheses that are not a function's? (__attribute__) */
bool rp_cdecl_takes_parentheses(const struct rp_ctoken *token);

#endif
