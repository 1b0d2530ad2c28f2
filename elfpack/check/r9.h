/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In an image, r9 holds the address of the data. Code that was not compiled for this may use r9 as
 * an ordinary register if it restores r9 before it returns (AAPCS32, 6.1.1) and does not call code
 * that needs r9 in between. Code that was compiled for another base register would look for its
 * data in the wrong place. Objects do not tell, so this check follows the instructions.
 */
#ifndef RP_ELFPACK_CHECK_R9_H
#define RP_ELFPACK_CHECK_R9_H

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/insn/code.h"
#include "elfpack/image/layout.h"
#include "elfpack/elf/sorted.h"

struct rp_r9_found {
    const char *pointed;   /* name of a function whose address is taken and that needs r9, or calls
                              one that does; or NULL */
    struct rp_words wrong; /* addresses in functions that would be right if they did not change r9;
                              empty: r9 is right */
};

/*
 * RP_E_R9: a function returns with another r9; a distance from r9 is used with another register, or
 * in a way that is not understood; or a function that uses r9 for another purpose may reach one
 * that needs it (the error gives the chain of calls). A call through a pointer counts as a call of
 * every function whose address is taken, in a word of the image or as a distance from code. layout:
 * with rel and fixups.
 */
bool rp_r9_check(const struct rp_layout *layout, struct rp_arena *arena, const struct rp_code *code,
                 struct rp_r9_found *found, struct rp_error *err);

#endif
