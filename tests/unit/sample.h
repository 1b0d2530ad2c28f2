/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small linked file as struct rp_elf, built in memory: every part, GOT, fix-ups, REL, a weak
 * undefined symbol, debug information. Tests change what they want refused.
 */
#ifndef RP_TESTS_UNIT_SAMPLE_H
#define RP_TESTS_UNIT_SAMPLE_H

#include "elfpack/elf/elf.h"

enum {
    SAMPLE_FLASH = 0x90, /* bytes of .flash: header, text at 0x64, name at 0x84, table at 0x8C */
    SAMPLE_DATA = 0x58,  /* bytes of .data: 18 words, then 4 GOT words */
    SAMPLE_CTX = 0x10,   /* RAM offsets */
    SAMPLE_GOT = 0x48,
    SAMPLE_BSS = 0x1A, /* bytes: bss_end is 0x72, not a multiple of 4 */
    SAMPLE_WEIGHTS = 40,
    SAMPLE_ACTS = 64,
    SAMPLE_FLAGS = 0x20085C24
};

enum { S_NULL, S_FLASH, S_RAM, S_BSS, S_WEIGHTS, S_ACTS, S_DEBUG, S_EXTRA, S_COUNT };
enum {
    Y_NULL,
    Y_DATA_END,
    Y_GOT_START,
    Y_GOT_END,
    Y_FIXUPS,
    Y_ENTRY,  /* function at FLASH 0x64, 32 bytes */
    Y_NAME,   /* FLASH 0x84 */
    Y_TABLE,  /* RAM 0 */
    Y_W,      /* WEIGHTS 0 */
    Y_A,      /* ACTS 0 */
    Y_WEAK,   /* undefined */
    Y_NUMBER, /* SHN_ABS */
    Y_BUFFER, /* in .bss */
    Y_EXTRA,
    Y_COUNT = Y_EXTRA + 3
};
enum { SAMPLE_RELOCS = 15 }; /* used; there is room for 8 more */

struct sample {
    struct rp_elf elf;
    struct rp_section sections[S_COUNT + 1];
    struct rp_symbol symbols[Y_COUNT];
    struct rp_reloc relocs[SAMPLE_RELOCS + 8];
    uint8_t *flash; /* exact, so that ASan sees a read too far */
    uint8_t *data;
    uint8_t weights[SAMPLE_WEIGHTS];
};

void sample_make(struct sample *sample);
void sample_free(struct sample *sample);
/* Adds a section (in place of S_EXTRA), symbol or relocation; for symbols, returns the index. */
struct rp_section *sample_section(struct sample *sample, const char *name, uint32_t flags);
uint32_t sample_symbol(struct sample *sample, const char *name, unsigned section, uint32_t value);
void sample_reloc(struct sample *sample, unsigned section, uint32_t place, uint32_t type,
                  uint32_t symbol);

#endif
