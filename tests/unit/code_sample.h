/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linked code, written instruction by instruction: functions, each in an input section of its own
 * as compilers make them, with mapping symbols, relocations and a map.
 */
#ifndef RP_TESTS_UNIT_CODE_SAMPLE_H
#define RP_TESTS_UNIT_CODE_SAMPLE_H

#include "elfpack/insn/code.h"
#include "elfpack/image/layout.h"
#include "tests/unit/unit.h"

enum { CODE_BASE = 0x20000000, CODE_BYTES = 1024, CODE_PARTS = 16, CODE_SYMBOLS = 64 };

struct code_sample {
    struct rp_elf elf;
    struct rp_section sections[3];
    struct rp_symbol symbols[CODE_SYMBOLS];
    struct rp_reloc relocs[16];
    struct rp_contribution parts[CODE_PARTS];
    struct rp_linkmap map;
    uint8_t flash[CODE_BYTES], data[16];
    uint8_t *exact; /* the bytes of flash, so that ASan sees a read too far */
    struct rp_layout layout;
    struct rp_code code;
};

void code_make(struct code_sample *sample);
/* Begins an input section ".text.NAME" of NAME.o; returns the address. */
uint32_t code_part(struct code_sample *sample, const char *name);
/* The same, with a global function of that name and the mapping symbol $t. */
uint32_t code_function(struct code_sample *sample, const char *name);
/* Symbols at this place, or at an address. */
struct rp_symbol *code_symbol(struct code_sample *sample, const char *name, uint8_t type,
                              uint32_t address);
uint32_t code_here(const struct code_sample *sample);
/* Instructions as the assembler lists them; those above 0xFFFF have two half-words. */
#define CODE(sample, ...)                                                                          \
    code_put((sample), (const uint32_t[]){__VA_ARGS__},                                            \
             sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
void code_put(struct code_sample *sample, const uint32_t *codes, size_t count);
void code_word(struct code_sample *sample, uint32_t word);
/* BL and B.W. */
void code_call(struct code_sample *sample, uint32_t target);
void code_jump(struct code_sample *sample, uint32_t target);
/* A relocation of a word or instruction in the code, of the symbol with that index. */
void code_reloc(struct code_sample *sample, uint32_t place, uint32_t type, uint32_t symbol);
/* Reads the code, with the families of a core. Then code_free. */
void code_read(struct code_sample *sample, struct unit *unit, uint32_t families);
void code_free(struct code_sample *sample);

#endif
