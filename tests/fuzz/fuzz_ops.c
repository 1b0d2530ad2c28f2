/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target of toolchain/ops and cli/ops: any bytes become a sound but odd graph, of operators
 * that are in the tables or whose shapes are given; it is judged and printed.
 */
#include "tests/fuzz/fuzz_ops.h"

#include "toolchain/ops/tables.h"

enum { TENSORS = 8, NODES = 24, INPUTS = 9, DATA_MAX = 64 };

static const int64_t numbers[] = {0,  1,  2,  3,   4,     5,   7,          8,
                                  12, 16, 32, 224, 65535, 127, 2147483647, -1};

struct source {
    const uint8_t *data;
    size_t left;
    struct rp_arena arena;
    struct rp_graph graph;
    void *block[TENSORS]; /* data, apart from each other, so that a read past its end is found */
    size_t blocks;
};

static unsigned take(struct source *source, unsigned below) {
    if (source->left == 0)
        return 0;
    source->left--;
    return *source->data++ % below;
}

static int64_t take_number(struct source *source) {
    unsigned index = take(source, 20);
    return index < 16   ? numbers[index]
           : index < 19 ? (int64_t)take(source, 256) - 128
                        : INT64_MIN + (int64_t)take(source, 2);
}

static int64_t *take_list(struct source *source, size_t count) {
    int64_t *list = rp_alloc(&source->arena, count, sizeof *list);
    for (size_t i = 0; i < count; i++)
        list[i] = take_number(source);
    return list;
}

/* Has the size that type and shape need, as readers check; any size if the type is unknown. */
static void take_data(struct source *source, struct rp_graph_tensor *tensor, size_t elements) {
    size_t bits = rp_element_bits(tensor->element);
    bool is_free = bits == 0 || !tensor->shape_known;
    tensor->size_bytes = is_free ? take(source, DATA_MAX) : (elements * bits + 7) / 8;
    uint8_t *data = malloc(tensor->size_bytes != 0 ? tensor->size_bytes : 1);
    require(data != NULL && source->blocks < TENSORS);
    source->block[source->blocks++] = data;
    for (size_t i = 0; i < tensor->size_bytes; i++)
        data[i] = (uint8_t)take(source, 256);
    tensor->data = data;
}

/* As readers deliver them: no dimension below -1. */
static void take_tensor(struct source *source, bool is_made) {
    struct rp_graph_tensor *tensor = RP_PUSH(&source->arena, &source->graph.tensors);
    size_t elements = 1;
    *tensor = (struct rp_graph_tensor){.name = "t\\|\"", .producer = RP_GRAPH_NONE};
    tensor->element = (enum rp_element)take(source, RP_ELEMENTS);
    unsigned rank = take(source, RP_GRAPH_RANK_MAX + 2);
    tensor->shape_known = rank <= RP_GRAPH_RANK_MAX;
    tensor->rank = tensor->shape_known ? rank : 0;
    for (unsigned i = 0; i < tensor->rank; i++) {
        int64_t dim = take_number(source);
        tensor->dims[i] = dim < 0 ? -1 : dim;
        elements = dim > 0 && dim <= DATA_MAX && elements <= DATA_MAX ? elements * (size_t)dim
                                                                      : DATA_MAX + 1;
    }
    tensor->constant = !is_made && take(source, 2) != 0;
    if (tensor->constant && elements <= DATA_MAX)
        take_data(source, tensor, elements);
    struct rp_quantisation *q = &tensor->quantisation;
    q->count = source->graph.format == RP_GRAPH_TFLITE ? take(source, 4) : 0;
    double *scales = rp_alloc(&source->arena, q->count, sizeof *scales);
    q->zero_points = q->count != 0 ? take_list(source, q->count) : NULL;
    q->scales = q->count != 0 ? scales : NULL;
}

static void take_attribute(struct source *source, struct rp_attribute *out) {
    static const char *const names[] = {"axis",
                                        "axes",
                                        "kernel_shape",
                                        "strides",
                                        "dilations",
                                        "pads",
                                        "group",
                                        "auto_pad",
                                        "padding",
                                        "stride_h",
                                        "stride_w",
                                        "filter_width",
                                        "mode",
                                        "ceil_mode",
                                        "filter_height",
                                        "transB",
                                        "adj_y",
                                        "nearest_mode",
                                        "perm",
                                        "dilation_w_factor",
                                        "align_corners",
                                        "keep_dims",
                                        "to",
                                        "coordinate_transformation_mode",
                                        "blocksize",
                                        "split",
                                        "keepdims",
                                        "output_shape",
                                        "starts",
                                        "ends",
                                        "steps",
                                        "start",
                                        "end",
                                        "k",
                                        "value",
                                        "shape",
                                        "allowzero",
                                        "num_outputs",
                                        "output_padding",
                                        "layout",
                                        "noop_with_empty_axes",
                                        "output_dtype",
                                        "channels_last",
                                        "broadcast"};
    static const char *const texts[] = {NULL,     "SAME",    "SAME_LOWER", "VALID",     "constant",
                                        "linear", "nearest", "asymmetric", "<tensor>\\"};
    *out = (struct rp_attribute){.name = names[take(source, sizeof names / sizeof names[0])]};
    out->text = texts[take(source, sizeof texts / sizeof texts[0])];
    out->integer = take_number(source);
    out->count = take(source, 10);
    out->list = out->count != 0 ? take_list(source, out->count) : NULL;
    if (strcmp(out->name, "value") == 0)
        out->tensor = &source->graph.tensors.items[take(source, TENSORS)];
}

