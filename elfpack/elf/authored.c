/* SPDX-License-Identifier: Apache-2.0 */
/* Sections named by the code's author: see authored.h. */
#include "elfpack/elf/authored.h"

#include <elf.h>
#include <string.h>

#include "base/path.h"
#include "base/section_name.h"

bool rp_section_is_authored(const struct rp_section *section) {
    enum { RETAIN = 1 << 21 }; /* SHF_GNU_RETAIN */
    const uint32_t usual = SHF_ALLOC | SHF_WRITE | SHF_MERGE | SHF_STRINGS | SHF_GROUP | RETAIN;
    return (section->flags & SHF_ALLOC) != 0 && (section->flags & ~usual) == 0 &&
           (section->type == SHT_PROGBITS || section->type == SHT_NOBITS) && section->size != 0 &&
           rp_section_name_is_free(section->name);
}

bool rp_section_is_zero(const struct rp_elf *elf, size_t index) {
    const struct rp_section *section = &elf->sections[index];
    for (uint32_t i = 0; section->contents != NULL && i < section->size; i++)
        if (section->contents[i] != 0)
            return false;
    for (size_t i = 0; i < elf->reloc_count; i++)
        if (elf->relocs[i].section == index)
            return false;
    return true;
}

/* ---- the list ---- */

static struct rp_authored_name *entry_of(struct rp_authored *authored, struct rp_arena *arena,
                                         const char *name) {
    for (size_t i = 0; i < authored->names.count; i++)
        if (strcmp(authored->names.items[i].name, name) == 0)
            return &authored->names.items[i];
    struct rp_authored_name *entry = RP_PUSH(arena, &authored->names);
    *entry = (struct rp_authored_name){.name = rp_strdup(arena, name)};
    return entry;
}

void rp_authored_take(struct rp_authored *authored, struct rp_arena *arena,
                      const struct rp_elf *elf) {
    static const char *const ends[] = {"__start_", "__stop_"};
    for (size_t i = 1; i < elf->section_count; i++) {
        const struct rp_section *section = &elf->sections[i];
        if (!rp_section_is_authored(section))
            continue;
        struct rp_authored_name *entry = entry_of(authored, arena, section->name);
        if ((section->flags & SHF_WRITE) == 0)
            entry->constants = true;
        else if (rp_section_is_zero(elf, i))
            entry->zeros = true;
        else
            entry->values = true;
    }
    for (size_t i = 1; i < elf->symbol_count; i++)
        for (size_t k = 0; k < sizeof ends / sizeof ends[0]; k++)
            if (elf->symbols[i].section == SHN_UNDEF &&
                rp_has_prefix(elf->symbols[i].name, ends[k]))
                rp_strings_push(arena, &authored->walked,
                                rp_strdup(arena, elf->symbols[i].name + strlen(ends[k])));
}

bool rp_authored_is_placed(const struct rp_authored *authored, const char *name) {
    for (size_t i = 0; i < authored->names.count; i++)
        if (strcmp(authored->names.items[i].name, name) == 0)
            return !rp_strings_have(&authored->walked, name);
    return false;
}
