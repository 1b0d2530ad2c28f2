/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run took, part by part: nodes by the call-backs of the model's run-time, functions by the
 * emulator's log of execution, by hooks in a twin of the image, or by breakpoints. `verify` and
 * `run` make it; text.h and json.h write it.
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

/* How the parts were measured, and what that did to the run. */
struct rp_profile_means {
    enum { RP_BY_LOG, RP_BY_CALL_BACKS, RP_BY_HOOKS, RP_BY_BREAKPOINTS } by;
    uint64_t observed;    /* the run with call-backs, hooks or breakpoints; 0: there was none */
    uint64_t taken_off;   /* from the times of all functions: of hooks, of stops */
    bool is_rough;        /* with hooks the compiler makes other code; stops take too long */
    uint32_t stops, runs; /* by breakpoints: stops of the core, all in all, in so many runs */
};

struct rp_profile {
    struct rp_arena *arena;
    const char *unit;  /* "instructions", "cycles" */
    uint32_t clock_hz; /* of the core, for times; 0: not known */
    const char *mode;  /* "XIP", "COPY" */
    uint64_t run;      /* the whole run, measured */
    struct rp_profile_means means;
    uint32_t stack;   /* bytes */
    uint32_t acts;    /* bytes of activations that were written */
    uint32_t weights; /* address of the weights, or 0 */
    bool has_phases;  /* the parts have three times */
    bool is_by_nodes; /* the parts are nodes */
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

/*
 * Takes the nodes that call-backs told of as parts. A run-time that knows none, or one for the
 * whole model, leaves the profile without parts.
 */
void rp_profile_take_nodes(struct rp_profile *profile, const struct rp_model *model,
                           const struct rp_answer *answer);
/*
 * Takes functions and, unless there are nodes, parts from the measured call number index. They are
 * summed up already.
 */
void rp_profile_take_calls(struct rp_profile *profile, const struct rp_call_tree *calls,
                           size_t index);

#endif
