/* SPDX-License-Identifier: Apache-2.0 */
/* Words and code that the image's own boot code sets: see fixup.h. */
#include "elfpack/image/fixup.h"

#include <elf.h>
#include <string.h>

#include "elfpack/insn/thumb.h"

/* ---- imports ---- */

int32_t rp_import_index(const struct rp_strings *imports, const struct rp_symbol *symbol) {
    for (size_t i = 0; imports != NULL && i < imports->count; i++)
        if (symbol->bind != STB_LOCAL && strcmp(imports->items[i], symbol->name) == 0)
            return (int32_t)i;
    return -1;
}

bool rp_fixup_import(const struct rp_strings *imports, const struct rp_symbol *symbol,
                     uint32_t linked, uint32_t *target, struct rp_error *err) {
    uint32_t addend = linked - symbol->value;
    *target = RELOC_IMPORT_TARGET(rp_import_index(imports, symbol), addend);
    return addend + RELOC_IMPORT_ADDEND < 2u * RELOC_IMPORT_ADDEND ||
           rp_fail(err, RP_E_TOO_LARGE,
                   "an address %d bytes away from the import '%s'; at most 512 KiB are possible",
                   (int)addend, symbol->name);
}

/* ---- words that point into a part ---- */

bool rp_fixup_target(const struct rp_parts *parts, const struct rp_symbol *symbol, uint32_t address,
                     uint32_t *target, struct rp_error *err) {
    uint32_t base = rp_parts_segment_base(parts, rp_parts_symbol_segment(parts, symbol));
    uint32_t offset = address - base, half = (RELOC_OFFSET_MASK + 1) / 2;
    *target = base | (offset & RELOC_OFFSET_MASK);
    return offset + half < 2 * half ||
           rp_fail(err, RP_E_TOO_LARGE,
                   "a pointer to '%s' leads %d bytes away from the start of its part; at most "
                   "128 MiB are possible",
                   symbol->name, (int)offset);
}

/* ---- code that is patched in a copy ---- */

/*
 * The address of which a MOVW or MOVT holds half. The other half is in the same function: in the
 * next MOVT, or the previous MOVW, with the same symbol and register.
 */
static bool halved_address(const struct rp_parts *parts, const struct rp_reloc *reloc,
                           uint32_t *address) {
    const struct rp_elf *elf = parts->elf;
    const struct rp_symbol *function = rp_elf_symbol_at(elf, reloc->place);
    bool low = reloc->type == R_ARM_THM_MOVW_ABS_NC;
    uint32_t half = 0, other = 0, wanted = low ? R_ARM_THM_MOVT_ABS : R_ARM_THM_MOVW_ABS_NC;
    size_t count = elf->reloc_count;
    if (!rp_parts_word(parts, reloc->place, &half))
        return false;
    for (size_t i = (size_t)(reloc - elf->relocs); low ? ++i < count : i-- > 0;) {
        const struct rp_reloc *at = &elf->relocs[i];
        if (at->section != reloc->section)
            return false;
        if (at->type != wanted || at->symbol != reloc->symbol ||
            !rp_parts_word(parts, at->place, &other) || ((other ^ half) & RP_THUMB_REGISTER) != 0)
            continue;
        uint32_t bottom = rp_thumb_half(low ? half : other);
        *address = rp_thumb_half(low ? other : half) << 16 | bottom;
        return rp_elf_symbol_at(elf, at->place) == function;
    }
    return false;
}

bool rp_fixup_patch(struct rp_fixup *fixup, const struct rp_parts *parts,
                    const struct rp_strings *imports, const struct rp_reloc *reloc,
                    struct rp_error *err) {
    uint32_t offset = reloc->place & RELOC_OFFSET_MASK, target = 0;
    uint32_t code = reloc->type == R_ARM_THM_MOVW_ABS_NC ? RELOC_FIXUP_CODE_MOVW
                    : reloc->type == R_ARM_THM_MOVT_ABS  ? RELOC_FIXUP_CODE_MOVT
                                                         : RELOC_FIXUP_CODE_WORD;
    bool found = code == RELOC_FIXUP_CODE_WORD ? rp_parts_word(parts, reloc->place, &target)
                                               : halved_address(parts, reloc, &target);
    const struct rp_symbol *symbol = &parts->elf->symbols[reloc->symbol];
    bool import = found && rp_import_index(imports, symbol) >= 0;
    bool known = import || rp_parts_symbol_segment(parts, symbol) != RP_SEG_NONE;
    if (import && !rp_fixup_import(imports, symbol, target, &target, err))
        return false;
    if (found && !import && known && !rp_fixup_target(parts, symbol, target, &target, err))
        return false;
    if (!found && code != RELOC_FIXUP_CODE_WORD) {
        const struct rp_symbol *function = rp_elf_symbol_at(parts->elf, reloc->place);
        rp_fail(err, RP_E_RELOC_UNKNOWN,
                "%s: %s holds half of the address of '%s', but the function has no instruction "
                "with the other half for the same symbol and register",
                function != NULL ? function->name : "?", rp_reloc_name(reloc->type), symbol->name);
        return rp_hint(err, "load addresses with MOVW and MOVT in pairs, or from a literal");
    }
    if (!found || !known)
        return rp_fail(err, RP_E_RELOC_UNKNOWN, "%s at 0x%08x does not lead to '%s'",
                       rp_reloc_name(reloc->type), reloc->place, symbol->name);
    *fixup = (struct rp_fixup){code | offset, target};
    return true;
}
