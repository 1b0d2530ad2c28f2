/* SPDX-License-Identifier: Apache-2.0 */
/* The verdicts added up by operator, and the advice. */
#ifndef RP_TOOLCHAIN_OPS_SUMMARY_H
#define RP_TOOLCHAIN_OPS_SUMMARY_H

#include "toolchain/ops/ops.h"

/* All standalone nodes of one operator. */
struct rp_ops_group {
    const char *op;
    size_t first; /* index of the first node */
    size_t nodes, places[RP_OPS_PLACES];
    uint64_t macs;
};

struct rp_ops_groups {
    struct rp_ops_group *items; /* in the order of their first nodes */
    size_t count, capacity;
};

/* A rule that gives advice, and the nodes that it is for. */
struct rp_ops_advice {
    const struct rp_ops_rule *rule;
    struct {
        size_t *items;
        size_t count, capacity;
    } nodes;
    uint64_t macs; /* of these nodes */
};

struct rp_ops_advices {
    /* the worst verdict first, advice about speed last; within these, most MACs first */
    struct rp_ops_advice *items;
    size_t count, capacity;
};

/* Adds up the standalone nodes by operator. ops has been judged; out lives in its arena. */
void rp_ops_group(struct rp_ops_groups *out, const struct rp_ops *ops);
/* Lists each rule that applies to a node and gives advice. As above. */
void rp_ops_advise(struct rp_ops_advices *out, const struct rp_ops *ops);

#endif
