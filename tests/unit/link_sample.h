/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A link as its validation sees it: one object, the linker's map and the linked file, byte by byte.
 * It has a header with an entry vector, a call, a GOT word, a distance, pointers to code, variables
 * and weights, both halves of an address in code, merged strings and a discarded section. Tests
 * spoil what they want refused.
 */
#ifndef RP_TESTS_UNIT_LINK_SAMPLE_H
#define RP_TESTS_UNIT_LINK_SAMPLE_H

#include "elfpack/check/validate.h"
#include "tests/unit/elf_builder.h"
#include "tests/unit/unit.h"

enum {
    LINK_ENTRIES = 0x34, /* offsets in .flash */
    LINK_GO = 0x70,
    LINK_F = 0x80,
    LINK_STRINGS = 0x84,
    LINK_ABS = 0x90,
    LINK_FIXUPS = 0x98,
    LINK_FLASH = 0x9C,
    LINK_GOT = 8, /* offsets in .data: two words, the second is of nothing */
    LINK_CTX = 0x10,
    LINK_TO_W = 0x18,
    LINK_DATA = 0x1C,
    LINK_BSS = 8,
    LINK_WEIGHTS = 8
};

/* Sections and symbols of the object. The first relocations are four in go, then two in p. */
enum {
    LS_GO = 1,
    LS_F,
    LS_P,
    LS_V,
    LS_STRINGS,
    LS_GONE,
    LS_ENTRIES,
    LS_ABS,
    LS_FIXUPS,
    LS_CTX,
    LS_TO_W,
    LS_W
};
enum { LY_F = 1, LY_V, LY_GO, LY_TEXT, LY_GONE, LY_CTX, LY_W, LY_FIXUPS };
enum { LR_GO_CALL, LR_GO_GOT, LR_GO_TEXT, LR_P_F, LR_P_V, LR_TO_W, LR_MOVW, LR_MOVT, LR_ENTRIES };

struct link_sample {
    struct elf_builder object, elf;
    uint8_t go[16], f[4], p[8], strings[18], gone[4], abs[8], weights[LINK_WEIGHTS];
    uint8_t flash[LINK_FLASH], data[LINK_DATA];
    const char *map;
    bool own; /* the object is of the entry glue */
    struct rp_elf linked;
    struct rp_link link;
};

void link_sample_make(struct link_sample *sample);
/*
 * Writes the files and checks the link; undefined symbols are RP_E_UNDEFINED. Close it in any case.
 */
bool link_sample_check(struct link_sample *sample, struct unit *unit);
void link_sample_close(struct link_sample *sample);

#endif
