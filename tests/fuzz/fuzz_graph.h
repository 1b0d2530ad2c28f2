/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions for a graph that was read, whatever the bytes were, and for its judgement. */
#ifndef RP_TESTS_FUZZ_FUZZ_GRAPH_H
#define RP_TESTS_FUZZ_FUZZ_GRAPH_H

#include "tests/fuzz/fuzz_ops.h"
#include "toolchain/graph/read.h"

static inline void require_tensor(const struct rp_graph *graph,
                                  const struct rp_graph_tensor *tensor) {
    unsigned sum = 0;
    require_text(tensor->name);
    require(tensor->rank <= RP_GRAPH_RANK_MAX && tensor->element < RP_ELEMENTS);
    require(tensor->constant || tensor->data == NULL);
    require(tensor->producer >= RP_GRAPH_NONE && tensor->producer < (int32_t)graph->nodes.count);
    for (size_t i = 0; i < tensor->rank; i++)
        require(tensor->dims[i] >= -1);
    for (size_t i = 0; tensor->data != NULL && i < tensor->size_bytes; i++)
        sum += tensor->data[i];
    for (size_t i = 0; i < tensor->quantisation.count; i++)
        sum += (unsigned)tensor->quantisation.zero_points[i];
    *(volatile unsigned *)&sum = sum;
}

static inline void require_indexes(const struct rp_graph *graph, const int32_t *indexes,
                                   size_t count, int32_t least) {
    for (size_t i = 0; i < count; i++)
        require(indexes[i] >= least && indexes[i] < (int32_t)graph->tensors.count);
}

static inline void require_node(const struct rp_graph *graph, int32_t index) {
    const struct rp_graph_node *node = &graph->nodes.items[index];
    require_text(node->name);
    require_text(node->op);
    require_text(node->domain);
    require_indexes(graph, node->inputs, node->input_count, RP_GRAPH_NONE);
    require_indexes(graph, node->outputs, node->output_count, RP_GRAPH_NONE);
    for (size_t i = 0; i < node->input_count; i++)
        require(node->inputs[i] == RP_GRAPH_NONE ||
                graph->tensors.items[node->inputs[i]].constant ||
                graph->tensors.items[node->inputs[i]].producer < index);
    for (size_t i = 0; i < node->attribute_count; i++) {
        require_text(node->attributes[i].name);
        require(node->attributes[i].count == 0 || node->attributes[i].list != NULL);
    }
}

static inline void require_graph(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_graph graph;
    bool ok = rp_graph_read(&graph, &arena, &(struct rp_bytes){data, size}, "fuzz", &err);
    require_error(ok, &err);
    for (size_t i = 0; ok && i < graph.tensors.count; i++)
        require_tensor(&graph, &graph.tensors.items[i]);
    for (size_t i = 0; ok && i < graph.nodes.count; i++)
        require_node(&graph, (int32_t)i);
    if (ok) {
        require_indexes(&graph, graph.inputs, graph.input_count, 0);
        require_indexes(&graph, graph.outputs, graph.output_count, 0);
        require_ops(&arena, &graph);
    }
    rp_arena_release(&arena);
}

#endif
