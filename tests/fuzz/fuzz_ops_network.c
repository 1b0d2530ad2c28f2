/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/ops/compare: any text of a network, next to a small model, gives a
 * comparison that can be printed, or an error.
 */
#include "tests/fuzz/fuzz_ops.h"
#include "toolchain/ops/compare.h"
#include "toolchain/ops/judge.h"

enum { NODES = 6, WEIGHTS = 3 };

/* One input and nodes in a row; convolutions and the matrix product have weights. */
static void make_graph(struct rp_graph *graph, struct rp_arena *arena) {
    static const char *const ops[NODES] = {"CONV_2D", "FULLY_CONNECTED", "CONCATENATION",
                                           "CONV_2D", "SOFTMAX",         "TRANSPOSE"};
    static const int32_t indexes[NODES + 1] = {0, 1, 2, 3, 4, 5, 6};
    static const int32_t inputs[NODES][2] = {{0, NODES + 1}, {1, NODES + 2}, {2, 0},
                                             {3, NODES + 3}, {4, 0},         {5, 0}};
    static const struct rp_graph_tensor weights[WEIGHTS] = {{.rank = 4, .dims = {1, 1, 1, 8}},
                                                            {.rank = 2, .dims = {4, 8}},
                                                            {.rank = 4, .dims = {2, 1, 1, 8}}};
    *graph = (struct rp_graph){.format = RP_GRAPH_TFLITE, .producer = ""};
    graph->inputs = indexes;
    graph->outputs = &indexes[NODES];
    graph->input_count = graph->output_count = 1;
    for (int32_t i = 0; i <= NODES; i++)
        *RP_PUSH(arena, &graph->tensors) = (struct rp_graph_tensor){.name = "t",
                                                                    .element = RP_ELEMENT_INT8,
                                                                    .shape_known = true,
                                                                    .rank = 4,
                                                                    .dims = {1, 8, 8, 8},
                                                                    .producer = i - 1,
                                                                    .consumers = i < NODES};
    for (size_t i = 0; i < WEIGHTS; i++) {
        struct rp_graph_tensor *tensor = RP_PUSH(arena, &graph->tensors);
        *tensor = weights[i];
        tensor->name = "w";
        tensor->element = RP_ELEMENT_INT8;
        tensor->shape_known = tensor->constant = true;
        tensor->producer = RP_GRAPH_NONE;
        tensor->consumers = 1;
    }
    for (size_t i = 0; i < NODES; i++)
        *RP_PUSH(arena, &graph->nodes) =
            (struct rp_graph_node){.name = "n",
                                   .op = ops[i],
                                   .domain = "",
                                   .version = 1,
                                   .inputs = inputs[i],
                                   .input_count = 1 + (inputs[i][1] != 0),
                                   .outputs = &indexes[i + 1],
                                   .output_count = 1};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct rp_arena arena = {0};
    struct rp_error err = {0};
    struct rp_graph graph;
    struct rp_ops_network network;
    struct rp_ops_report report = {.path = "fuzz", .arena = &arena, .network_path = "n.c"};
    make_graph(&graph, &arena);
    rp_ops_judge(&report.ops, &arena, &graph);
    const char *text = rp_strndup(&arena, size != 0 ? (const char *)data : "", size);
    bool ok = rp_ops_compare(&network, &report.ops, "n.c",
                             &(struct rp_bytes){(const uint8_t *)text, size}, &err);
    require_error(ok, &err);
    if (ok) {
        report.network = &network;
        require_printed(&report);
    }
    rp_arena_release(&arena);
    return 0;
}
