/* SPDX-License-Identifier: Apache-2.0 */
/* Adds up judged nodes by operator, and collects the advice that applies. */
#include "toolchain/ops/summary.h"

#include <stdlib.h>
#include <string.h>

#include "toolchain/ops/macs.h"
#include "toolchain/ops/query.h"

/* By operator, then in order. Sorting is fast even if all operators differ. */
static int by_operator(const void *a, const void *b) {
    const struct rp_ops_node *x = *(const struct rp_ops_node *const *)a;
    const struct rp_ops_node *y = *(const struct rp_ops_node *const *)b;
    int order = strcmp(x->node->op, y->node->op);
    return order != 0 ? order : (x > y) - (x < y);
}

static int by_first(const void *a, const void *b) {
    size_t x = ((const struct rp_ops_group *)a)->first, y = ((const struct rp_ops_group *)b)->first;
    return (x > y) - (x < y);
}

/* 0 for advice about speed. */
static unsigned verdict_of(const struct rp_ops_advice *advice) {
    return advice->rule->place < RP_OPS_PLACES ? advice->rule->place : 0;
}

static int by_weight(const void *a, const void *b) {
    const struct rp_ops_advice *x = a, *y = b;
    if (verdict_of(x) != verdict_of(y))
        return verdict_of(x) < verdict_of(y) ? 1 : -1;
    if (x->macs != y->macs)
        return x->macs < y->macs ? 1 : -1;
    return strcmp(x->rule->id, y->rule->id);
}

void rp_ops_group(struct rp_ops_groups *out, const struct rp_ops *ops) {
    const struct rp_ops_node **nodes = rp_alloc(ops->arena, ops->count + 1, sizeof *nodes);
    size_t count = 0;
    *out = (struct rp_ops_groups){0};
    for (size_t i = 0; i < ops->count; i++)
        if (rp_ops_is_standalone(&ops->nodes[i]))
            nodes[count++] = &ops->nodes[i];
    qsort(nodes, count, sizeof *nodes, by_operator);
    for (size_t i = 0; i < count; i++) {
        const char *op = nodes[i]->node->op;
        if (i == 0 || strcmp(op, nodes[i - 1]->node->op) != 0)
            *RP_PUSH(ops->arena, out) =
                (struct rp_ops_group){.op = op, .first = (size_t)(nodes[i] - ops->nodes)};
        struct rp_ops_group *group = &out->items[out->count - 1];
        group->nodes++;
        group->places[nodes[i]->place]++;
        rp_ops_add_macs(&group->macs, nodes[i]->macs);
    }
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, by_first);
}

void rp_ops_advise(struct rp_ops_advices *out, const struct rp_ops *ops) {
    struct rp_ops_advice *all = rp_alloc(ops->arena, ops->rules.count, sizeof *all);
    *out = (struct rp_ops_advices){0};
    for (size_t i = 0; i < ops->count; i++)
        for (size_t k = 0; k < ops->nodes[i].rules.count; k++) {
            size_t r = 0;
            while (ops->rules.items[r] != ops->nodes[i].rules.items[k])
                r++;
            *RP_PUSH(ops->arena, &all[r].nodes) = i;
            rp_ops_add_macs(&all[r].macs, ops->nodes[i].macs);
        }
    for (size_t r = 0; r < ops->rules.count; r++) {
        all[r].rule = ops->rules.items[r];
        if (all[r].rule->advice != NULL && all[r].nodes.count != 0)
            *RP_PUSH(ops->arena, out) = all[r];
    }
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, by_weight);
}
