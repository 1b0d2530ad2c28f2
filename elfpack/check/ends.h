/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Execution that reaches the end of an input section continues in whatever lies after it. Assembly
 * may intend that: then the next section of its object has to lie there, which a linker that drops
 * or sorts sections does not ensure. Compilers never intend it: their functions end that way only
 * where execution never arrives (__builtin_unreachable). In: the code of a linked image, and what
 * was linked.
 */
#ifndef RP_ELFPACK_CHECK_ENDS_H
#define RP_ELFPACK_CHECK_ENDS_H

#include "elfpack/insn/code.h"
#include "elfpack/check/link_inputs.h"

/*
 * Checks all such ends. RP_E_LINK_CHECK names the function, and the section that does not follow.
 * Marks what lies after compiled code with RP_CODE_APART.
 */
bool rp_ends_check(struct rp_code *code, const struct rp_link_inputs *inputs,
                   struct rp_arena *arena, struct rp_error *err);

#endif
