/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds what a function does with r9, by following its instructions; regs.h has what is known at
 * each. In: code with marks, functions. Out: for each function whether it needs r9, and the calls
 * that it makes, with r9 as it was on entry or with a value of its own in it. docs/DESIGN.md, "What
 * is known about r9", has what this rests on.
 */
#ifndef RP_ELFPACK_INSN_R9_FLOW_H
#define RP_ELFPACK_INSN_R9_FLOW_H

#include "base/arena.h"
#include "elfpack/insn/code.h"
#include "elfpack/elf/sorted.h"

/* From a start to the next one. */
struct rp_function {
    uint32_t start, end;
    bool touches;        /* it reads r9, loads a distance from it, or its section writes r9 */
    bool needs;          /* needs r9 to find its data */
    bool by_pointer;     /* calls through a register, with r9 as it was on entry */
    bool by_pointer_own; /* with another value */
    bool address_taken;
    bool is_label; /* it has no symbol of a function: a call in front of it may return */
    bool entered;  /* by a call or from outside, not only by a branch from its neighbour */
};

struct rp_call {
    struct rp_function *from, *to;
    bool own; /* r9 has another value than on entry */
};

/* A fault, kept once for each kind and instruction. */
enum rp_r9_fault_kind {
    RP_R9_LEAVES,     /* returns with another r9 */
    RP_R9_JUMP,       /* jumps to where nobody knows, and r9 is another here or may be there */
    RP_R9_OTHER_BASE, /* a distance from r9 is used with another register */
    RP_R9_LOST        /* what becomes of a distance is not understood */
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
    struct rp_words distances; /* sorted: words and MOVW, MOVT with relocations that lead to the GOT
                                  or from r9 */
};

/* The function that an address is in, or NULL. */
struct rp_function *rp_flow_function(const struct rp_flow *flow, uint32_t address);
/* Fills the rest of a flow that has functions and distances. */
void rp_flow_follow(struct rp_flow *flow, struct rp_arena *arena);

#endif
