/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of elfpack/insn, code, regs, r9 and r9_flow: any bytes as code, with any symbols, map
 * and relocations, are read within their bounds. The input is a core, then rows of 6 bytes until
 * one of kind 0, then the code.
 */
#include "tests/fuzz/fuzz.h"

#include <elf.h>

#include "elfpack/check/r9.h"
#include "runtime/format/reloc_format.h"

enum { BASE = RELOC_SEG_FLASH, ROWS = 64, ROW_BYTES = 6, FLASH_LEAST = 100, DATA_BYTES = 64 };
enum { ROW_END, ROW_SYMBOL, ROW_PART, ROW_RELOC, ROW_WORD, ROW_FIXUP, ROW_GOT, ROW_KINDS };

/* The contents of the rows. */
struct input {
    struct rp_section sections[3];
    struct rp_symbol symbols[ROWS + 1];
    struct rp_contribution parts[ROWS];
    struct rp_reloc relocs[ROWS];
    uint32_t words[ROWS];
    struct rp_fixup fixups[ROWS];
    struct rp_elf elf;
    struct rp_linkmap map;
    struct rp_layout layout;
    uint8_t data[DATA_BYTES];
};

static void add_symbol(struct input *in, const uint8_t *row, uint32_t address) {
    static const char *const names[] = {"$t", "$d", "$a", "$t.x", "f", "g", "", "$x"};
    static const uint32_t sections[] = {1, 2, SHN_UNDEF, RP_SECTION_ABS};
    in->symbols[in->elf.symbol_count++] = (struct rp_symbol){.name = names[row[3] & 7],
                                                             .value = address,
                                                             .size = row[4],
                                                             .type = row[3] >> 3 & 3,
                                                             .bind = row[3] >> 5 & 1,
                                                             .section = sections[row[5] & 3]};
}

/* The map is sorted by address. */
static void add_part(struct input *in, const uint8_t *row, uint32_t address) {
    static const char *const names[] = {".text", ".text.f", ".rodata", ".glue_7"};
    size_t at = in->map.count++;
    for (; at != 0 && in->parts[at - 1].addr > address; at--)
        in->parts[at] = in->parts[at - 1];
    in->parts[at] =
        (struct rp_contribution){names[row[5] & 3], address, row[3] | (uint32_t)row[4] << 8, "a.o",
                                 (row[5] & 4) != 0 ? "m.o" : NULL};
}

/* The guarantees of a layout: words to rebase are in the data, a relocation's symbol exists. */
static void add_row(struct input *in, const uint8_t *row) {
    uint32_t offset = row[1] | (uint32_t)row[2] << 8, more = row[3] | (uint32_t)row[4] << 8;
    switch (row[0] % ROW_KINDS) {
    case ROW_SYMBOL:
        add_symbol(in, row, BASE + offset);
        break;
    case ROW_PART:
        add_part(in, row, BASE + offset);
        break;
    case ROW_RELOC:
        in->relocs[in->elf.reloc_count++] = (struct rp_reloc){
            .place = BASE + offset, .type = row[3], .symbol = row[4], .section = 1 + (row[5] & 1)};
        break;
    case ROW_WORD:
        in->words[in->layout.words.rel.count++] = RELOC_SEG_RAM + offset % (DATA_BYTES - 3);
        break;
    case ROW_FIXUP:
        in->fixups[in->layout.words.fixups.count++] =
            (struct rp_fixup){RELOC_SEG_RAM + offset, BASE + more};
        break;
    case ROW_GOT:
        in->layout.parts.bounds.got_start = offset % DATA_BYTES & ~3u;
        in->layout.parts.bounds.got_end =
            in->layout.parts.bounds.got_start +
            (more % (DATA_BYTES - in->layout.parts.bounds.got_start) & ~3u);
        break;
    default:
        break;
    }
}

static const uint8_t *read_rows(struct input *in, const uint8_t *at, const uint8_t *end) {
    in->elf = (struct rp_elf){.path = "image.elf", .type = ET_EXEC, .section_count = 3};
    in->elf.symbol_count = 1;
    in->symbols[0].name = in->sections[0].name = "";
    for (size_t i = 0; i < ROWS && end - at >= ROW_BYTES; i++, at += ROW_BYTES) {
        if (at[0] % ROW_KINDS == ROW_END)
            return at + 1;
        add_row(in, at);
    }
    return at;
}

