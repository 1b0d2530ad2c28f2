/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fix-ups, which the image's own boot code applies (docs/FORMAT.md, "Fix-up table"): words that
 * point to weights, activations and symbols of the firmware, and code that would be right at one
 * address only. Pure.
 */
#ifndef RP_ELFPACK_IMAGE_FIXUP_H
#define RP_ELFPACK_IMAGE_FIXUP_H

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/elf/parts.h"

struct rp_fixup {
    uint32_t where;  /* RAM segment address, or RELOC_FIXUP_CODE_* | offset in FLASH */
    uint32_t target; /* segment address, in RAM only of WEIGHTS or ACTS; or RELOC_IMPORT_TARGET */
};

struct rp_fixups {
    struct rp_fixup *items;
    size_t count;
    size_t capacity;
};

/*
 * Index of the import that a symbol stands for, or -1. Only the name counts: the linker may have
 * given the symbol a stub or the address 0. imports: names, or NULL.
 */
int32_t rp_import_index(const struct rp_strings *imports, const struct rp_symbol *symbol);
/*
 * Target of a fix-up for an import. linked: the linked address, which is that of the symbol's stub
 * or 0, plus an addend. RP_E_TOO_LARGE: the addend does not fit.
 */
bool rp_fixup_import(const struct rp_strings *imports, const struct rp_symbol *symbol,
                     uint32_t linked, uint32_t *target, struct rp_error *err);
/*
 * Target of a fix-up for a word that points to address: an offset from the start of the symbol's
 * part, which may be negative. RP_E_TOO_LARGE: the offset does not fit.
 */
bool rp_fixup_target(const struct rp_parts *parts, const struct rp_symbol *symbol, uint32_t address,
                     uint32_t *target, struct rp_error *err);
/*
 * The fix-up for code that the image patches in a copy of itself. RP_E_RELOC_UNKNOWN: the code does
 * not hold an address of the symbol. RP_E_TOO_LARGE: the offset or addend does not fit.
 */
bool rp_fixup_patch(struct rp_fixup *fixup, const struct rp_parts *parts,
                    const struct rp_strings *imports, const struct rp_reloc *reloc,
                    struct rp_error *err);

#endif
