/* SPDX-License-Identifier: Apache-2.0 */
/* A small linked file in memory: see sample.h. */
#include "tests/unit/sample.h"

#include <elf.h>

#include "tests/unit/unit.h"

enum { ABS32 = 2, REL32 = 3, THM_CALL = 10, GOT_BREL = 26 };

static void fill_flash(uint8_t *flash) {
    unit_put32(flash, 0x4E49424E);
    unit_put32(flash + 4, SAMPLE_FLAGS);
    for (unsigned i = 0; i < 11; i++)
        unit_put32(flash + 52 + 4 * i, 0x20000065);
    unit_put32(flash + 96, 0x80000000 + SAMPLE_CTX);
    for (unsigned i = 0x64; i < 0x70; i++)
        flash[i] = (uint8_t)(0xC0 + i);
    unit_put32(flash + 0x70, SAMPLE_GOT + 8);  /* offset of the GOT word of entry */
    unit_put32(flash + 0x74, SAMPLE_GOT + 0);  /* of table */
    unit_put32(flash + 0x78, SAMPLE_GOT + 4);  /* of w */
    unit_put32(flash + 0x7C, 0xFFFFFFE8);      /* distance to entry */
    unit_put32(flash + 0x80, SAMPLE_GOT + 12); /* of weak */
    memcpy(flash + 0x84, "tiny", 5);
}

static void fill_data(uint8_t *data) {
    static const uint32_t head[4] = {0x20000084, 0x40000008, 0xA0000010, 0x80000000};
    static const uint32_t got[4] = {0x80000000, 0x40000000, 0x20000065, 0};
    for (unsigned i = 0; i < 4; i++) {
        unit_put32(data + 4 * i, head[i]);
        unit_put32(data + SAMPLE_GOT + 4 * i, got[i]);
    }
    unit_put32(data + SAMPLE_CTX + 20, 0x20000084);
    unit_put32(data + SAMPLE_CTX + 24, SAMPLE_ACTS);
    unit_put32(data + SAMPLE_CTX + 28, SAMPLE_WEIGHTS);
}

static void make_sections(struct sample *s) {
    enum { RX = SHF_ALLOC | SHF_EXECINSTR, RW = SHF_ALLOC | SHF_WRITE };
    const struct rp_section sections[S_EXTRA] = {
        {.name = ""},
        {".flash", SHT_PROGBITS, RX, 0x20000000, SAMPLE_FLASH, 4, 0, 0, s->flash},
        {".data", SHT_PROGBITS, RW, 0x80000000, SAMPLE_DATA, 4, 0, 0, s->data},
        {".bss", SHT_NOBITS, RW, 0x80000000 + SAMPLE_DATA, SAMPLE_BSS, 4, 0, 0, NULL},
        {".weights", SHT_PROGBITS, SHF_ALLOC, 0x40000000, SAMPLE_WEIGHTS, 16, 0, 0, s->weights},
        {".acts", SHT_NOBITS, RW, 0xA0000000, SAMPLE_ACTS, 8, 0, 0, NULL},
        {".debug_info", SHT_PROGBITS, 0, 0, 8, 1, 0, 0, s->weights},
    };
    memcpy(s->sections, sections, sizeof sections);
}

static void make_symbols(struct sample *s) {
    const struct rp_symbol symbols[Y_EXTRA] = {
        {.name = ""},
        {"_rp_data_end", 0x80000000 + SAMPLE_GOT, 0, STT_NOTYPE, STB_GLOBAL, S_RAM},
        {"_rp_got_start", 0x80000000 + SAMPLE_GOT, 0, STT_NOTYPE, STB_GLOBAL, S_RAM},
        {"_rp_got_end", 0x80000000 + SAMPLE_DATA, 0, STT_NOTYPE, STB_GLOBAL, S_RAM},
        {"_rp_fixups", 0x20000000 + SAMPLE_FLASH - 4, 4, STT_OBJECT, STB_GLOBAL, S_FLASH},
        {"entry", 0x20000065, 32, STT_FUNC, STB_GLOBAL, S_FLASH},
        {"name", 0x20000084, 5, STT_OBJECT, STB_LOCAL, S_FLASH},
        {"table", 0x80000000, 16, STT_OBJECT, STB_LOCAL, S_RAM},
        {"w", 0x40000000, SAMPLE_WEIGHTS, STT_OBJECT, STB_GLOBAL, S_WEIGHTS},
        {"a", 0xA0000000, SAMPLE_ACTS, STT_OBJECT, STB_GLOBAL, S_ACTS},
        {"weak", 0, 0, STT_NOTYPE, STB_WEAK, SHN_UNDEF},
        {"number", 1234, 0, STT_NOTYPE, STB_GLOBAL, RP_SECTION_ABS},
        {"buffer", 0x80000000 + SAMPLE_DATA, SAMPLE_BSS, STT_OBJECT, STB_LOCAL, S_BSS},
    };
    memcpy(s->symbols, symbols, sizeof symbols);
}