/* Of ONNX, in no table or among the last: shapes, types and values of their outputs are told. */
static const char *const told[] = {"Where",
                                   "Expand",
                                   "ConstantOfShape",
                                   "LSTM",
                                   "GRU",
                                   "TopK",
                                   "Dropout",
                                   "Shape",
                                   "Size",
                                   "Cast",
                                   "CastLike",
                                   "Gather",
                                   "GatherElements",
                                   "Tile",
                                   "Equal",
                                   "ReduceSum",
                                   "Trilu",
                                   "MatMulInteger",
                                   "ConvInteger",
                                   "DynamicQuantizeLinear",
                                   "QLinearConcat",
                                   "QLinearGlobalAveragePool",
                                   "QLinearSigmoid",
                                   "QLinearAdd",
                                   "QLinearConv",
                                   "Unsqueeze",
                                   "Squeeze",
                                   "SpaceToDepth",
                                   "DepthToSpace",
                                   "ConvTranspose",
                                   "Upsample",
                                   "Constant"};

static const char *take_operator(struct source *source) {
    size_t count = 0, index = take(source, 192);
    const struct rp_ops_operator *row = NULL;
    for (size_t i = 0; rp_ops_operator_at(i) != NULL; i++)
        if (rp_ops_operator_at(i)->format == source->graph.format && count++ == index)
            row = rp_ops_operator_at(i);
    if (row != NULL)
        return row->op;
    index = take(source, 2 + sizeof told / sizeof told[0]);
    return index == 0 ? "If" : index == 1 ? "Own|<b>" : told[index - 2];
}

/* Reads existing tensors and makes new ones. */
static void take_node(struct source *source) {
    struct rp_graph *graph = &source->graph;
    int32_t index = (int32_t)graph->nodes.count, here = (int32_t)graph->tensors.count;
    struct rp_graph_node node = {.name = "n\\|`", .domain = "", .version = 1};
    node.op = take_operator(source);
    node.custom = take(source, 16) == 1;
    node.input_count = take(source, 8) == 0 ? INPUTS : take(source, 4);
    int32_t *inputs = rp_alloc(&source->arena, INPUTS, sizeof *inputs);
    for (size_t i = 0; i < node.input_count; i++) {
        inputs[i] = here - 1 - (int32_t)take(source, 6);
        inputs[i] = inputs[i] >= 0 ? inputs[i] : (int32_t)take(source, TENSORS + 1) - 1;
        inputs[i] = inputs[i] < here ? inputs[i] : RP_GRAPH_NONE;
        if (inputs[i] >= 0)
            graph->tensors.items[inputs[i]].consumers++;
    }
    node.output_count = take(source, 8) == 0 ? take(source, 3) : 1;
    int32_t *outputs = rp_alloc(&source->arena, node.output_count, sizeof *outputs);
    for (size_t i = 0; i < node.output_count; i++) {
        outputs[i] = here + (int32_t)i;
        take_tensor(source, true);
        graph->tensors.items[outputs[i]].producer = index;
    }
    node.attribute_count = take(source, 4);
    struct rp_attribute *attributes =
        rp_alloc(&source->arena, node.attribute_count, sizeof *attributes);
    for (size_t i = 0; i < node.attribute_count; i++)
        take_attribute(source, &attributes[i]);
    node.inputs = inputs;
    node.outputs = outputs;
    node.attributes = attributes;
    *RP_PUSH(&source->arena, &graph->nodes) = node;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct source source = {.data = data, .left = size, .graph = {.producer = ""}};
    struct rp_graph *graph = &source.graph;
    graph->format = (enum rp_graph_format)take(&source, 2);
    graph->opset = take(&source, 20);
    for (size_t i = 0; i < TENSORS; i++)
        take_tensor(&source, false);
    while (source.left != 0 && graph->nodes.count < NODES)
        take_node(&source);
    int32_t *outputs = rp_alloc(&source.arena, graph->tensors.count, sizeof *outputs);
    for (size_t i = TENSORS; i < graph->tensors.count; i++)
        if (graph->tensors.items[i].consumers == 0 || i % 16 == 0)
            outputs[graph->output_count++] = (int32_t)i;
    graph->outputs = outputs;
    require_ops(&source.arena, graph);
    for (size_t i = 0; i < source.blocks; i++)
        free(source.block[i]);
    rp_arena_release(&source.arena);
    return 0;
}
