/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From the blocks of instructions that a core executes, one after the other, to a tree of calls: a
 * frame is a function as called from another one. A stack of return addresses tells calls, returns
 * and tail calls apart. In: scopes, blocks. Out: frames with the instructions of each. Pure.
 *
 * Only what runs inside a measured call is counted: a call by the function that the harness
 * measures with (the gate). Each is a root. A function that calls itself, directly or through
 * others, is one frame. A tail call is a call by the function that jumps.
 */
#ifndef RP_CLI_PROFILE_CALLS_H
#define RP_CLI_PROFILE_CALLS_H

#include "cli/profile/scopes.h"

#define RP_NO_FRAME UINT32_MAX

/* One call, in order; of an inlined copy, where it was first executed. */
struct rp_call_made {
    uint32_t frame;
    uint64_t count; /* instructions, with what it calls; of an inlined copy 0 */
};
/* A frame that makes more calls than this has no list of them: its frames alone say what it took.
 */
enum { RP_CALLS_LISTED = 1024, RP_CALLS_LEVELS = 3 };

struct rp_frame {
    uint32_t scope;                     /* of the measured call itself: RP_NO_SCOPE */
    uint32_t parent, first, last, next; /* frames; those of one parent as first executed */
    uint32_t level;                     /* below the entry's frame; above all: not below it */
    uint64_t calls;                     /* 0: only jumped into, or inlined */
    uint64_t own;                       /* instructions */
    uint64_t total;                     /* with what it calls; rp_calls_sum */
    struct {
        struct rp_call_made *items;
        size_t count;
        size_t capacity;
    } made;         /* on the first levels */
    bool made_more; /* than are listed */
};

/* Instructions that are always executed together, but for those that a condition skips. */
struct rp_block {
    uint32_t start, end;
    uint32_t count; /* instructions */
    uint8_t flow;   /* enum rp_insn_flow, of the last one */
    bool is_gate;
    struct rp_block_run {
        uint32_t start, count;
        uint32_t scope, function; /* that the scope is or is in */
    } * runs;                     /* the scopes that it goes through; at least one */
    size_t run_count;
    uint32_t known_in,
        known_frame; /* where it was last counted, when it was executed in known_in */
};

struct rp_measured {
    uint32_t frame; /* the root */
    uint64_t count; /* instructions, all in all */
};

/* A call that has not returned. */
struct rp_open_call {
    uint32_t frame;  /* of the function */
    uint32_t caller; /* the frame that made the call */
    uint32_t returns_to;
    bool is_jump;   /* a tail call: it returns in place of the one below */
    uint64_t since; /* instructions of the measured call when it began */
    size_t listed;  /* position in the caller's list, or SIZE_MAX */
};

enum rp_calls_limit { RP_CALLS_FINE, RP_CALLS_TOO_DEEP, RP_CALLS_TOO_MANY };

/* Zero-initialise, with arena, scopes and entry. */
struct rp_call_tree {
    struct rp_arena *arena;
    const struct rp_scopes *scopes;
    uint32_t entry; /* the scope whose calls are listed, or RP_NO_SCOPE */
    struct {
        struct rp_frame *items;
        size_t count;
        size_t capacity;
    } frames;
    struct {
        struct rp_measured *items;
        size_t count;
        size_t capacity;
    } roots;
    struct {
        struct rp_open_call *items;
        size_t count;
        size_t capacity;
    } stack;
    uint32_t at; /* the frame that the last block ended in */
    const struct rp_block *last;
    bool waiting; /* the gate has made a call, and nothing of it was executed yet */
    uint64_t count;
    enum rp_calls_limit limit;
};

/* The next block that was executed. False: there is a limit that was reached. */
bool rp_calls_block(struct rp_call_tree *calls, struct rp_block *block);
/*
 * Adds calls that were counted elsewhere: the frame of the function as called from another frame,
 * of itself when that is a call of it already. caller RP_NO_FRAME: a new root, of no function.
 * Calls are summed up by function, there is no list of them.
 */
uint32_t rp_calls_add(struct rp_call_tree *calls, uint32_t caller, uint32_t function);
/* Fills in totals. */
void rp_calls_sum(struct rp_call_tree *calls);

#endif
