/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates integer constant expressions of C, with sizeof, casts and enumeration constants. */
#ifndef RP_TOOLCHAIN_CREAD_DECL_VALUE_H
#define RP_TOOLCHAIN_CREAD_DECL_VALUE_H

#include "toolchain/cread/scope.h"

/*
 * The value of an integer constant expression; false when it is not one, or needs more than 32
 * bits. Moves tokens->at behind the expression.
 */
bool rp_cdecl_eval(struct rp_cdecl_scope *scope, struct rp_cdecl_range *tokens, int64_t *value);

#endif
