/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an image sets by itself (docs/FORMAT.md, "Fix-up table"): words that lead to weights and
 * activations, code that is right at one address only. Steps of rp_layout_make.
 */
#ifndef RP_ELFPACK_FIXUP_H
#define RP_ELFPACK_FIXUP_H

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/layout.h"

/* Code that the image patches in a copy of itself. RP_E_RELOC_UNKNOWN: it leads nowhere. */
bool rp_fixup_add_patch(struct rp_layout *layout, struct rp_arena *arena,
                        const struct rp_reloc *reloc, struct rp_error *err);
/*
 * Where the table lies, which words REL has and which the compact table behind it (with
 * linked->compact), and so how large the read-only part is.
 */
bool rp_fixups_place(struct rp_layout *layout, struct rp_arena *arena,
                     const struct rp_linked *linked, struct rp_error *err);

#endif
