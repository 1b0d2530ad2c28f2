/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluates constant expressions of C: numbers, or a label plus a number. That is what a linker can
 * put into an initialiser.
 */
#ifndef RP_TOOLCHAIN_CREAD_EXPR_H
#define RP_TOOLCHAIN_CREAD_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "toolchain/cread/token.h"

struct rp_cvalue {
    struct rp_ctoken label; /* a name whose value the text does not give; len 0 for none */
    bool address_of;        /* &label */
    int64_t number;         /* added to the label */
};

/*
 * The value of all count tokens, which include no comments or directives. Braces around the whole
 * are ignored. So are casts, and the calls ..._TO_PHYSICAL_ADDR(x) and ..._TO_VIRTUAL_ADDR(x),
 * which do not change an address on this target. NULL and false are 0, true is 1. Returns false
 * when it is not such an expression, or when a step needs more than 64 bits.
 */
bool rp_cexpr_eval(const struct rp_ctoken *tokens, size_t count, struct rp_cvalue *out);
/* An integer constant with or without a suffix; false for anything else. */
bool rp_cexpr_integer(const struct rp_ctoken *token, int64_t *out);
/* A floating or integer constant, with or without a suffix. */
bool rp_cexpr_real(const struct rp_ctoken *token, double *out);

#endif
