/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In an image, r9 is the address of the data. Code that was not compiled for that may use it as an
 * ordinary register, if it gives it back when it returns (AAPCS32, 6.1.1) and what it calls
 * meanwhile does not need it. Code that was compiled for another register would find its data by
 * that. Nothing in an object tells: the instructions are followed.
 */
#ifndef RP_ELFPACK_R9_H
#define RP_ELFPACK_R9_H

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/code.h"
#include "elfpack/layout.h"

/*
 * true, or RP_E_R9: a function leaves with another r9; a distance from r9 is used with another
 * register, or in a way that is not understood; or the way from a function that has a value of its
 * own in r9 to one that needs it. Calls through pointers count as calls of every function whose
 * address is taken: in a word of the image, or as a distance from code. layout: with rel and
 * fixups.
 */
bool rp_r9_check(const struct rp_layout *layout, struct rp_arena *arena, const struct rp_code *code,
                 struct rp_error *err);

#endif
