/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes that the Neural-ART compiler made of a model. */
#ifndef RP_TOOLCHAIN_OPS_COMPILED_H
#define RP_TOOLCHAIN_OPS_COMPILED_H

#include "toolchain/npu/network.h"
#include "toolchain/ops/ops.h"

/* From the best to the worst. */
enum rp_ops_unit {
    RP_OPS_UNIT_HARDWARE,
    RP_OPS_UNIT_HYBRID, /* in an epoch of hardware with a processor's help */
    RP_OPS_UNIT_SOFTWARE
};

/* A node that the compiler made, with all that it was split into. */
struct rp_ops_compiled_node {
    const char *name;  /* "Conv2D_9" */
    const char *kinds; /* of the model's nodes that become this one: "Conv"; "": of none */
    int64_t number;    /* the 9 of Conv2D_9; -1: none, the compiler put it in */
    enum rp_ops_unit unit;
    int64_t epoch;   /* its own, else the first one of its pieces; -1: not known */
    bool is_whole;   /* epoch is its own */
    int64_t weights; /* how many it has; 0: none, or not known */
    int32_t node;    /* of the model, or RP_GRAPH_NONE; set by rp_ops_match */
};

struct rp_ops_compiled {
    struct rp_ops_compiled_node *items; /* by number, then by name */
    size_t count, capacity;
};

/* "hardware", "hybrid", "software". */
const char *rp_ops_unit_name(enum rp_ops_unit unit);

/* text: all of network.c, that aton was read from, ended by a 0. */
void rp_ops_read_compiled(struct rp_ops_compiled *out, struct rp_arena *arena,
                          const struct rp_aton *aton, const char *text);

#endif
