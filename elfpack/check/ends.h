/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control that reaches the end of an input section runs on into whatever lies behind it. Assembly
 * may intend that: then the section that follows in its object has to lie there, which a linker
 * that drops or sorts sections does not ensure. Compilers never intend it: their functions end that
 * way only where control cannot come (__builtin_unreachable). In: the code of a linked image, and
 * what was linked.
 */
#ifndef RP_ELFPACK_CHECK_ENDS_H
#define RP_ELFPACK_CHECK_ENDS_H

#include "elfpack/insn/code.h"
#include "elfpack/check/link_inputs.h"

/*
 * RP_E_LINK_CHECK names the function and what is missing behind it. Marks what lies behind compiled
 * code with RP_CODE_APART.
 */
bool rp_ends_check(struct rp_code *code, const struct rp_link_inputs *inputs,
                   struct rp_arena *arena, struct rp_error *err);

#endif
