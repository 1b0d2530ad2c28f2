/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what functions do with r9 by following their instructions; regs.h describes what is known
 * at each. In: code with marks, functions. Out: for each function whether it needs r9, and the
 * calls that it makes, with r9 as it was on entry or changed. docs/DESIGN.md, "What is known about
 * r9", explains the assumptions.
 */
#ifndef RP_ELFPACK_INSN_R9_FLOW_H
#define RP_ELFPACK_INSN_R9_FLOW_H

#include "base/arena.h"
#include "elfpack/insn/code.h"
#include "elfpack/elf/sorted.h"

/* A function, up to the start of the next one. */
struct rp_function {
    uint32_t start, end;
    bool touches;        /* it reads r9, loads a distance from it, or its section writes r9 */
    bool needs;          /* needs r9 to find its data */
    bool by_pointer;     /* calls through a register, with r9 as it was on entry */
    bool by_pointer_own; /* calls through a register, with another value in r9 */
    bool address_taken;
    bool is_label; /* has no function symbol: a call before it may return to it */
    bool entered;  /* by a call or from outside, not only by a branch nearby */
};

struct rp_call {
    struct rp_function *from, *to;
    bool own; /* r9 has another value than on entry */
};

/* A fault, kept once for each kind and instruction. */
enum rp_r9_fault_kind {
    RP_R9_LEAVES,     /* returns with another r9 */
    RP_R9_JUMP,       /* jumps to an unknown address, and r9 is or may be changed */
    RP_R9_OTHER_BASE, /* a distance from r9 is used with another register */
    RP_R9_LOST        /* uses a distance in a way that is not understood */
};

struct rp_r9_fault {
    enum rp_r9_fault_kind kind;
    uint32_t at;
    uint32_t written; /* the instruction that wrote r9, or 0 */
    uint8_t reg;      /* of RP_R9_OTHER_BASE */
};

struct rp_flow {
    const struct rp_code *code;
    struct {
        struct rp_function *items;
        size_t count;
        size_t capacity;
    } functions; /* sorted by start */
    struct {
        struct rp_call *items;
        size_t count;
        size_t capacity;
    } calls;
    struct {
        struct rp_r9_fault *items;
        size_t count;
        size_t capacity;
    } faults;
    struct rp_words distances; /* sorted: addresses of words, MOVW and MOVT with GOT offsets or
                                  distances from r9 */
};

/* The function that contains an address, or NULL. */
struct rp_function *rp_flow_function(const struct rp_flow *flow, uint32_t address);
/* Fills the rest of a flow; functions and distances must be set. */
void rp_flow_follow(struct rp_flow *flow, struct rp_arena *arena);

#endif
