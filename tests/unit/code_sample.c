/* SPDX-License-Identifier: Apache-2.0 */
/* Linked code for tests: see code_sample.h. */
#include "tests/unit/code_sample.h"

#include <elf.h>

void code_make(struct code_sample *s) {
    *s = (struct code_sample){.elf = {.path = "image.elf", .type = ET_EXEC, .section_count = 3}};
    s->sections[1] = (struct rp_section){
        ".flash", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, CODE_BASE, 0, 4, 0, 0, NULL};
    s->sections[2] = (struct rp_section){
        ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, RELOC_SEG_RAM, sizeof s->data, 4, 0,
        0,       s->data};
    s->elf.symbol_count = 1;
    s->symbols[0].name = s->sections[0].name = "";
}

uint32_t code_here(const struct code_sample *s) {
    return CODE_BASE + s->sections[1].size;
}

static void end_part(struct code_sample *s) {
    if (s->map.count != 0) {
        struct rp_contribution *last = &s->parts[s->map.count - 1];
        last->size = code_here(s) - last->addr;
    }
}

uint32_t code_part(struct code_sample *s, const char *name) {
    end_part(s);
    assert_true(s->map.count < CODE_PARTS);
    s->parts[s->map.count++] = (struct rp_contribution){".text", code_here(s), 0, name, NULL};
    return code_here(s);
}

struct rp_symbol *code_symbol(struct code_sample *s, const char *name, uint8_t type,
                              uint32_t address) {
    assert_true(s->elf.symbol_count < CODE_SYMBOLS);
    s->symbols[s->elf.symbol_count] =
        (struct rp_symbol){name, address, 0, type, STB_GLOBAL, 1 /* .flash */};
    return &s->symbols[s->elf.symbol_count++];
}

uint32_t code_function(struct code_sample *s, const char *name) {
    uint32_t address = code_part(s, name);
    code_symbol(s, name, STT_FUNC, address | 1);
    code_symbol(s, "$t", STT_NOTYPE, address)->bind = STB_LOCAL;
    return address;
}

static void put_half(struct code_sample *s, uint32_t half) {
    assert_true(s->sections[1].size + 2 <= CODE_BYTES);
    s->flash[s->sections[1].size++] = (uint8_t)half;
    s->flash[s->sections[1].size++] = (uint8_t)(half >> 8);
}

void code_put(struct code_sample *s, const uint32_t *codes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (codes[i] > 0xFFFF)
            put_half(s, codes[i] >> 16);
        put_half(s, codes[i]);
    }
}

void code_word(struct code_sample *s, uint32_t word) {
    put_half(s, word);
    put_half(s, word >> 16);
}

/* Encodings T1 of BL and T4 of B.W, near by: J1 and J2 are 1. */
static void put_branch(struct code_sample *s, uint32_t target, uint32_t second) {
    uint32_t offset = target - (code_here(s) + 4);
    put_half(s, 0xF000 | (offset >> 21 & 0x400) | (offset >> 12 & 0x3FF));
    put_half(s, second | (offset >> 1 & 0x7FF));
}

void code_call(struct code_sample *s, uint32_t target) {
    put_branch(s, target, 0xF800);
}

void code_jump(struct code_sample *s, uint32_t target) {
    put_branch(s, target, 0xB800);
}

void code_reloc(struct code_sample *s, uint32_t place, uint32_t type, uint32_t symbol) {
    assert_true(s->elf.reloc_count < COUNT(s->relocs));
    s->relocs[s->elf.reloc_count++] =
        (struct rp_reloc){.place = place, .type = type, .symbol = symbol, .section = 1};
}

void code_read(struct code_sample *s, struct unit *u, uint32_t families) {
    end_part(s);
    s->exact = unit_exact(s->flash, s->sections[1].size);
    s->sections[1].contents = s->exact;
    s->elf.sections = s->sections;
    s->elf.symbols = s->symbols;
    s->elf.relocs = s->relocs;
    s->map.items = s->parts;
    s->layout = (struct rp_layout){
        .parts = {.elf = &s->elf, .flash = &s->sections[1], .data = &s->sections[2]}};
    s->code = (struct rp_code){.elf = &s->elf, .flash = &s->sections[1], .map = &s->map};
    rp_code_read(&s->code, &u->arena, families);
}

void code_free(struct code_sample *s) {
    free(s->exact);
}
