/* SPDX-License-Identifier: Apache-2.0 */
/* Small ELF files: see elf_builder.h. */
#include "tests/unit/elf_builder.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

void eb_begin(struct elf_builder *eb, uint16_t type) {
    *eb = (struct elf_builder){.type = type, .machine = 40 /* EM_ARM */, .class = 1, .data = 1};
    eb->sections[0].name = "";
    eb->symbols[0].name = "";
    eb->section_count = eb->symbol_count = 1;
}

unsigned eb_section(struct elf_builder *eb, const char *name, uint32_t type, uint32_t flags,
                    uint32_t size) {
    eb->sections[eb->section_count] =
        (struct eb_section){.name = name, .type = type, .flags = flags, .align = 4, .size = size};
    return eb->section_count++;
}

unsigned eb_symbol(struct elf_builder *eb, const char *name, uint8_t type, unsigned section,
                   uint32_t value) {
    eb->symbols[eb->symbol_count] = (struct eb_symbol){.name = name,
                                                       .value = value,
                                                       .bind = STB_GLOBAL,
                                                       .type = type,
                                                       .section = (uint16_t)section};
    return eb->symbol_count++;
}

struct eb_reloc *eb_reloc(struct elf_builder *eb, unsigned section, uint32_t place, uint32_t type,
                          unsigned symbol) {
    struct eb_reloc *reloc = &eb->relocs[eb->reloc_count++];
    *reloc = (struct eb_reloc){section, place, type, symbol, 0};
    return reloc;
}

static void put16(struct rp_buf *out, unsigned half) {
    unsigned char bytes[2] = {(unsigned char)half, (unsigned char)(half >> 8)};
    rp_buf_append(out, bytes, 2);
}

static void put_words(struct rp_buf *out, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        rp_buf_le32(out, words[i]);
}

/* Appends text and its terminator; returns where it starts. */
static uint32_t put_name(struct rp_buf *names, const char *text) {
    uint32_t at = (uint32_t)names->len;
    rp_buf_append(names, text, strlen(text) + 1);
    return at;
}

static void put_symbols(const struct elf_builder *eb, struct rp_buf *table, struct rp_buf *names) {
    rp_buf_append(names, "", 1);
    for (unsigned i = 0; i < eb->symbol_count; i++) {
        const struct eb_symbol *symbol = &eb->symbols[i];
        const uint32_t words[3] = {i == 0 ? 0 : put_name(names, symbol->name), symbol->value,
                                   symbol->size};
        const unsigned char info[2] = {(unsigned char)(symbol->bind << 4 | symbol->type), 0};
        put_words(table, words, 3);
        rp_buf_append(table, info, 2);
        put16(table, symbol->section);
    }
}

static void put_relocs(const struct elf_builder *eb, unsigned section, struct rp_buf *table) {
    for (unsigned i = 0; i < eb->reloc_count; i++) {
        const struct eb_reloc *reloc = &eb->relocs[i];
        const uint32_t words[3] = {reloc->place, reloc->symbol << 8 | (reloc->type & 255),
                                   (uint32_t)reloc->addend};
        if (reloc->section == section)
            put_words(table, words, eb->rela ? 3 : 2);
    }
}

/* Places one section's bytes and remembers its header. */
static void place(struct rp_buf *out, struct rp_buf *headers, struct rp_buf *names,
                  const struct eb_section *section) {
    rp_buf_align(out, 4, 0);
    const uint32_t words[10] = {put_name(names, section->name),
                                section->type,
                                section->flags,
                                section->addr,
                                section->type == SHT_NULL ? 0 : (uint32_t)out->len,
                                section->size,
                                section->link,
                                section->info,
                                section->align,
                                section->entsize};
    put_words(headers, words, 10);
    static const unsigned char zeros[4096];
    if (section->data != NULL)
        rp_buf_append(out, section->data, section->size);
    else if (section->type != SHT_NOBITS && section->type != SHT_NULL)
        rp_buf_append(out, zeros, section->size < sizeof zeros ? section->size : sizeof zeros);
}

static void place_table(struct rp_buf *out, struct rp_buf *headers, struct rp_buf *names,
                        struct eb_section section, struct rp_buf *bytes) {
    section.size = (uint32_t)bytes->len;
    section.data = bytes->len != 0 ? bytes->data : NULL;
    section.align = 4;
    place(out, headers, names, &section);
}

static unsigned place_relocs(const struct elf_builder *eb, struct rp_buf *out,
                             struct rp_buf *headers, struct rp_buf *names) {
    unsigned placed = 0;
    for (unsigned i = 1; i < eb->section_count; i++) {
        struct rp_buf table = {.arena = out->arena};
        char name[64];
        put_relocs(eb, i, &table);
        if (table.len == 0)
            continue;
        snprintf(name, sizeof name, "%s%s", eb->rela ? ".rela" : ".rel", eb->sections[i].name);
        place_table(out, headers, names,
                    (struct eb_section){.name = name,
                                        .type = eb->rela ? SHT_RELA : SHT_REL,
                                        .link = eb->section_count,
                                        .info = i,
                                        .entsize = eb->rela ? 12 : 8},
                    &table);
        placed++;
    }
    return placed;
}

