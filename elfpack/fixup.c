/* SPDX-License-Identifier: Apache-2.0 */
/* What the image's own boot code sets: see fixup.h. */
#include "elfpack/fixup.h"

#include <elf.h>

#include "elfpack/culprit.h"
#include "elfpack/layout_lists.h"
#include "elfpack/thumb.h"

/* ---- code that is patched in a copy ---- */

/*
 * The address that a MOVW or MOVT has half of: the other half is in the nearest MOVT behind, or
 * MOVW before, in the same function, that names the same symbol and register.
 */
static bool halved_address(const struct rp_layout *layout, const struct rp_reloc *reloc,
                           uint32_t *address) {
    const struct rp_elf *elf = layout->elf;
    const struct rp_symbol *function = rp_symbol_at(elf, reloc->place);
    bool low = reloc->type == R_ARM_THM_MOVW_ABS_NC;
    uint32_t half = 0, other = 0, wanted = low ? R_ARM_THM_MOVT_ABS : R_ARM_THM_MOVW_ABS_NC;
    size_t count = elf->reloc_count;
    if (!rp_layout_word(layout, reloc->place, &half))
        return false;
    for (size_t i = (size_t)(reloc - elf->relocs); low ? ++i < count : i-- > 0;) {
        const struct rp_reloc *at = &elf->relocs[i];
        if (at->section != reloc->section)
            return false;
        if (at->type != wanted || at->symbol != reloc->symbol ||
            !rp_layout_word(layout, at->place, &other) || ((other ^ half) & RP_THUMB_REGISTER) != 0)
            continue;
        uint32_t bottom = rp_thumb_half(low ? half : other);
        *address = rp_thumb_half(low ? other : half) << 16 | bottom;
        return rp_symbol_at(elf, at->place) == function;
    }
    return false;
}

bool rp_fixup_add_patch(struct rp_layout *layout, struct rp_arena *arena,
                        const struct rp_reloc *reloc, struct rp_error *err) {
    uint32_t offset = reloc->place & RELOC_OFFSET_MASK, target = 0;
    uint32_t code = reloc->type == R_ARM_THM_MOVW_ABS_NC ? RELOC_FIXUP_CODE_MOVW
                    : reloc->type == R_ARM_THM_MOVT_ABS  ? RELOC_FIXUP_CODE_MOVT
                                                         : RELOC_FIXUP_CODE_WORD;
    bool found = code == RELOC_FIXUP_CODE_WORD ? rp_layout_word(layout, reloc->place, &target)
                                               : halved_address(layout, reloc, &target);
    const struct rp_symbol *symbol = &layout->elf->symbols[reloc->symbol];
    bool import = found && rp_layout_import(layout, symbol) >= 0;
    bool known = import || rp_layout_symbol_segment(layout, symbol) != RP_SEG_NONE;
    if (import && !rp_layout_import_target(layout, symbol, target, &target, err))
        return false;
    if (found && !import && known && !rp_layout_target(layout, symbol, target, &target, err))
        return false;
    if (!found && code != RELOC_FIXUP_CODE_WORD) {
        const struct rp_symbol *function = rp_symbol_at(layout->elf, reloc->place);
        rp_fail(err, RP_E_RELOC_UNKNOWN,
                "%s: %s is half of the address of '%s', and the function does not have the other "
                "half, for the same symbol and register",
                function != NULL ? function->name : "?", rp_reloc_name(reloc->type), symbol->name);
        return rp_hint(err, "load addresses with MOVW and MOVT in pairs, or from a literal");
    }
    if (!found || !known)
        return rp_fail(err, RP_E_RELOC_UNKNOWN, "%s at 0x%08x does not lead to '%s'",
                       rp_reloc_name(reloc->type), reloc->place, symbol->name);
    layout->text_patches++;
    *RP_PUSH(arena, &layout->fixups) = (struct rp_fixup){code | offset, target};
    return true;
}

/* ---- the tables behind the read-only data ---- */

enum { CALL_BYTES = 12 }; /* what calling the boot code takes, and its GOT word */

/* A loader may look at the model's name before the image's own code has run. */
static bool make_compact(struct rp_layout *layout, struct rp_arena *arena, struct rp_error *err) {
    const struct rp_symbol *code = rp_elf_symbol(layout->elf, "rp_boot_rebase");
    uint32_t name = layout->entries[RELOC_ENTRY_CTX] + (uint32_t)RELOC_CTX_C_NAME;
    struct rp_words rest = {0};
    if (code == NULL)
        return rp_fail(err, RP_E_INTERNAL, "no boot code to rebase %zu words", layout->rel.count);
    layout->compact_code = code->size + CALL_BYTES;
    layout->listed = (struct rp_words){0};
    for (size_t i = 0; i < layout->rel.count; i++)
        *RP_PUSH(arena, layout->rel.items[i] == name ? &layout->listed : &rest) =
            layout->rel.items[i];
    rp_compact_encode(&layout->compact, arena, rest.items, rest.count);
    return true;
}

int64_t rp_layout_compact_saves(const struct rp_layout *layout) {
    return 4 * ((int64_t)layout->rel.count - (int64_t)layout->listed.count -
                (int64_t)layout->compact.count) -
           layout->compact_code;
}

bool rp_fixups_place(struct rp_layout *layout, struct rp_arena *arena,
                     const struct rp_linked *linked, struct rp_error *err) {
    const struct rp_symbol *table = rp_elf_symbol(layout->elf, "_rp_fixups");
    layout->ro_size = rp_layout_round(layout, layout->flash->size);
    layout->listed = layout->rel;
    if (linked->compact && !make_compact(layout, arena, err))
        return false;
    if (table == NULL)
        return (layout->fixups.count == 0 && layout->compact.count == 0) ||
               rp_fail(err, RP_E_INTERNAL, "no boot code to set %zu words", layout->fixups.count);
    const struct rp_symbol *imports = rp_elf_symbol(layout->elf, "_rp_imports");
    layout->fixups_at = table->value & RELOC_OFFSET_MASK;
    layout->tables_at = (imports != NULL ? imports : table)->value & RELOC_OFFSET_MASK;
    if (layout->fixups_at + 4 != layout->flash->size)
        return rp_fail(err, RP_E_INTERNAL, "the fix-up table is not at the end of .flash");
    uint64_t bytes = (uint64_t)layout->fixups.count * RELOC_FIXUP_BYTES + 4 * layout->compact.count;
    if (bytes > RELOC_OFFSET_MASK - layout->flash->size)
        return rp_fail(err, RP_E_TOO_LARGE, "%zu fix-ups", layout->fixups.count);
    layout->ro_size = layout->flash->size + (uint32_t)bytes;
    return true;
}
