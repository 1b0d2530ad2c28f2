/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the prediction, node by node, with what the Neural-ART compiler did. */
#ifndef RP_TOOLCHAIN_OPS_COMPARE_H
#define RP_TOOLCHAIN_OPS_COMPARE_H

#include "base/file.h"
#include "toolchain/ops/compiled.h"

enum rp_ops_comparison {
    RP_OPS_AGREES,
    RP_OPS_HYBRID, /* compiled for hardware with the processor's help: neither agrees nor differs */
    RP_OPS_DIFFERS,
    RP_OPS_UNDECIDED, /* the prediction was conditional */
    RP_OPS_NOT_SHOWN, /* it has no separate compiled node */
    RP_OPS_COMPARISONS
};

/* "agrees", "hybrid", "differs", "undecided", "not_shown". */
const char *rp_ops_comparison_name(enum rp_ops_comparison comparison);

struct rp_ops_compared {
    size_t node;
    const struct rp_ops_compiled_node *compiled; /* NULL: not shown */
    enum rp_ops_comparison comparison;
};

/* What the Neural-ART compiler made of a model. */
struct rp_ops_network {
    const char *name;
    uint64_t hardware, software, hybrid, other; /* epochs */
    bool has_blobs; /* some epochs are blobs of the epoch controller, whose contents may not show */
    struct rp_ops_compiled compiled;
    struct { /* standalone nodes, and fused ones that were compiled on their own */
        struct rp_ops_compared *items;
        size_t count, capacity;
    } nodes;
    size_t counts[RP_OPS_COMPARISONS];
    size_t inserted;                 /* nodes on the processor that are not the model's */
    size_t weighted, weighted_found; /* numbered nodes with weights; those found in the model */
    bool is_doubtful;                /* fewer than half are found: it may be of another model */
};

/*
 * Compares with a network.c. The compiler's front end renames nodes and numbers them in the model's
 * order, so they are matched by kind and order. Errors of rp_aton_parse. RP_E_INPUT: there
 * are too many nodes to match.
 */
bool rp_ops_compare(struct rp_ops_network *out, const struct rp_ops *ops, const char *path,
                    const struct rp_bytes *text, struct rp_error *err);

#endif
