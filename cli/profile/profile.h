/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run took, part by part: nodes by the call-backs of the model's run-time, functions by the
 * emulator's log of execution. `verify` and `run` make it; table.h, text.h and json.h write it.
 */
#ifndef RP_CLI_PROFILE_PROFILE_H
#define RP_CLI_PROFILE_PROFILE_H

#include "cli/harness/result.h"
#include "cli/profile/calls.h"
#include "toolchain/dialect.h"

/*
 * A part of the run, in the order of execution: a node of the model or, where the run-time knows
 * none, a function that the model's entry calls.
 */
struct rp_part {
    const char *id;                     /* that the generator gave it, or "-" */
    const char *type;                   /* "epoch (SW)", "CONV2D", "function" */
    const char *name;                   /* or "" */
    uint64_t runs;                      /* executions */
    uint64_t time;                      /* instructions or cycles of all of them */
    uint64_t times[HARNESS_NODE_TIMES]; /* of epochs: to start it, until it is done, to end it */
    const struct rp_node_result *node;  /* or NULL */
};

/* One function, wherever it is called from. */
struct rp_function {
    const char *name;
    bool in_image, inlined;
    uint64_t calls, own, total;
};

struct rp_profile {
    struct rp_arena *arena;
    const char *unit;  /* "instructions", "cycles" */
    uint32_t clock_hz; /* of the core, for times; 0: not known */
    const char *mode;  /* "XIP", "COPY" */
    uint64_t run;      /* the whole run, measured */
    uint64_t observed; /* the same with call-backs; 0: there was none */
    uint32_t stack;    /* bytes */
    uint32_t acts;     /* bytes of activations that were written */
    uint32_t weights;  /* address of the weights, or 0 */
    bool has_phases;   /* the parts have three times */
    bool is_by_nodes;  /* the parts are nodes */
    struct {
        struct rp_part *items;
        size_t count;
        size_t capacity;
    } parts;
    struct {
        struct rp_function *items;
        size_t count;
        size_t capacity;
    } functions; /* by their own instructions, the most first; empty: not known */
    const struct rp_call_tree *calls; /* of the same run, or NULL */
    uint32_t root;                    /* its frame */
    uint64_t outside;                 /* instructions of the firmware: loader, imports */
};

/* Adds a node as a part. */
void rp_profile_take_node(struct rp_profile *profile, const struct rp_node_result *result,
                          const struct rp_node *node);
/*
 * Takes functions and, unless there are nodes, parts from the measured call number index. They are
 * summed up already.
 */
void rp_profile_take_calls(struct rp_profile *profile, const struct rp_call_tree *calls,
                           size_t index);

#endif
