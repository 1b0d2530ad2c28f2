/* SPDX-License-Identifier: Apache-2.0 */
/* The nodes into which the Neural-ART compiler turned a model. */
#ifndef RP_TOOLCHAIN_OPS_COMPILED_H
#define RP_TOOLCHAIN_OPS_COMPILED_H

#include "toolchain/npu/network.h"
#include "toolchain/ops/ops.h"

/* From the best to the worst. */
enum rp_ops_unit {
    RP_OPS_UNIT_HARDWARE,
    RP_OPS_UNIT_HYBRID, /* in a hardware epoch that needs the processor's help */
    RP_OPS_UNIT_SOFTWARE
};

/* A node of the compiler, together with all pieces that it was split into. */
struct rp_ops_compiled_node {
    const char *name;  /* "Conv2D_9" */
    const char *kinds; /* kinds of model nodes that can become this one: "Conv"; "" for none */
    int64_t number;    /* the 9 of Conv2D_9; -1: the compiler inserted the node */
    enum rp_ops_unit unit;
    int64_t epoch;   /* its own, or the first of its pieces; -1: not known */
    bool is_whole;   /* the epoch is its own */
    int64_t weights; /* how many; 0: none, or not known */
    int32_t node;    /* of the model, or RP_GRAPH_NONE; rp_ops_match sets it */
};

struct rp_ops_compiled {
    struct rp_ops_compiled_node *items; /* by number, then by name */
    size_t count, capacity;
};

/* "hardware", "hybrid", "software". */
const char *rp_ops_unit_name(enum rp_ops_unit unit);

/* text is the whole network.c that aton was read from, ended by a 0. */
void rp_ops_read_compiled(struct rp_ops_compiled *out, struct rp_arena *arena,
                          const struct rp_aton *aton, const char *text);

#endif
