/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the nodes of a graph by the page's tables and rules. See judge.h. */
#include "toolchain/ops/judge.h"

#include <string.h>

#include "toolchain/ops/fuse.h"
#include "toolchain/ops/macs.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/rules.h"
#include "toolchain/ops/shapes.h"
#include "toolchain/ops/tables.h"
#include "toolchain/ops/window.h"

static void index_tensors(struct rp_ops *ops) {
    const struct rp_graph *graph = ops->graph;
    ops->reader = rp_alloc(ops->arena, graph->tensors.count + 1, sizeof *ops->reader);
    ops->input = rp_alloc(ops->arena, graph->tensors.count + 1, sizeof *ops->input);
    ops->is_output = rp_alloc(ops->arena, graph->tensors.count + 1, sizeof *ops->is_output);
    for (size_t i = 0; i < 2; i++)
        ops->zeros[i] = rp_alloc(ops->arena, graph->tensors.count + 1, sizeof *ops->zeros[i]);
    for (size_t i = 0; i < graph->tensors.count; i++)
        ops->reader[i] = RP_GRAPH_NONE;
    for (size_t i = 0; i < graph->output_count; i++)
        if (rp_ops_tensor(ops, graph->outputs[i]) != NULL)
            ops->is_output[graph->outputs[i]] = true;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct rp_graph_node *node = &graph->nodes.items[i];
        bool quantises = strcmp(node->op, "QuantizeLinear") == 0;
        for (size_t k = 0; k < node->input_count; k++)
            if (rp_ops_tensor(ops, node->inputs[k]) != NULL &&
                (!quantises || ops->reader[node->inputs[k]] < 0)) {
                ops->reader[node->inputs[k]] = (int32_t)i;
                ops->input[node->inputs[k]] = (uint32_t)k;
            }
    }
}

static bool concerns(const struct rp_ops *ops, const struct rp_ops_node *node,
                     const struct rp_ops_rule *rule) {
    return (!rule->only_format || rule->format == ops->graph->format) &&
           (rule->kinds == NULL || rp_ops_kind_is(node, rule->kinds)) && rule->applies(ops, node);
}

static void apply(struct rp_ops *ops, struct rp_ops_node *node, const struct rp_ops_rule *rule) {
    *RP_PUSH(ops->arena, &node->rules) = rule;
    bool changes = rule->replaces || (rule->place < RP_OPS_PLACES && rule->place > node->place);
    /* a rule that agrees with the verdict gives the reason when none has been given */
    bool same = rule->place == node->place && node->reason[0] == '\0';
    if (changes || same)
        node->reason = rule->when;
    if (changes)
        node->place = rule->place;
}

/* The table's verdict comes first. Some rules replace it; the others can only make it worse. */
static void judge_node(struct rp_ops *ops, struct rp_ops_node *node) {
    node->place = node->row != NULL ? node->row->place : RP_OPS_UNSUPPORTED;
    *ops->window = rp_ops_window(ops, node); /* for a dozen rules */
    ops->judged = node;
    for (size_t i = 0; i < ops->rules.count; i++) {
        const struct rp_ops_rule *rule = ops->rules.items[i];
        if (concerns(ops, node, rule))
            apply(ops, node, rule);
    }
    ops->judged = NULL;
}

static bool has_rule(const struct rp_ops_node *node, const struct rp_ops_rule *rule) {
    for (size_t i = 0; i < node->rules.count; i++)
        if (node->rules.items[i] == rule)
            return true;
    return false;
}

/* A rule that makes a part worse, such as one about its type, makes the whole worse. */
static void judge_part(struct rp_ops *ops, struct rp_ops_node *node) {
    struct rp_ops_node *whole = rp_ops_whole(ops, node);
    for (size_t i = 0; i < ops->rules.count; i++) {
        const struct rp_ops_rule *rule = ops->rules.items[i];
        bool worsens = !rule->replaces && rule->place < RP_OPS_PLACES;
        if (worsens && !has_rule(whole, rule) && concerns(ops, node, rule))
            apply(ops, whole, rule);
    }
}

/* Counts the node. A fused or folded one gets a reason, and the place of its whole. */
static void finish(struct rp_ops *ops, struct rp_ops_node *node) {
    if (node->part_of != RP_GRAPH_NONE) {
        const struct rp_ops_node *whole = rp_ops_whole(ops, node);
        node->place = whole->place;
        node->macs_known = true;
        node->reason =
            rp_format(ops->arena, "part of node %d (%s)", (int)node->part_of, whole->node->op);
        ops->parts++;
    } else if (node->is_folded) {
        node->reason = "depends on constants only: the compiler computes it";
        node->macs_known = true;
        ops->folded++;
    } else {
        rp_ops_count_macs(ops, node);
        ops->macs_unknown += !node->macs_known;
        ops->totals[node->place].nodes++;
        rp_ops_add_macs(&ops->totals[node->place].macs, node->macs);
    }
}

/* "Variable-length batch dimension is considered as equal to 1": Inference Model Constraints. */
static struct rp_graph *copy(struct rp_arena *arena, const struct rp_graph *graph) {
    struct rp_graph *copy = rp_alloc(arena, 1, sizeof *copy);
    *copy = *graph;
    copy->tensors.items = rp_alloc(arena, graph->tensors.count + 1, sizeof *copy->tensors.items);
    for (size_t i = 0; i < graph->tensors.count; i++) {
        struct rp_graph_tensor *tensor = &copy->tensors.items[i];
        *tensor = graph->tensors.items[i];
        if (tensor->shape_known && tensor->rank > 0 && tensor->dims[0] < 0)
            tensor->dims[0] = 1;
    }
    return copy;
}

void rp_ops_judge(struct rp_ops *ops, struct rp_arena *arena, const struct rp_graph *given) {
    struct rp_graph *graph = copy(arena, given);
    *ops = (struct rp_ops){
        .given = given, .graph = graph, .arena = arena, .count = graph->nodes.count};
    ops->nodes = rp_alloc(arena, ops->count + 1, sizeof *ops->nodes);
    ops->window = rp_alloc(arena, 1, sizeof *ops->window);
    for (size_t i = 0; rp_ops_rule_at(i) != NULL; i++)
        *RP_PUSH(arena, &ops->rules) = rp_ops_rule_at(i);
    index_tensors(ops);
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_graph_node *node = &graph->nodes.items[i];
        const struct rp_ops_operator *row = rp_ops_operator_of(graph->format, node);
        ops->nodes[i] = (struct rp_ops_node){.node = node,
                                             .row = row,
                                             .kind = row != NULL ? row->kind : "",
                                             .reason = "",
                                             .part_of = RP_GRAPH_NONE};
    }
    if (graph->format == RP_GRAPH_ONNX)
        rp_ops_infer_shapes(ops, graph->tensors.items);
    rp_ops_fuse(ops);
    for (size_t i = 0; i < ops->count; i++)
        if (rp_ops_is_standalone(&ops->nodes[i]))
            judge_node(ops, &ops->nodes[i]);
    /* parts last, because they make the verdict of a judged node worse */
    for (size_t i = 0; i < ops->count; i++)
        if (ops->nodes[i].part_of != RP_GRAPH_NONE)
            judge_part(ops, &ops->nodes[i]);
    for (size_t i = 0; i < ops->count; i++)
        finish(ops, &ops->nodes[i]);
}
