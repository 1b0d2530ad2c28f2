/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that computes the address of the GOT. Without -msingle-pic-base, gcc's position-independent
 * code does that once in each function that needs it:
 *
 *     ldr  r7, =_GLOBAL_OFFSET_TABLE_ - (.LPIC0 + 4)
 *     .LPIC0: add r7, pc
 * and uses r9 as an ordinary register. In an image the distance is not constant, but r9 holds the
 * address when the function is entered. So the second instruction becomes mov r7, r9, which has the
 * same length. elfpack/check/r9.h checks that r9 still has this value there.
 */
#ifndef RP_ELFPACK_INSN_GOT_BASE_H
#define RP_ELFPACK_INSN_GOT_BASE_H

#include "base/arena.h"
#include "base/error.h"

/*
 * Changes all such places of an object. Breaks hard links, which compiler caches make. *other: a
 * place where the address is computed in a different way, such as a literal with two readers; then
 * nothing is changed. NULL: there is none. RP_E_ELF, RP_E_INPUT: the object cannot be read.
 * RP_E_SYSTEM, RP_E_NO_SPACE: it cannot be written.
 */
bool rp_got_base_take(struct rp_arena *arena, const char *path, const char **other,
                      struct rp_error *err);

#endif
