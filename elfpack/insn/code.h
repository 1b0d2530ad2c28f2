/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the instructions of a linked image, and those that the core lacks. Mapping symbols tell
 * code from data (ELF for the Arm Architecture, 5.5.5). In addition, the code is followed: whatever
 * a branch leads to, or execution runs into, is an instruction, even if the symbols disagree. In:
 * the linked ELF file and its map. Out: one mark for each half-word.
 */
#ifndef RP_ELFPACK_INSN_CODE_H
#define RP_ELFPACK_INSN_CODE_H

#include "base/arena.h"
#include "base/error.h"
#include "elfpack/elf/elf.h"
#include "elfpack/insn/insn.h"
#include "elfpack/elf/linkmap.h"
#include "elfpack/elf/sorted.h"

enum {
    RP_CODE_START = 1,   /* an instruction begins here */
    RP_CODE_TARGET = 2,  /* a branch leads here, or a function begins */
    RP_CODE_LITERAL = 4, /* an instruction reads it as data */
    RP_CODE_MAYBE = 8,   /* conditional: in an IT block */
    RP_CODE_R9 = 16,     /* the instruction reads or writes r9 */
    RP_CODE_FLOW = 32,   /* execution may continue somewhere other than at the next instruction */
    RP_CODE_VALUE = 64,  /* it loads a literal, a 16-bit constant or a nearby address */
    RP_CODE_APART = 128  /* the code before it does not run into it */
};

/* An instruction that the core lacks, or that leads out of the image. */
struct rp_stranger {
    uint32_t address;
    struct rp_insn insn;
    bool unmarked; /* there are no mapping symbols: it may be data */
};

/*
 * A function of libgcc that jumps by means of the table after its call (lib1funcs.S,
 * __gnu_thumb1_case_*). Compilers use it on cores without TBB.
 */
struct rp_code_case {
    uint32_t address;
    uint8_t width; /* bytes of an entry */
    bool is_signed;
};

struct rp_code {
    const struct rp_elf *elf;
    const struct rp_section *flash;
    const struct rp_linkmap *map;
    uint8_t *marks; /* one for each half-word of flash */
    struct {
        struct rp_code_case *items;
        size_t count;
        size_t capacity;
    } cases;
    const struct rp_symbol **sized; /* functions with a size, sorted by address */
    size_t sized_count;
    struct {
        struct rp_stranger *items;
        size_t count;
        size_t capacity;
    } strangers; /* the first 100 found, sorted by address */
    size_t stranger_count;
    struct rp_words open_ends; /* ends of input sections that execution runs off */
};

/*
 * Fills the rest of code; elf, flash and map must be set. families: those of the core
 * (rp_core_families).
 */
void rp_code_read(struct rp_code *code, struct rp_arena *arena, uint32_t families);
/* The mark at an address; 0 outside the code. */
uint8_t rp_code_mark(const struct rp_code *code, uint32_t address);
/*
 * Bytes of all instructions, except filling before a function or a table, which is never executed.
 */
uint32_t rp_code_bytes(const struct rp_code *code);
/* Marks an address RP_CODE_APART. */
void rp_code_set_apart(struct rp_code *code, uint32_t address);
/*
 * The instruction that begins at the address; size 0: none does. A BL that is really a jump is
 * shown as one: RP_FLOW_BRANCH inside a function, where compilers use BL if B does not reach, and
 * RP_FLOW_TABLE for a jump by means of a table.
 */
struct rp_insn rp_code_insn(const struct rp_code *code, uint32_t address);

/* The table of a jump, RP_FLOW_TABLE. */
struct rp_code_table {
    uint32_t start;
    uint32_t width; /* bytes of an entry; 0: the table is elsewhere */
    bool is_signed;
};
/* The table of the jump insn at an address. */
struct rp_code_table rp_code_table(const struct rp_code *code, const struct rp_insn *insn,
                                   uint32_t address);
/* The target of the entry at an address, which is inside flash. */
uint32_t rp_code_entry(const struct rp_code *code, const struct rp_code_table *table,
                       uint32_t entry);
/* The label at or before an address, in the same input section; or "". */
const char *rp_code_label(const struct rp_code *code, uint32_t address);
/* "f (object.o)" */
char *rp_code_function(const struct rp_code *code, struct rp_arena *arena, uint32_t address);
/* "f + 0x12 (object.o)" */
char *rp_code_place(const struct rp_code *code, struct rp_arena *arena, uint32_t address);
/* Texts for the error: about the target and the instructions that it lacks. */
struct rp_code_words {
    struct rp_strings
        texts;        /* the strangers, disassembled, by index; "" or missing: shown as codes */
    const char *core; /* its name, and what it has */
    const char *hint; /* what to do */
};
/* RP_E_INSTRUCTION, with a line for each of the first strangers, if there are any. */
bool rp_code_check(const struct rp_code *code, struct rp_arena *arena,
                   const struct rp_code_words *words, struct rp_error *err);

#endif
