/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known about the general registers at a point of a function, as far as r9 is concerned:
 * which of them hold the value that r9 or lr had on entry or a distance from r9, where the stack
 * pointer is, and which words of the stack hold such values. Pure; instructions from insn.h.
 *
 * That a register is r9 of the entry has to hold on all ways (a must-property): where two ways
 * meet, both have to know it. A distance is an obligation, to be added to that r9 alone, which one
 * way is enough for (a may-property): joined with anything, it stays a distance.
 */
#ifndef RP_ELFPACK_INSN_REGS_H
#define RP_ELFPACK_INSN_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "elfpack/insn/insn.h"

enum { RP_REG_BASE = 9, RP_REG_SP = 13, RP_REG_LINK = 14, RP_REG_PC = 15, RP_REGS_SLOTS = 24 };

/* In the order in which they are kept when there are too many. */
enum rp_value_kind {
    RP_VALUE_ANY,      /* not known; of r9, n is the address of the instruction that wrote it */
    RP_VALUE_BASE,     /* what r9 was on entry */
    RP_VALUE_LINK,     /* what lr was on entry: where the function returns to */
    RP_VALUE_DISTANCE, /* of a GOT word or a variable from r9; n: of the literal or MOVW, or 0 */
    RP_VALUE_STACK,    /* the stack pointer on entry + n */
    RP_VALUE_CONSTANT, /* n, which Armv6-M adds to the stack pointer for large frames */
    RP_VALUE_NEAR_SP,  /* computed from a stack pointer, perhaps; of r9 as RP_VALUE_ANY */
    RP_VALUE_LOADED,   /* a word of memory that is not on the stack, as it is */
    RP_VALUE_RETURNED /* of lr alone: the last call has left it there, and nothing wrote it since */
};

struct rp_value {
    uint32_t n;
    uint8_t kind;
};

struct rp_regs {
    struct rp_value reg[16]; /* pc: what the last instruction loaded into it */
    struct {
        uint32_t at; /* as of RP_VALUE_STACK */
        struct rp_value value;
    } slots[RP_REGS_SLOTS];
    uint32_t slot_count;
    bool full; /* a distance had no room: any other word of the stack may be one */
};

/* What an instruction did with these values. */
struct rp_regs_use {
    bool base;        /* read r9's value on entry other than to keep it */
    bool good;        /* put a distance and r9's value on entry together */
    bool bad;         /* put a distance and something else together, or took it for an address */
    bool lost;        /* did something with a distance that is not followed */
    uint32_t literal; /* of good, bad, lost: the distance's n */
    uint8_t other;    /* of bad: the register that it was put together with */
};

void rp_regs_enter(struct rp_regs *regs);
/* A call has returned. */
void rp_regs_call(struct rp_regs *regs);
/*
 * Keeps what both know, the distances of either, and what may lead to the stack in either. Returns
 * whether into has changed.
 */
bool rp_regs_join(struct rp_regs *into, const struct rp_regs *from);
/* at: address of the instruction; distance: it loads one (by its relocation). */
struct rp_regs_use rp_regs_apply(struct rp_regs *regs, const struct rp_insn *insn, uint32_t at,
                                 bool distance);

#endif
