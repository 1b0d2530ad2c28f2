/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes single Thumb instructions: the part of the architecture that they belong to, what they do
 * to general registers, and where execution continues. Pure, by the table insn.def. In: bytes. Out:
 * a struct.
 */
#ifndef RP_ELFPACK_INSN_INSN_H
#define RP_ELFPACK_INSN_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "elfpack/insn/family.h"

enum rp_insn_kind {
    RP_INSN_OTHER,
    RP_INSN_MOV,          /* d = m */
    RP_INSN_CONSTANT,     /* d = imm: only the 16-bit MOV */
    RP_INSN_SHIFT_LEFT,   /* d = m << imm: only 16-bit */
    RP_INSN_NEGATE,       /* d = -m: only 16-bit */
    RP_INSN_ADD,          /* d = n + m */
    RP_INSN_ADD_CONSTANT, /* d = n + imm */
    RP_INSN_ADDRESS,      /* d = target */
    RP_INSN_LITERAL,      /* d = word at target */
    RP_INSN_NEAR,         /* reads at target, but not a word for one register */
    RP_INSN_LOAD,         /* d = word at n + imm; then n += step */
    RP_INSN_STORE,        /* the same, as a store */
    RP_INSN_LOAD_PAIR,    /* d, m = words at n + imm and the next; then n += step */
    RP_INSN_STORE_PAIR,   /* the same, as a store */
    RP_INSN_LOAD_LIST,    /* registers in `writes` = words from n + imm on; then n += step */
    RP_INSN_STORE_LIST,   /* the same for `reads`, which has n only if it is in the list */
    RP_INSN_INDEXED,      /* loads (if it writes d) or stores at n + m */
    RP_INSN_LOAD_PART,    /* d = byte or half-word at n + imm; then n += step */
    RP_INSN_STORE_PART,   /* writes m bytes at n + imm, not a whole register; then n += step */
    RP_INSN_FP_LIST,      /* n += step; no other general register is involved */
    RP_INSN_MOVW,         /* d = imm, or the lower half of an address */
    RP_INSN_MOVT,         /* the upper half of d = imm, or of an address */
    RP_INSN_IT            /* the next 1 to 4 are conditional: rp_insn_it_then */
};

enum rp_insn_flow {
    RP_FLOW_NEXT,
    RP_FLOW_BRANCH,    /* to target */
    RP_FLOW_BRANCH_IF, /* to target or the next */
    RP_FLOW_CALL,      /* of target */
    RP_FLOW_CALL_REG,  /* of the address in m */
    RP_FLOW_JUMP,      /* to an address in a register or in memory, as returns do */
    RP_FLOW_TABLE,     /* TBB, TBH */
    RP_FLOW_STOP       /* UDF */
};

struct rp_insn {
    uint8_t size;   /* 2 or 4 bytes; 0: cut off */
    uint8_t family; /* enum rp_family */
    uint8_t kind;   /* enum rp_insn_kind */
    uint8_t flow;   /* enum rp_insn_flow */
    uint8_t d, n, m;
    uint16_t reads, writes; /* general registers, as bits; sp and pc only if operands */
    int32_t imm, step;
    uint32_t target;
    uint32_t code; /* of two half-words, the first is in bits 31..16 */
};

/*
 * Decodes the instruction at `at`, of which up to `left` bytes can be read; address: its run-time
 * address. Undefined encodings have RP_FAMILY_NONE.
 */
struct rp_insn rp_insn_read(const uint8_t *at, uint32_t left, uint32_t address);
/* Is it a NOP, NOP.W or MOV r8, r8, with which assemblers fill? */
bool rp_insn_is_filling(const struct rp_insn *insn);
/*
 * Of an IT: the number of instructions it covers, and whether the index-th runs if the condition
 * holds.
 */
unsigned rp_insn_it_count(const struct rp_insn *it);
bool rp_insn_it_then(const struct rp_insn *it, unsigned index);

#endif