void sample_make(struct sample *s) {
    static const uint8_t zeros[SAMPLE_FLASH];
    *s = (struct sample){0};
    s->flash = unit_exact(zeros, SAMPLE_FLASH);
    s->data = unit_exact(zeros, SAMPLE_DATA);
    fill_flash(s->flash);
    fill_data(s->data);
    for (unsigned i = 0; i < SAMPLE_WEIGHTS; i++)
        s->weights[i] = (uint8_t)(i * 7 + 1);
    make_sections(s);
    make_symbols(s);
    s->elf = (struct rp_elf){.path = "image.elf",
                             .type = ET_EXEC,
                             .sections = s->sections,
                             .section_count = S_EXTRA,
                             .symbols = s->symbols,
                             .symbol_count = Y_EXTRA,
                             .relocs = s->relocs};
    sample_reloc(s, S_FLASH, 0x20000034, ABS32, Y_ENTRY); /* the entry vector: no matter */
    sample_reloc(s, S_FLASH, 0x20000060, ABS32, Y_TABLE);
    sample_reloc(s, S_FLASH, 0x20000068, THM_CALL, Y_ENTRY);
    sample_reloc(s, S_FLASH, 0x20000070, GOT_BREL, Y_ENTRY);
    sample_reloc(s, S_FLASH, 0x20000074, GOT_BREL, Y_TABLE);
    sample_reloc(s, S_FLASH, 0x20000078, GOT_BREL, Y_W);
    sample_reloc(s, S_FLASH, 0x2000007C, REL32, Y_ENTRY);
    sample_reloc(s, S_FLASH, 0x20000080, GOT_BREL, Y_WEAK);
    sample_reloc(s, S_RAM, 0x80000024, ABS32, Y_NAME); /* not in the order of places */
    sample_reloc(s, S_RAM, 0x8000000C, ABS32, Y_TABLE);
    sample_reloc(s, S_RAM, 0x80000008, ABS32, Y_A);
    sample_reloc(s, S_RAM, 0x80000004, ABS32, Y_W);
    sample_reloc(s, S_RAM, 0x80000000, ABS32, Y_NAME);
    sample_reloc(s, S_RAM, 0x80000044, ABS32, Y_WEAK);
    sample_reloc(s, S_DEBUG, 4, ABS32, Y_ENTRY);
}

void sample_free(struct sample *s) {
    free(s->flash);
    free(s->data);
}

struct rp_section *sample_section(struct sample *s, const char *name, uint32_t flags) {
    struct rp_section *section = &s->sections[s->elf.section_count++];
    *section = (struct rp_section){
        .name = name, .type = SHT_PROGBITS, .flags = flags, .size = 12, .contents = s->weights};
    return section;
}

uint32_t sample_symbol(struct sample *s, const char *name, unsigned section, uint32_t value) {
    s->symbols[s->elf.symbol_count] =
        (struct rp_symbol){name, value, 0, STT_NOTYPE, STB_GLOBAL, (uint16_t)section};
    return (uint32_t)s->elf.symbol_count++;
}

void sample_reloc(struct sample *s, unsigned section, uint32_t place, uint32_t type,
                  uint32_t symbol) {
    s->relocs[s->elf.reloc_count++] = (struct rp_reloc){place, type, symbol, section, 0};
}
