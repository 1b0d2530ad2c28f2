/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers questions of rules about a node: operands, producers, attributes, kind. If something in
 * the file is missing or odd, the answer is "not known", and no rule applies.
 */
#include "toolchain/ops/query.h"

#include <string.h>

#include "toolchain/graph/graph.h"

const struct rp_graph_tensor *rp_ops_tensor(const struct rp_ops *ops, int32_t index) {
    return index >= 0 && (size_t)index < ops->graph->tensors.count
               ? &ops->graph->tensors.items[index]
               : NULL;
}

size_t rp_ops_index(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    return (size_t)(tensor - ops->graph->tensors.items);
}

/* ---- operands ---- */

size_t rp_ops_first_operand(const struct rp_ops_node *node, size_t *step) {
    bool qlinear = strncmp(node->node->op, "QLinear", 7) == 0;
    *step = qlinear ? 3 : 1;
    return strcmp(node->node->op, "QLinearConcat") == 0 ? 2 : 0;
}

size_t rp_ops_operands(const struct rp_ops_node *node) {
    size_t step, first = rp_ops_first_operand(node, &step);
    if (step == 1)
        return node->node->input_count;
    if (first != 0)
        return node->node->input_count > first ? (node->node->input_count - first + 2) / step : 0;
    return node->node->input_count >= 7 ? 2 : 1; /* the last zero point may be omitted */
}

const struct rp_graph_tensor *rp_ops_operand(const struct rp_ops *ops,
                                             const struct rp_ops_node *node, size_t n) {
    size_t step, at = rp_ops_first_operand(node, &step) + n * step;
    return n < rp_ops_operands(node) && at < node->node->input_count
               ? rp_ops_tensor(ops, node->node->inputs[at])
               : NULL;
}

const struct rp_graph_tensor *rp_ops_result(const struct rp_ops *ops,
                                            const struct rp_ops_node *node, size_t n) {
    return n < node->node->output_count ? rp_ops_tensor(ops, node->node->outputs[n]) : NULL;
}

const struct rp_graph_tensor *rp_ops_data(const struct rp_ops *ops,
                                          const struct rp_ops_node *node) {
    bool third = ops->graph->format == RP_GRAPH_TFLITE && rp_ops_kind_is(node, "ConvTranspose");
    return rp_ops_operand(ops, node, third ? 2 : 0);
}

struct rp_ops_node *rp_ops_producer(const struct rp_ops *ops,
                                    const struct rp_graph_tensor *tensor) {
    return tensor != NULL && tensor->producer >= 0 && (size_t)tensor->producer < ops->count
               ? &ops->nodes[tensor->producer]
               : NULL;
}

struct rp_ops_node *rp_ops_in_front(const struct rp_ops *ops, const struct rp_ops_node *node,
                                    size_t n) {
    struct rp_ops_node *from = rp_ops_producer(ops, rp_ops_operand(ops, node, n));
    for (size_t i = 0; from != NULL && i < 2; i++)
        if (rp_ops_kind_is(from, RP_OPS_QUANTISERS))
            from = rp_ops_producer(ops, rp_ops_operand(ops, from, 0));
    return from;
}

struct rp_ops_node *rp_ops_whole(const struct rp_ops *ops, struct rp_ops_node *node) {
    while (node->part_of != RP_GRAPH_NONE)
        node = &ops->nodes[node->part_of];
    return node;
}

/* ---- attributes ---- */

int64_t rp_ops_integer(const struct rp_ops_node *node, const char *name, int64_t missing) {
    const struct rp_attribute *a = rp_graph_attribute(node->node, name);
    return a != NULL ? a->integer : missing;
}

int64_t rp_ops_item(const struct rp_ops_node *node, const char *name, size_t index,
                    int64_t missing) {
    const struct rp_attribute *a = rp_graph_attribute(node->node, name);
    return a != NULL && a->list != NULL && index < a->count ? a->list[index] : missing;
}

const char *rp_ops_text(const struct rp_ops_node *node, const char *name, const char *missing) {
    const struct rp_attribute *a = rp_graph_attribute(node->node, name);
    return a != NULL && a->text != NULL ? a->text : missing;
}

bool rp_ops_is_word(const char *words, const char *word) {
    size_t len = strlen(word);
    for (const char *at = strstr(words, word); at != NULL && len != 0; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[len] == ' ' || at[len] == '\0'))
            return true;
    return false;
}

bool rp_ops_kind_is(const struct rp_ops_node *node, const char *kinds) {
    return rp_ops_is_word(kinds, node->kind);
}

bool rp_ops_is_standalone(const struct rp_ops_node *node) {
    return node->part_of == RP_GRAPH_NONE && !node->is_folded;
}
