/* SPDX-License-Identifier: Apache-2.0 */
/* The prediction beside what the Neural-ART compiler made, node by node. */
#ifndef RP_TOOLCHAIN_OPS_COMPARE_H
#define RP_TOOLCHAIN_OPS_COMPARE_H

#include "base/file.h"
#include "toolchain/ops/compiled.h"

/* What was predicted beside what was made. */
enum rp_ops_comparison {
    RP_OPS_AGREES,
    RP_OPS_HYBRID, /* made with hardware and a processor's help: neither agrees nor differs */
    RP_OPS_DIFFERS,
    RP_OPS_UNDECIDED, /* predicted conditional */
    RP_OPS_NOT_SHOWN, /* no node of its own */
    RP_OPS_COMPARISONS
};

/* "agrees", "hybrid", "differs", "undecided", "not_shown". */
const char *rp_ops_comparison_name(enum rp_ops_comparison comparison);

struct rp_ops_compared {
    size_t node;
    const struct rp_ops_compiled_node *compiled; /* NULL: not shown */
    enum rp_ops_comparison comparison;
};

/* What the Neural-ART compiler made of the model. */
struct rp_ops_network {
    const char *name;
    uint64_t hardware, software, hybrid, other; /* epochs */
    bool has_blobs; /* epochs of the epoch controller: what is in them may not show */
    struct rp_ops_compiled compiled;
    struct { /* nodes that stand for themselves, and parts that were made on their own */
        struct rp_ops_compared *items;
        size_t count, capacity;
    } nodes;
    size_t counts[RP_OPS_COMPARISONS];
    size_t inserted;                 /* nodes on the processor that are none of the model's */
    size_t weighted, weighted_found; /* numbered nodes with weights; of these, the model's */
    bool is_doubtful;                /* fewer than half are: it may be of another model */
};

/*
 * Compares with a network.c. The compiler's front end names nodes anew and numbers them in the
 * model's order, so they are matched by kind and order. Errors as of rp_aton_parse, and RP_E_INPUT
 * when there are too many nodes for that.
 */
bool rp_ops_compare(struct rp_ops_network *out, const struct rp_ops *ops, const char *path,
                    const struct rp_bytes *text, struct rp_error *err);

#endif