static void put_header(const struct elf_builder *eb, struct rp_buf *out, uint32_t headers_at,
                       unsigned count) {
    struct rp_buf header = {.arena = out->arena};
    const unsigned char ident[16] = {0x7f, 'E', 'L', 'F', eb->class, eb->data, 1};
    rp_buf_append(&header, ident, sizeof ident);
    put16(&header, eb->type);
    put16(&header, eb->machine);
    rp_buf_le32(&header, 1);
    rp_buf_le32(&header, eb->entry);
    rp_buf_le32(&header, 0);
    rp_buf_le32(&header, headers_at);
    rp_buf_le32(&header, 0x05000000); /* EF_ARM_EABI_VER5 */
    const unsigned halves[6] = {52, 32, 0, 40, count, count - 1};
    for (unsigned i = 0; i < 6; i++)
        put16(&header, halves[i]);
    memcpy(out->data, header.data, header.len);
}

void eb_write(const struct elf_builder *eb, struct rp_buf *all) {
    struct rp_buf headers = {.arena = all->arena}, names = {.arena = all->arena},
                  symbols = {.arena = all->arena}, strings = {.arena = all->arena};
    static const unsigned char room[52];
    struct rp_buf file = {.arena = all->arena};
    struct rp_buf *out = &file;
    rp_buf_append(out, room, sizeof room);
    for (unsigned i = 0; i < eb->section_count; i++)
        place(out, &headers, &names, &eb->sections[i]);
    put_symbols(eb, &symbols, &strings);
    place_table(out, &headers, &names,
                (struct eb_section){.name = ".symtab",
                                    .type = SHT_SYMTAB,
                                    .link = eb->section_count + 1,
                                    .info = 1,
                                    .entsize = 16},
                &symbols);
    place_table(out, &headers, &names, (struct eb_section){.name = ".strtab", .type = SHT_STRTAB},
                &strings);
    unsigned count = eb->section_count + 2 + place_relocs(eb, out, &headers, &names) + 1;
    uint32_t name = put_name(&names, ".shstrtab");
    rp_buf_align(out, 4, 0);
    const uint32_t last[10] = {name, SHT_STRTAB, 0, 0, (uint32_t)out->len, (uint32_t)names.len,
                               0,    0,          1, 0};
    put_words(&headers, last, 10);
    rp_buf_append(out, names.data, names.len);
    rp_buf_align(out, 4, 0);
    put_header(eb, out, (uint32_t)out->len, count);
    rp_buf_append(out, headers.data, headers.len);
    rp_buf_append(all, out->data, out->len);
}

size_t eb_attributes(uint8_t out[64], unsigned cpu_arch, unsigned profile, unsigned fp_arch,
                     unsigned vfp_args) {
    /* Tag_CPU_name is text, Tag_compatibility a number and text, 65 an unknown text tag */
    static const uint8_t head[] = {5, '7', 'E', '-', 'M', 0, 32, 1, 'g', 'n', 'u', 0, 65, 'x', 0};
    const uint8_t tags[] = {6,  (uint8_t)cpu_arch, 7,  (uint8_t)profile,
                            10, (uint8_t)fp_arch,  28, (uint8_t)vfp_args};
    size_t inside = sizeof head + sizeof tags, vendor = 4 + 6 + 5 + inside;
    struct rp_arena arena = {0};
    struct rp_buf buf = {.arena = &arena};
    rp_buf_append(&buf, "A", 1);
    rp_buf_le32(&buf, (uint32_t)vendor);
    rp_buf_append(&buf, "aeabi", 6);
    rp_buf_append(&buf, "\1", 1);
    rp_buf_le32(&buf, (uint32_t)(5 + inside));
    rp_buf_append(&buf, head, sizeof head);
    rp_buf_append(&buf, tags, sizeof tags);
    size_t len = buf.len;
    memcpy(out, buf.data, len);
    rp_arena_release(&arena);
    return len;
}

void ar_begin(struct rp_buf *out) {
    rp_buf_puts(out, "!<arch>\n");
}

void ar_member(struct rp_buf *out, const char *name, const void *data, size_t size) {
    char slashed[17];
    snprintf(slashed, sizeof slashed, "%s/", name);
    rp_buf_printf(out, "%-16s%-12s%-6s%-6s%-8s%-10zu`\n", slashed, "0", "0", "0", "100644", size);
    rp_buf_append(out, data, size);
    rp_buf_align(out, 2, '\n');
}
