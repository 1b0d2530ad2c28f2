/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the parts of an image in a linked file: see parts.h. */
#include "elfpack/elf/parts.h"

#include <elf.h>
#include <string.h>

#include "base/buf.h"

uint32_t rp_parts_context(const struct rp_parts *parts) {
    return parts->header.entries[parts->header.entry_count - 1];
}

uint32_t rp_parts_context_word(const struct rp_parts *parts, uint32_t offset) {
    uint32_t at = rp_parts_context(parts) & RELOC_OFFSET_MASK;
    return rp_get_le32(parts->data->contents + at + offset);
}

uint32_t rp_parts_round(const struct rp_parts *parts, uint32_t size) {
    return (size + parts->format->align - 1) & ~(parts->format->align - 1);
}

uint32_t rp_parts_header_bytes(const struct rp_parts *parts) {
    return RELOC_HDR_ENTRIES + 4 * parts->header.entry_count;
}

uint32_t rp_parts_ram_xip(const struct rp_parts *parts) {
    return rp_parts_round(parts, parts->bounds.bss_end);
}

uint32_t rp_parts_ram_copy(const struct rp_parts *parts) {
    return rp_parts_ram_xip(parts) + rp_parts_round(parts, parts->bounds.ro_size);
}

/* ---- sections ---- */

static const struct rp_section *section_of(const struct rp_parts *parts,
                                           const struct rp_format_place *rule) {
    const struct rp_section *const *slot =
        (const struct rp_section *const *)(const void *)((const char *)parts + rule->member);
    return *slot;
}

static bool place_section(struct rp_parts *parts, const struct rp_section *section,
                          struct rp_error *err) {
    if ((section->flags & SHF_ALLOC) == 0 || section->size == 0)
        return true;
    for (const struct rp_format_place *rule = parts->format->places; rule->name != NULL; rule++) {
        if (strcmp(section->name, rule->name) != 0)
            continue;
        if ((section->addr & RELOC_SEG_MASK) != rule->base ||
            section->size > RELOC_OFFSET_MASK - (section->addr - rule->base))
            return rp_fail(
                err, RP_E_TOO_LARGE,
                "section '%s' has %u bytes at 0x%08x, but a segment holds at most 256 MiB",
                section->name, section->size, section->addr);
        *(const struct rp_section **)(void *)((char *)parts + rule->member) = section;
        return true;
    }
    if (strcmp(section->name, ".init_array") == 0)
        return rp_fail(err, RP_E_INIT_ARRAY,
                       "the linked file has %u bytes of constructors or destructors, which nothing "
                       "in an image runs",
                       section->size);
    if (strcmp(section->name, ".tdata") == 0)
        return rp_fail(err, RP_E_TLS, "the linked file has %u bytes of thread-local variables",
                       section->size);
    for (size_t i = 0; i < parts->elf->symbol_count; i++)
        if (parts->elf->symbols[i].type == STT_GNU_IFUNC)
            return rp_fail(
                err, RP_E_ORPHAN,
                "'%s' is an indirect function (ifunc): its implementation would have to be "
                "chosen at the start, and nothing in an image does that",
                parts->elf->symbols[i].name);
    return rp_fail(err, RP_E_ORPHAN,
                   "output section '%s' (%u bytes) has no place in an image: the linker made it "
                   "on its own",
                   section->name, section->size);
}

bool rp_parts_ram_offset(const struct rp_parts *parts, const char *name, uint32_t *offset,
                         struct rp_error *err) {
    const struct rp_symbol *symbol = rp_elf_symbol(parts->elf, name);
    if (symbol == NULL || (symbol->value & RELOC_SEG_MASK) != parts->format->ram)
        return rp_fail(err, RP_E_INTERNAL, "the linker script did not define '%s'", name);
    *offset = symbol->value & RELOC_OFFSET_MASK;
    return true;
}

static bool find_bounds(struct rp_parts *parts, struct rp_error *err) {
    const struct rp_section *bss = parts->bss;
    if (!rp_parts_ram_offset(parts, "_rp_data_end", &parts->bounds.data_end, err) ||
        !rp_parts_ram_offset(parts, "_rp_got_start", &parts->bounds.got_start, err) ||
        !rp_parts_ram_offset(parts, "_rp_got_end", &parts->bounds.got_end, err))
        return false;
    if (parts->data->addr != parts->format->ram || parts->flash->addr != RELOC_SEG_FLASH ||
        parts->bounds.data_end != parts->bounds.got_start ||
        parts->bounds.got_start > parts->bounds.got_end ||
        parts->bounds.got_end != parts->data->size || parts->bounds.got_start % 4 != 0)
        return rp_fail(err, RP_E_GOT_LAYOUT,
                       "the GOT [0x%x, 0x%x) is not the end of .data (0x%x bytes at 0x%08x)",
                       parts->bounds.got_start, parts->bounds.got_end, parts->data->size,
                       parts->data->addr);
    /* Loaders copy bss_start bytes of data, so an alignment gap counts as .bss. */
    parts->bounds.bss_start = parts->bounds.got_end;
    parts->bounds.bss_end =
        bss != NULL ? (bss->addr & RELOC_OFFSET_MASK) + bss->size : parts->bounds.got_end;
    if (bss != NULL && (bss->addr & RELOC_OFFSET_MASK) < parts->bounds.got_end)
        return rp_fail(err, RP_E_INTERNAL, "sections .data and .bss overlap");
    parts->bounds.weights_size = parts->weights != NULL ? parts->weights->size : 0;
    parts->bounds.acts_size = parts->acts != NULL ? parts->acts->size : 0;
    return true;
}

