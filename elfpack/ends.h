/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Control that comes to the end of an input section goes on with whatever lies behind it. Assembly
 * may mean that, and then the section that follows in its object has to lie there; a linker that
 * leaves out or sorts sections does not know. Compilers never mean it: their functions end so
 * where they are told that control does not come (__builtin_unreachable).
 * In: the code of a linked image, and what was linked.
 */
#ifndef RP_ELFPACK_ENDS_H
#define RP_ELFPACK_ENDS_H

#include "elfpack/code.h"
#include "elfpack/link_inputs.h"

/*
 * RP_E_LINK_CHECK names the function and what is missing behind it. Marks RP_CODE_APART what lies
 * behind compiled code.
 */
bool rp_ends_check(struct rp_code *code, const struct rp_link_inputs *inputs,
                   struct rp_arena *arena, struct rp_error *err);

#endif
