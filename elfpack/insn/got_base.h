/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that computes the address of the GOT. Without -msingle-pic-base, gcc's position-independent
 * code does that once in each function that needs it:
 *
 *     ldr  r7, =_GLOBAL_OFFSET_TABLE_ - (.LPIC0 + 4)
 *     .LPIC0: add r7, pc
 *
 * and has r9 as an ordinary register. In an image the distance is not constant, but r9 holds the
 * address when the function is entered. So the second instruction becomes mov r7, r9, which is as
 * long. r9.h follows r9 to that place in the linked file.
 */
#ifndef RP_ELFPACK_INSN_GOT_BASE_H
#define RP_ELFPACK_INSN_GOT_BASE_H

#include "base/arena.h"
#include "base/error.h"

/*
 * Changes all such places of an object. A file with other names (hard links, as compiler caches
 * make them) is replaced, so that these keep their contents. *other: a place where the address is
 * computed in another way, such as a literal with two readers, and then nothing is changed; or
 * NULL. RP_E_ELF, RP_E_SYSTEM.
 */
bool rp_got_base_take(struct rp_arena *arena, const char *path, const char **other,
                      struct rp_error *err);

#endif
