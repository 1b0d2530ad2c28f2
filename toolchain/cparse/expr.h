/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Constant expressions of C over tokens: numbers, and a label plus a number. What a linker could
 * put into an initialiser, no more.
 */
#ifndef RP_TOOLCHAIN_CPARSE_EXPR_H
#define RP_TOOLCHAIN_CPARSE_EXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "toolchain/cparse/token.h"

struct rp_cvalue {
    struct rp_ctoken label; /* a name whose value the text does not say; len 0: there is none */
    bool address_of;        /* &label */
    int64_t number;         /* added to the label */
};

/*
 * The value of all count tokens (no comments or directives among them). Braces around the whole are
 * passed over, so are casts and the calls ..._TO_PHYSICAL_ADDR(x) and ..._TO_VIRTUAL_ADDR(x), which
 * do not change an address on this target. NULL and false are 0, true is 1. false when it is not
 * such an expression, or a step leaves 64 bits.
 */
bool rp_cexpr_eval(const struct rp_ctoken *tokens, size_t count, struct rp_cvalue *out);
/* An integer constant with its suffix; false for anything else. */
bool rp_cexpr_integer(const struct rp_ctoken *token, int64_t *out);
/* A floating or integer constant, with or without a suffix. */
bool rp_cexpr_real(const struct rp_ctoken *token, double *out);

#endif
