/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the prediction, node by node, with what the Neural-ART compiler did. In: judged nodes
 * and network.c; out: the unit and epoch that each node got, and whether that was predicted.
 */
#include "toolchain/ops/compare.h"

#include "toolchain/npu/network.h"
#include "toolchain/ops/compiled.h"
#include "toolchain/ops/match.h"
#include "toolchain/ops/query.h"
#include "toolchain/npu/parse.h"

static const char *const comparisons[RP_OPS_COMPARISONS] = {
    [RP_OPS_AGREES] = "agrees",       [RP_OPS_HYBRID] = "hybrid",
    [RP_OPS_DIFFERS] = "differs",     [RP_OPS_UNDECIDED] = "undecided",
    [RP_OPS_NOT_SHOWN] = "not_shown",
};

const char *rp_ops_comparison_name(enum rp_ops_comparison comparison) {
    return comparisons[comparison];
}

static void count_epochs(struct rp_ops_network *out, const struct rp_aton *aton) {
    for (size_t i = 0; i < aton->epochs.count; i++) {
        const struct rp_aton_epoch *e = &aton->epochs.items[i];
        bool range = e->epoch_num >= 0 && e->last_epoch_num >= e->epoch_num;
        uint64_t number = range ? (uint64_t)(e->last_epoch_num - e->epoch_num) + 1 : 1;
        bool blob = e->kind == RP_ATON_EPOCH_BLOB;
        out->has_blobs = out->has_blobs || blob;
        out->hardware += blob || e->kind == RP_ATON_EPOCH_HW ? number : 0;
        out->software += e->kind == RP_ATON_EPOCH_SW ? number : 0;
        out->hybrid += e->kind == RP_ATON_EPOCH_HYBRID ? number : 0;
        out->other +=
            e->kind == RP_ATON_EPOCH_OTHER || e->kind == RP_ATON_EPOCH_INTERNAL ? number : 0;
    }
}

/*
 * Software is always visible in network.c, so a prediction of software is wrong if nothing is
 * there. This does not hold for quantisers: the types of inputs and outputs are chosen when
 * compiling, so those at the edges may be gone.
 */
static enum rp_ops_comparison compare(const struct rp_ops_node *node,
                                      const struct rp_ops_compiled_node *compiled) {
    bool software = node->place == RP_OPS_SW_INT || node->place == RP_OPS_SW_FLOAT;
    if (node->place == RP_OPS_CONDITIONAL)
        return RP_OPS_UNDECIDED;
    if (compiled == NULL)
        return software && !rp_ops_kind_is(node, RP_OPS_QUANTISERS) ? RP_OPS_DIFFERS
                                                                    : RP_OPS_NOT_SHOWN;
    if (compiled->unit == RP_OPS_UNIT_HYBRID)
        return RP_OPS_HYBRID;
    bool predicted = compiled->unit == RP_OPS_UNIT_SOFTWARE ? software : node->place == RP_OPS_HW;
    return predicted ? RP_OPS_AGREES : RP_OPS_DIFFERS;
}

static void compare_nodes(struct rp_ops_network *out, const struct rp_ops *ops) {
    const struct rp_ops_compiled_node **compiled =
        rp_alloc(ops->arena, ops->count + 1, sizeof *compiled);
    for (size_t i = 0; i < out->compiled.count; i++) {
        const struct rp_ops_compiled_node *item = &out->compiled.items[i];
        bool weighted = item->number >= 0 && item->weights > 0;
        out->weighted += weighted;
        out->weighted_found += weighted && item->node != RP_GRAPH_NONE;
        if (item->node != RP_GRAPH_NONE)
            compiled[item->node] = item;
        else
            out->inserted += item->unit != RP_OPS_UNIT_HARDWARE;
    }
    out->is_doubtful = out->weighted_found < out->weighted - out->weighted_found;
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_ops_node *node = &ops->nodes[i];
        if (compiled[i] == NULL && !rp_ops_is_standalone(node))
            continue;
        enum rp_ops_comparison comparison = compare(node, compiled[i]);
        *RP_PUSH(ops->arena, &out->nodes) = (struct rp_ops_compared){i, compiled[i], comparison};
        out->counts[comparison]++;
    }
}

bool rp_ops_compare(struct rp_ops_network *out, const struct rp_ops *ops, const char *path,
                    const struct rp_bytes *text, struct rp_error *err) {
    const struct rp_aton_text source = {path, (const char *)text->data, text->size};
    struct rp_aton aton = {0};
    *out = (struct rp_ops_network){0};
    if (!rp_aton_parse(&aton, ops->arena, &source, err))
        return false;
    out->name = aton.network;
    count_epochs(out, &aton);
    rp_ops_read_compiled(&out->compiled, ops->arena, &aton, source.bytes);
    if (!rp_ops_match(&out->compiled, ops))
        return rp_fail(err, RP_E_INPUT,
                       "network '%s': its %zu nodes and the model's %zu are too many to compare",
                       path, out->compiled.count, ops->count);
    compare_nodes(out, ops);
    return true;
}
