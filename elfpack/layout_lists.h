/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of layout.c: the order of a layout's lists, and fix-ups that lead to imports. */
#ifndef RP_ELFPACK_LAYOUT_LISTS_H
#define RP_ELFPACK_LAYOUT_LISTS_H

#include "elfpack/layout.h"

/* Words by place, relocation types by name. */
void rp_layout_sort(struct rp_layout *layout);
/* RP_E_INTERNAL when a word is to be set twice. */
bool rp_layout_unique(const struct rp_layout *layout, struct rp_error *err);
/* Index of the import that a symbol stands for, whatever the linker took it for; -1: none. */
int32_t rp_layout_import(const struct rp_layout *layout, const struct rp_symbol *symbol);
/*
 * Target of a fix-up for an import. linked: the address as the linker has it, of the symbol's stub
 * or of 0, plus an addend. RP_E_TOO_LARGE.
 */
bool rp_layout_import_target(const struct rp_layout *layout, const struct rp_symbol *symbol,
                             uint32_t linked, uint32_t *target, struct rp_error *err);

#endif
