/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions of functions in the style of K&R: f(a, b) float a; int b[4]; { } */
#ifndef RP_TOOLCHAIN_CREAD_OLD_STYLE_H
#define RP_TOOLCHAIN_CREAD_OLD_STYLE_H

#include "toolchain/cread/decl_type.h"

/*
 * Reads the head of a definition, "f(a, b)", and the declarations of its parameters, "float a; int
 * b[4];". Callers promote arguments, unless a prototype says how it is called: prototyped.
 */
void rp_cdecl_read_old_style(struct rp_cdecl_scope *scope, struct rp_cdecl_range head,
                             struct rp_cdecl_range params, bool prototyped,
                             struct rp_cdecl_declaration *out);

#endif
