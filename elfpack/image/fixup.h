/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an image sets by itself (docs/FORMAT.md, "Fix-up table"): words that lead to weights,
 * activations and symbols of the firmware, and code that is right at one address only. Pure.
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
 * Index of the import that a symbol stands for, whatever the linker took it for; -1: none. imports:
 * names, or NULL.
 */
int32_t rp_import_index(const struct rp_strings *imports, const struct rp_symbol *symbol);
/*
 * Target of a fix-up for an import. linked: the address as the linker has it, of the symbol's stub
 * or of 0, plus an addend. RP_E_TOO_LARGE.
 */
bool rp_fixup_import(const struct rp_strings *imports, const struct rp_symbol *symbol,
                     uint32_t linked, uint32_t *target, struct rp_error *err);
/*
 * Target of a fix-up for a word that leads to address, counted from the part that the symbol lies
 * in: its offset may be before the start. RP_E_TOO_LARGE.
 */
bool rp_fixup_target(const struct rp_parts *parts, const struct rp_symbol *symbol, uint32_t address,
                     uint32_t *target, struct rp_error *err);
/* For code that the image patches in a copy of itself. RP_E_RELOC_UNKNOWN: it leads nowhere. */
bool rp_fixup_patch(struct rp_fixup *fixup, const struct rp_parts *parts,
                    const struct rp_strings *imports, const struct rp_reloc *reloc,
                    struct rp_error *err);

#endif
