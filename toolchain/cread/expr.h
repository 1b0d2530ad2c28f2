/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluates constant expressions of C, in one of two ways. In an initialiser of raw text, a value
 * is a number, or a label plus a number, which is what a linker can put there; types are not known,
 * and casts are skipped. In a declaration, a scope knows types and constants, and a value is an
 * integer of C.
 */
#ifndef RP_TOOLCHAIN_CREAD_EXPR_H
#define RP_TOOLCHAIN_CREAD_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "toolchain/cread/token.h"

struct rp_cdecl_scope;
struct rp_cdecl_range;

struct rp_cvalue {
    struct rp_ctoken label; /* a name whose value the text does not give; len 0 for none */
    bool address_of;        /* &label */
    bool has_no_sign;       /* its type is unsigned; with a scope only */
    int64_t number;         /* added to the label */
};

/*
 * The value of all count tokens, which include no comments or directives. Braces around the whole
 * are ignored. So are casts, and the calls ..._TO_PHYSICAL_ADDR(x) and ..._TO_VIRTUAL_ADDR(x),
 * which do not change an address on this target. NULL and false are 0, true is 1. Returns false
 * when it is not such an expression, or when a step needs more than 64 bits.
 */
bool rp_cexpr_eval(const struct rp_ctoken *tokens, size_t count, struct rp_cvalue *out);
/*
 * The value of an integer constant expression, with sizeof, casts and enumeration constants. False
 * when it is not one, needs more than 32 bits, or when the compiler's result would differ from that
 * of int64_t, because it wraps or loses a sign. Moves tokens->at to after the expression.
 */
bool rp_cdecl_eval(struct rp_cdecl_scope *scope, struct rp_cdecl_range *tokens, int64_t *value);
/* An integer constant with or without a suffix; false for anything else. */
bool rp_cexpr_integer(const struct rp_ctoken *token, int64_t *out);
/* A floating or integer constant, with or without a suffix. */
bool rp_cexpr_real(const struct rp_ctoken *token, double *out);

#endif
