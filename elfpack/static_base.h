/* SPDX-License-Identifier: Apache-2.0 */
/* Distances from the static base, which clang -frwpi has in its instructions instead of a GOT. */
#ifndef RP_ELFPACK_STATIC_BASE_H
#define RP_ELFPACK_STATIC_BASE_H

#include "elfpack/layout.h"

/*
 * Checks that a word or instruction of .flash holds its part of the distance of the relocation's
 * symbol from RAM offset 0. GNU ld takes 0 for the base, so that it puts the RAM segment's address
 * there as well: such a MOVT is listed in layout->based, and the writer takes that off again.
 * RP_E_RELOC_UNKNOWN, RP_E_GOT_LAYOUT.
 */
bool rp_base_check(struct rp_layout *layout, struct rp_arena *arena, const struct rp_reloc *reloc,
                   struct rp_error *err);
/* flash: a copy of .flash. */
void rp_base_apply(const struct rp_layout *layout, char *flash);

#endif
