/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known about the general registers at a point of a function, as far as it concerns r9:
 * which of them hold a distance from r9, or the value that r9 or lr had on entry; where the stack
 * pointer is; and which words of the stack hold such values. Pure; instructions from insn.h.
 *
 * That a register holds the r9 of the entry is a must-property: where two paths join, both have to
 * know it. That it holds a distance, which may only be added to that r9, is a may-property: joined
 * with anything else, it stays a distance.
 */
#ifndef RP_ELFPACK_INSN_REGS_H
#define RP_ELFPACK_INSN_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "elfpack/insn/insn.h"

enum { RP_REG_BASE = 9, RP_REG_SP = 13, RP_REG_LINK = 14, RP_REG_PC = 15, RP_REGS_SLOTS = 24 };

/* In the order of importance, if there are too many to keep. */
enum rp_value_kind {
    RP_VALUE_ANY,      /* unknown; in r9, n is the address of the instruction that wrote it */
    RP_VALUE_BASE,     /* what r9 was on entry */
    RP_VALUE_LINK,     /* what lr was on entry: the return address */
    RP_VALUE_DISTANCE, /* from r9 to a GOT word or variable; n: address of the literal or MOVW, or 0
                        */
    RP_VALUE_STACK,    /* the stack pointer on entry + n */
    RP_VALUE_CONSTANT, /* n, which Armv6-M adds to the stack pointer for large frames */
    RP_VALUE_NEAR_SP,  /* unknown, perhaps computed from sp; in r9, n as for RP_VALUE_ANY */
    RP_VALUE_LOADED,   /* an unchanged word of memory that is not on the stack */
    RP_VALUE_RETURNED  /* in lr: what the last call has left there */
};

struct rp_value {
    uint32_t n;
    uint8_t kind;
};

struct rp_regs {
    struct rp_value reg[16]; /* for pc: what the last instruction loaded into it */
    struct {
        uint32_t at; /* as n of RP_VALUE_STACK */
        struct rp_value value;
    } slots[RP_REGS_SLOTS];
    uint32_t slot_count;
    bool full; /* a distance had no room: any other word of the stack may be one */
};

/* What an instruction did with these values. */
struct rp_regs_use {
    bool base;        /* used r9's value on entry, and did not only save it */
    bool good;        /* added a distance to r9's value on entry */
    bool bad;         /* added a distance to something else, or used it as an address */
    bool lost;        /* used a distance in a way that is not followed */
    uint32_t literal; /* with good, bad, lost: n of the distance */
    uint8_t other;    /* with bad: the register that it was added to */
};

/* The state at the entry of a function. */
void rp_regs_enter(struct rp_regs *regs);
/* Changes the state to that after a call has returned. */
void rp_regs_call(struct rp_regs *regs);
/*
 * Keeps what both know, and of either what is a distance or may point to the stack. Returns whether
 * into has changed.
 */
bool rp_regs_join(struct rp_regs *into, const struct rp_regs *from);
/* Applies an instruction. at: its address; distance: it loads one, according to its relocation. */
struct rp_regs_use rp_regs_apply(struct rp_regs *regs, const struct rp_insn *insn, uint32_t at,
                                 bool distance);

#endif
