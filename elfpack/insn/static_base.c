/* SPDX-License-Identifier: Apache-2.0 */
/* Checks distances from the static base: see static_base.h. */
#include "elfpack/insn/static_base.h"

#include <elf.h>

#include "base/buf.h"
#include "elfpack/insn/thumb.h"

/* Bit 31 of the address (0x80000000) in the first half-word of a MOVT. */
enum { TOP_BIT = 1 << 3 };

bool rp_static_base_check(const struct rp_parts *parts, struct rp_arena *arena,
                          const struct rp_reloc *reloc, struct rp_words *based,
                          struct rp_error *err) {
    const struct rp_symbol *symbol = &parts->elf->symbols[reloc->symbol];
    const struct rp_section *section = rp_symbol_section(parts->elf, symbol);
    const struct rp_section *flash = parts->flash;
    uint32_t at = reloc->place - flash->addr, base = parts->data->addr;
    uint32_t want = symbol->value - base, room = symbol->size;
    bool high = reloc->type == R_ARM_THM_MOVT_BREL;
    bool known = high || reloc->type == R_ARM_SBREL32 || reloc->type == R_ARM_THM_MOVW_BREL_NC ||
                 reloc->type == R_ARM_THM_MOVW_BREL;
    if (symbol->type == STT_SECTION && section != NULL)
        room = section->size;
    if (!known || at > flash->size || flash->size - at < 4)
        return rp_fail(err, RP_E_RELOC_UNKNOWN, "%s at 0x%08x to '%s' is not supported",
                       rp_reloc_name(reloc->type), reloc->place, symbol->name);
    uint32_t word = rp_get_le32(flash->contents + at);
    if (rp_thumb_is_distance(reloc->type, word, want, room))
        return true;
    if (high && base == RELOC_SEG_RAM && (word & TOP_BIT) != 0 &&
        rp_thumb_is_distance(reloc->type, word & ~(uint32_t)TOP_BIT, want, room)) {
        *RP_PUSH(arena, based) = at;
        return true;
    }
    return rp_fail(
        err, RP_E_GOT_LAYOUT,
        "%s at 0x%08x has the distance 0x%04x, but '%s' is 0x%08x bytes from the start of "
        "the data",
        rp_reloc_name(reloc->type), reloc->place,
        reloc->type == R_ARM_SBREL32 ? word : rp_thumb_half(word), symbol->name, want);
}

void rp_static_base_apply(const struct rp_words *based, char *flash) {
    for (size_t i = 0; i < based->count; i++)
        flash[based->items[i]] &= (char)~TOP_BIT;
}
