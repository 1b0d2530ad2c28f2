/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Code that uses r9 as an ordinary register (anything not compiled with -ffixed-r9 or
 * -msingle-pic-base may) gives it back when it returns (AAPCS32, 6.1.1), but until then r9 is not
 * the address of the data. What it calls meanwhile must not need the GOT or a distance from r9.
 * Nothing in an object tells: the code itself is read.
 */
#ifndef RP_ELFPACK_R9_H
#define RP_ELFPACK_R9_H

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/layout.h"
#include "elfpack/linkmap.h"

/*
 * true, or RP_E_R9 with the way from a function that saves r9 to one that finds its data by it.
 * Calls through pointers count as calls of every function whose address is taken: in a word of the
 * image, or as a distance from code. layout: with rel and fixups.
 */
bool rp_r9_check(const struct rp_layout *layout, struct rp_arena *arena,
                 const struct rp_linkmap *map, struct rp_error *err);

#endif