bool rp_parts_find(struct rp_parts *parts, struct rp_error *err) {
    for (size_t i = 1; i < parts->elf->section_count; i++)
        if (!place_section(parts, &parts->elf->sections[i], err)) {
            parts->unplaced = true;
            return false;
        }
    for (const struct rp_format_place *rule = parts->format->places; rule->name != NULL; rule++) {
        const struct rp_section *section = section_of(parts, rule);
        bool empty = section == NULL;
        bool lost =
            !empty && section->contents == NULL && (rule->needed || section->type != SHT_NOBITS);
        if ((rule->needed && empty) || lost)
            return rp_fail(err, RP_E_ELF, "%s: section '%s' is missing or damaged",
                           parts->elf->path, rule->name);
    }
    parts->bounds.ro_size = parts->flash->size;
    return find_bounds(parts, err) && parts->format->find_header(parts, err);
}

/* ---- words ---- */

bool rp_parts_word(const struct rp_parts *parts, uint32_t addr, uint32_t *word) {
    const struct rp_section *section =
        (addr & RELOC_SEG_MASK) == RELOC_SEG_FLASH ? parts->flash : parts->data;
    uint32_t offset = addr - section->addr;
    if (offset > section->size || section->size - offset < 4)
        return false;
    *word = rp_get_le32(section->contents + offset);
    return true;
}

enum rp_segment rp_parts_section_segment(const struct rp_parts *parts,
                                         const struct rp_section *section) {
    for (const struct rp_format_place *rule = parts->format->places; rule->name != NULL; rule++)
        if (section != NULL && section == section_of(parts, rule))
            return rule->segment;
    return RP_SEG_NONE;
}

enum rp_segment rp_parts_segment(const struct rp_parts *parts, uint32_t addr) {
    for (const struct rp_format_place *rule = parts->format->places; rule->name != NULL; rule++) {
        const struct rp_section *section = section_of(parts, rule);
        uint32_t end = rule->segment == RP_SEG_FLASH ? parts->bounds.ro_size
                       : rule->segment == RP_SEG_RAM ? parts->bounds.bss_end
                       : section != NULL             ? section->addr - rule->base + section->size
                                                     : 0;
        if ((addr & RELOC_SEG_MASK) == rule->base && (addr & RELOC_OFFSET_MASK) <= end)
            return rule->segment;
    }
    return RP_SEG_NONE;
}

enum rp_segment rp_parts_symbol_segment(const struct rp_parts *parts,
                                        const struct rp_symbol *symbol) {
    if (symbol->section == SHN_UNDEF) {
        if (symbol->name[0] == '\0') /* symbol 0: a number */
            return RP_SEG_ABSOLUTE;
        return symbol->bind == STB_WEAK ? RP_SEG_WEAK_NULL : RP_SEG_UNDEFINED;
    }
    if (symbol->section == RP_SECTION_ABS)
        return RP_SEG_ABSOLUTE;
    enum rp_segment segment =
        rp_parts_section_segment(parts, rp_symbol_section(parts->elf, symbol));
    /* else by address: the linker also defines symbols in empty output sections */
    return segment != RP_SEG_NONE ? segment : rp_parts_segment(parts, symbol->value);
}

uint32_t rp_parts_segment_base(const struct rp_parts *parts, enum rp_segment segment) {
    for (const struct rp_format_place *rule = parts->format->places; rule->name != NULL; rule++)
        if (rule->segment == segment)
            return rule->base;
    return 0;
}

/* ---- entry vector ---- */

/*
 * Does the word lead to a function in the read-only part or, the last word, to the context in the
 * data?
 */
static bool is_entry(const struct rp_parts *parts, uint32_t index, uint32_t entry) {
    uint32_t offset = entry & RELOC_OFFSET_MASK;
    if (index + 1 == parts->header.entry_count)
        return (entry & RELOC_SEG_MASK) == parts->format->ram && offset % 4 == 0 &&
               parts->bounds.data_end >= parts->format->context_bytes &&
               offset <= parts->bounds.data_end - parts->format->context_bytes;
    return (entry & RELOC_SEG_MASK) == RELOC_SEG_FLASH && offset % 2 == 1 &&
           offset >= rp_parts_header_bytes(parts) && offset < parts->flash->size;
}

bool rp_parts_read_header(struct rp_parts *parts, struct rp_error *err) {
    if (!rp_parts_word(parts, RELOC_SEG_FLASH | RELOC_HDR_FLAGS, &parts->header.flags))
        return rp_fail(err, RP_E_INTERNAL, "the linked file has no header");
    for (uint32_t i = 0; i < parts->header.entry_count; i++) {
        uint32_t entry = 0;
        bool found = rp_parts_word(parts, RELOC_SEG_FLASH | (RELOC_HDR_ENTRIES + 4 * i), &entry);
        if (!found || !is_entry(parts, i, entry))
            return rp_fail(err, RP_E_INTERNAL,
                           "word %u of the entry vector is 0x%08x, which leads nowhere", i, entry);
        parts->header.entries[i] = entry;
    }
    return true;
}
