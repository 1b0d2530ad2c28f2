/* SPDX-License-Identifier: Apache-2.0 */
/* Judged nodes added up by operator, and the advice that applies, each once. */
#include <string.h>

#include "toolchain/ops.h"

bool rp_ops_stands(const struct rp_ops_node *node) {
    return node->part_of == RP_GRAPH_NONE && !node->is_folded;
}

static struct rp_ops_group *group_of(struct rp_ops_groups *groups, struct rp_arena *arena,
                                     const char *op) {
    for (size_t i = 0; i < groups->count; i++)
        if (strcmp(groups->items[i].op, op) == 0)
            return &groups->items[i];
    struct rp_ops_group *group = RP_PUSH(arena, groups);
    *group = (struct rp_ops_group){.op = op};
    return group;
}

void rp_ops_group(struct rp_ops_groups *out, const struct rp_ops *ops) {
    *out = (struct rp_ops_groups){0};
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_ops_node *node = &ops->nodes[i];
        if (!rp_ops_stands(node))
            continue;
        struct rp_ops_group *group = group_of(out, ops->arena, node->node->op);
        group->nodes++;
        group->places[node->place]++;
        if (__builtin_add_overflow(group->macs, node->macs, &group->macs))
            group->macs = UINT64_MAX;
    }
}

static bool follows(const struct rp_ops_node *node, const struct rp_ops_rule *rule) {
    for (size_t i = 0; i < node->rules.count; i++)
        if (node->rules.items[i] == rule)
            return true;
    return false;
}

void rp_ops_advise(struct rp_ops_advices *out, const struct rp_ops *ops) {
    *out = (struct rp_ops_advices){0};
    for (size_t r = 0; rp_ops_rule_at(r) != NULL; r++) {
        struct rp_ops_advice advice = {.rule = rp_ops_rule_at(r)};
        for (size_t i = 0; advice.rule->advice != NULL && i < ops->count; i++)
            if (follows(&ops->nodes[i], advice.rule))
                *RP_PUSH(ops->arena, &advice.nodes) = i;
        if (advice.nodes.count != 0)
            *RP_PUSH(ops->arena, out) = advice;
    }
}
