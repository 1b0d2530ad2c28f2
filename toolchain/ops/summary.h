/* SPDX-License-Identifier: Apache-2.0 */
/* What was judged, by operator and by advice. */
#ifndef RP_TOOLCHAIN_OPS_SUMMARY_H
#define RP_TOOLCHAIN_OPS_SUMMARY_H

#include "toolchain/ops/ops.h"

/* All nodes of one operator that stand for themselves. */
struct rp_ops_group {
    const char *op;
    size_t first; /* node */
    size_t nodes, places[RP_OPS_PLACES];
    uint64_t macs;
};

struct rp_ops_groups {
    struct rp_ops_group *items; /* in the order of their first nodes */
    size_t count, capacity;
};

/* A rule that has advice, and the nodes it is for. */
struct rp_ops_advice {
    const struct rp_ops_rule *rule;
    struct {
        size_t *items;
        size_t count, capacity;
    } nodes;
    uint64_t macs; /* of these nodes */
};

struct rp_ops_advices {
    /* first what keeps operators off the hardware, the worst first; then what the most MACs need */
    struct rp_ops_advice *items;
    size_t count, capacity;
};

/* Adds up the nodes that stand, by operator; ops: judged. What out holds is in ops's arena. */
void rp_ops_group(struct rp_ops_groups *out, const struct rp_ops *ops);
/* The rules with advice that apply to a node, each once; ops: judged. In ops's arena as well. */
void rp_ops_advise(struct rp_ops_advices *out, const struct rp_ops *ops);

#endif
