/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes single Thumb instructions: which part of the architecture they belong to, what they do to
 * general registers, where control goes next. Pure, over the table insn.def. In: bytes. Out: a
 * struct.
 */
#ifndef RP_ELFPACK_INSN_INSN_H
#define RP_ELFPACK_INSN_INSN_H

#include <stdbool.h>
#include <stdint.h>

#include "elfpack/insn/family.h"

enum rp_insn_kind {
    RP_INSN_OTHER,
    RP_INSN_MOV,          /* d = m */
    RP_INSN_CONSTANT,     /* d = imm: only MOV of 16 bits */
    RP_INSN_SHIFT_LEFT,   /* d = m << imm: likewise */
    RP_INSN_NEGATE,       /* d = -m: likewise */
    RP_INSN_ADD,          /* d = n + m */
    RP_INSN_ADD_CONSTANT, /* d = n + imm */
    RP_INSN_ADDRESS,      /* d = target */
    RP_INSN_LITERAL,      /* d = word at target */
    RP_INSN_NEAR,         /* reads at target, but not a word for one register */
    RP_INSN_LOAD,         /* d = word at n + imm; then n += step */
    RP_INSN_STORE,        /* likewise */
    RP_INSN_LOAD_PAIR,    /* d and m = words at n + imm, the next; then n += step */
    RP_INSN_STORE_PAIR,   /* likewise */
    RP_INSN_LOAD_LIST,    /* writes, in order, = words at n + imm …; then n += step */
    RP_INSN_STORE_LIST,   /* reads likewise; n is in `reads` only if it is in the list */
    RP_INSN_INDEXED,      /* loads or stores at n + m; writes says which */
    RP_INSN_LOAD_PART,    /* d = byte or half-word at n + imm; then n += step */
    RP_INSN_STORE_PART, /* writes m bytes at n + imm, of no word that is followed; then n += step */
    RP_INSN_FP_LIST,    /* n += step, nothing else in general registers */
    RP_INSN_MOVW,       /* d = imm, or the lower half of an address */
    RP_INSN_MOVT,       /* the upper half of d = imm, or of an address */
    RP_INSN_IT          /* the next 1 to 4 are conditional: imm has their signs, see below */
};

enum rp_insn_flow {
    RP_FLOW_NEXT,
    RP_FLOW_BRANCH,    /* to target */
    RP_FLOW_BRANCH_IF, /* to target or the next */
    RP_FLOW_CALL,      /* of target */
    RP_FLOW_CALL_REG,  /* of what m holds */
    RP_FLOW_JUMP,      /* to an address in a register or in memory: returns do that */
    RP_FLOW_TABLE,     /* TBB, TBH */
    RP_FLOW_STOP       /* UDF */
};

struct rp_insn {
    uint8_t size;   /* 2 or 4 bytes; 0: cut off */
    uint8_t family; /* enum rp_family */
    uint8_t kind;   /* enum rp_insn_kind */
    uint8_t flow;   /* enum rp_insn_flow */
    uint8_t d, n, m;
    uint16_t reads, writes; /* general registers, bit by number; sp and pc only where named */
    int32_t imm, step;
    uint32_t target;
    uint32_t code; /* the first half-word in bits 31..16 when there are two */
};

/*
 * Decodes the instruction at `at`, where `left` bytes are there; address: where it will be.
 * Undefined encodings have RP_FAMILY_NONE.
 */
struct rp_insn rp_insn_read(const uint8_t *at, uint32_t left, uint32_t address);
/* Does nothing: NOP, NOP.W, or MOV r8, r8. Assemblers fill with these. */
bool rp_insn_is_filling(const struct rp_insn *insn);
/*
 * Of an IT: how many instructions it covers, and whether the index-th runs when the condition holds
 * (else when it does not).
 */
unsigned rp_insn_it_count(const struct rp_insn *it);
bool rp_insn_it_then(const struct rp_insn *it, unsigned index);

#endif