static void finish(struct input *in, uint8_t *flash, uint32_t size) {
    in->sections[1] = (struct rp_section){
        ".flash", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, BASE, size, 4, 0, 0, flash};
    in->sections[2] = (struct rp_section){
        ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, RELOC_SEG_RAM, DATA_BYTES, 4, 0, 0, in->data};
    in->elf.sections = in->sections;
    in->elf.symbols = in->symbols;
    in->elf.relocs = in->relocs;
    for (size_t i = 0; i < in->elf.reloc_count; i++)
        in->relocs[i].symbol %= (uint32_t)in->elf.symbol_count;
    in->map.items = in->parts;
    in->layout.parts.elf = &in->elf;
    in->layout.parts.flash = &in->sections[1];
    in->layout.parts.data = &in->sections[2];
    in->layout.words.rel.items = in->words;
    in->layout.words.fixups.items = in->fixups;
    for (uint32_t i = 0; i < DATA_BYTES; i += 4) { /* addresses of functions in the code */
        uint32_t word = BASE + flash[i] * 2u + 1;
        memcpy(in->data + i, &word, sizeof word);
    }
}

/* Every encoding is within its bytes, and means the same wherever it is read from. */
static void require_insns(const uint8_t *flash, uint32_t size) {
    for (uint32_t at = 0; at + 2 <= size; at += 2) {
        struct rp_insn insn = rp_insn_read(flash + at, size - at, BASE + at);
        uint8_t copy[4] = {0};
        require(insn.size == 0 || insn.size == 2 || insn.size == 4);
        require(insn.size <= size - at && insn.family < RP_FAMILY_COUNT);
        require(insn.d < 16 && insn.n < 16);
        require(insn.m < 16 || insn.kind == RP_INSN_STORE_PART); /* of bytes */
        require(insn.size != 0 || insn.family == RP_FAMILY_NONE);
        if (insn.kind == RP_INSN_IT)
            require(rp_insn_it_count(&insn) >= 1 && rp_insn_it_count(&insn) <= 4);
        memcpy(copy, flash + at, insn.size);
        struct rp_insn again = rp_insn_read(copy, insn.size, BASE + at);
        require(insn.size == 0 || (again.family == insn.family && again.writes == insn.writes &&
                                   again.flow == insn.flow && again.target == insn.target));
    }
}

/* What is marked is an instruction that the core has, or a stranger. */
static void require_code(const struct rp_code *code, uint32_t families) {
    size_t strange = 0;
    for (uint32_t at = BASE; at < BASE + code->flash->size; at += 2) {
        struct rp_insn insn = rp_code_insn(code, at);
        require(((rp_code_mark(code, at) & RP_CODE_START) != 0) || insn.size == 0);
        strange += insn.size != 0 && (families >> insn.family & 1) == 0;
    }
    require(code->stranger_count != 0 || strange == 0);
    for (size_t i = 0; i < code->strangers.count; i++)
        require(i == 0 || code->strangers.items[i - 1].address <= code->strangers.items[i].address);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct {
        uint32_t cpuid;
        bool fpu, double_precision;
    } cores[] = {{RELOC_CPUID_M3, false, false},
                 {RELOC_CPUID_M4, true, false},
                 {RELOC_CPUID_M33, true, false},
                 {RELOC_CPUID_M55, true, true}};
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    static struct input in;
    if (size == 0)
        return 0;
    in = (struct input){0};
    const uint8_t *at = read_rows(&in, data + 1, data + size);
    uint32_t bytes = (uint32_t)(data + size - at), room = bytes < FLASH_LEAST ? FLASH_LEAST : bytes;
    uint8_t *flash = calloc(room, 1); /* its end is the end */
    require(flash != NULL);
    memcpy(flash, at, bytes);
    finish(&in, flash, room);
    require_insns(flash, room);
    struct rp_code code = {.elf = &in.elf, .flash = &in.sections[1], .map = &in.map};
    const struct rp_code_words words = {.core = "the core", .hint = "none"};
    uint32_t families =
        rp_core_families(rp_core_of_part(cores[data[0] & 3].cpuid), cores[data[0] & 3].fpu,
                         cores[data[0] & 3].double_precision);
    rp_code_read(&code, &arena, families);
    require_code(&code, families);
    require_error(rp_code_check(&code, &arena, &words, &err), &err);
    require((err.id == 0) == (code.stranger_count == 0));
    struct rp_r9_found found;
    err = (struct rp_error){0}; /* r9 is only followed without strangers, but may be with them */
    require_error(rp_r9_check(&in.layout, &arena, &code, &found, &err), &err);
    require((err.id == 0) == (found.wrong.count == 0));
    free(flash);
    rp_arena_release(&arena);
    return 0;
}
