/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a TFLite file (schema version 3). The first subgraph is the model. The others belong to
 * control flow; the options of the operators that use them name them.
 */
#include "toolchain/graph/tflite.h"

#include "toolchain/graph/flatbuffer.h"
#include "toolchain/graph/graph.h"
#include "toolchain/graph/reader.h"
#include "toolchain/graph/tflite_names.h"

/* Field numbers of the schema's tables. A union has two: its kind and its value. */
enum { MODEL_VERSION, MODEL_CODES, MODEL_SUBGRAPHS, MODEL_DESCRIPTION, MODEL_BUFFERS };
enum { CODE_OLD, CODE_CUSTOM, CODE_VERSION, CODE_BUILTIN };
enum { SUBGRAPH_TENSORS, SUBGRAPH_INPUTS, SUBGRAPH_OUTPUTS, SUBGRAPH_OPERATORS };
enum { BUFFER_DATA, BUFFER_OFFSET, BUFFER_SIZE };
enum { OP_CODE, OP_INPUTS, OP_OUTPUTS, OP_OPTIONS_KIND, OP_OPTIONS };
enum {
    TENSOR_SHAPE,
    TENSOR_TYPE,
    TENSOR_BUFFER,
    TENSOR_NAME,
    TENSOR_QUANTISATION,
    TENSOR_SPARSITY = 6,
    TENSOR_SIGNATURE,
    TENSOR_EXTERNAL = 10
};
enum { QUANT_SCALES = 2, QUANT_ZEROS, QUANT_DETAILS_KIND, QUANT_AXIS = 6 };

enum { SCHEMA_VERSION = 3 };

struct code {
    const char *op;
    bool custom;
    uint32_t version;
};

struct model {
    struct rp_graph_reader *reader;
    struct code *codes;
    size_t code_count;
    struct rp_fb_vector buffers;
};

static int32_t int_at(const struct rp_fb_vector *vector, size_t index) {
    return (int32_t)rp_get_le(vector->data + index * 4, 4);
}

/* ---- operator codes ---- */

static struct code read_code(struct rp_graph_reader *reader, const struct rp_fb_table *table) {
    /* The older field is a byte; a file with a code above 127 has both. */
    int32_t old = (int32_t)rp_fb_scalar(reader, table, CODE_OLD, 1);
    int32_t builtin = (int32_t)rp_fb_scalar(reader, table, CODE_BUILTIN, 4);
    if (builtin < old)
        builtin = old;
    struct code code = {.op = rp_tflite_builtin(builtin),
                        .custom = builtin == RP_TFLITE_CUSTOM,
                        .version = (uint32_t)rp_fb_scalar(reader, table, CODE_VERSION, 4)};
    if (code.custom)
        code.op = rp_fb_text(reader, table, CODE_CUSTOM);
    else if (code.op == NULL)
        code.op = rp_format(reader->arena, "BUILTIN_%d", (int)builtin);
    if (!reader->failed && *code.op == '\0')
        rp_graph_fail(reader, reader->data + table->at, "a custom operator that names no operator");
    if (!rp_fb_has(reader, table, CODE_VERSION))
        code.version = 1;
    return code;
}

static void read_codes(struct model *model, const struct rp_fb_table *root) {
    struct rp_graph_reader *reader = model->reader;
    struct rp_fb_vector list = rp_fb_list(reader, root, MODEL_CODES, 4);
    model->codes = rp_alloc(reader->arena, list.count, sizeof *model->codes);
    model->code_count = list.count;
    for (size_t i = 0; i < list.count && !reader->failed; i++) {
        struct rp_fb_table table = rp_fb_item(reader, &list, i);
        model->codes[i] = read_code(reader, &table);
    }
}

/* ---- tensors ---- */

static void read_shape(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                       struct rp_graph_tensor *tensor) {
    struct rp_fb_vector shape = rp_fb_list(reader, table, TENSOR_SHAPE, 4);
    struct rp_fb_vector signature = rp_fb_list(reader, table, TENSOR_SIGNATURE, 4);
    if (shape.count > RP_GRAPH_RANK_MAX)
        return;
    tensor->shape_known = true;
    tensor->rank = (unsigned)shape.count;
    for (size_t i = 0; i < shape.count; i++) {
        bool is_open = signature.count == shape.count && int_at(&signature, i) < 0;
        int32_t dim = int_at(&shape, i);
        tensor->dims[i] = is_open || dim < 0 ? -1 : dim;
    }
}

static void read_quantisation(struct rp_graph_reader *reader, const struct rp_fb_table *tensor_at,
                              struct rp_graph_tensor *tensor) {
    struct rp_fb_table table = rp_fb_child(reader, tensor_at, TENSOR_QUANTISATION);
    if (rp_fb_scalar(reader, &table, QUANT_DETAILS_KIND, 1) != 0) {
        rp_graph_fail(reader, reader->data + table.at,
                      "tensor '%s' has a quantisation (blockwise, custom) that is not supported",
                      tensor->name);
        return;
    }
    struct rp_fb_vector scales = rp_fb_list(reader, &table, QUANT_SCALES, 4);
    struct rp_fb_vector zeros = rp_fb_list(reader, &table, QUANT_ZEROS, 8);
    if (scales.count == 0)
        return;
    if (zeros.count > 1 && zeros.count != scales.count) {
        rp_graph_fail(reader, zeros.data, "tensor '%s' has %zu scales and %zu zero points",
                      tensor->name, scales.count, zeros.count);
        return;
    }
    double *scale = rp_alloc(reader->arena, scales.count, sizeof *scale);
    int64_t *zero = rp_alloc(reader->arena, scales.count, sizeof *zero);
    for (size_t i = 0; i < scales.count; i++) {
        scale[i] = (double)rp_graph_float((uint32_t)rp_get_le(scales.data + i * 4, 4));
        if (zeros.count != 0)
            zero[i] = (int64_t)rp_get_le(zeros.data + (zeros.count > 1 ? i : 0) * 8, 8);
    }
    int32_t axis = (int32_t)rp_fb_scalar(reader, &table, QUANT_AXIS, 4);
    tensor->quantisation = (struct rp_quantisation){scale, zero, scales.count, axis};
}

static bool read_data(const struct model *model, const struct rp_fb_table *table,
                      struct rp_graph_tensor *tensor) {
    struct rp_graph_reader *reader = model->reader;
    size_t index = (size_t)rp_fb_scalar(reader, table, TENSOR_BUFFER, 4);
    tensor->constant = rp_fb_scalar(reader, table, TENSOR_EXTERNAL, 4) != 0;
    if (tensor->constant || index == 0) /* the first buffer means "no value" */
        return !reader->failed;
    if (index >= model->buffers.count)
        return rp_graph_fail(reader, reader->data + table->at,
                             "tensor '%s' has buffer %zu, and there are %zu", tensor->name, index,
                             model->buffers.count);
    struct rp_fb_table buffer = rp_fb_item(reader, &model->buffers, index);
    struct rp_fb_vector data = rp_fb_bytes(reader, &buffer, BUFFER_DATA);
    uint64_t offset = rp_fb_scalar(reader, &buffer, BUFFER_OFFSET, 8);
    uint64_t size = rp_fb_scalar(reader, &buffer, BUFFER_SIZE, 8);
    if (offset > 1) { /* the value follows the FlatBuffers part; 1 means that it is not there */
        if (offset > reader->size || size > reader->size - offset)
            return rp_graph_fail(reader, reader->data + buffer.at,
                                 "the value of tensor '%s' lies outside the file", tensor->name);
        data = (struct rp_fb_vector){reader->data + offset, (size_t)size};
    }
    tensor->constant = data.count != 0;
    tensor->size_bytes = data.count;
    tensor->sparse = tensor->constant && rp_fb_has(reader, table, TENSOR_SPARSITY);
    if (tensor->constant && !tensor->sparse)
        tensor->data = data.data;
    return !reader->failed && rp_graph_check_size(reader, tensor);
}

static bool read_tensors(const struct model *model, const struct rp_fb_table *subgraph) {
    struct rp_graph_reader *reader = model->reader;
    struct rp_fb_vector list = rp_fb_list(reader, subgraph, SUBGRAPH_TENSORS, 4);
    for (size_t i = 0; i < list.count; i++) {
        struct rp_fb_table table = rp_fb_item(reader, &list, i);
        struct rp_graph_tensor *tensor = rp_graph_add_tensor(reader);
        if (tensor == NULL)
            return false;
        tensor->name = rp_fb_text(reader, &table, TENSOR_NAME);
        tensor->element = rp_tflite_element(rp_fb_scalar(reader, &table, TENSOR_TYPE, 1));
        read_shape(reader, &table, tensor);
        read_quantisation(reader, &table, tensor);
        if (reader->failed || !read_data(model, &table, tensor))
            return false;
    }
    return !reader->failed;
}

/* ---- operators ---- */

static const int32_t *read_indexes(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                                   unsigned field, size_t *count) {
    struct rp_fb_vector list = rp_fb_list(reader, table, field, 4);
    int32_t *indexes = rp_alloc(reader->arena, list.count, sizeof *indexes);
    for (size_t i = 0; i < list.count; i++) {
        indexes[i] = int_at(&list, i);
        if (indexes[i] < RP_GRAPH_NONE ||
            (indexes[i] >= 0 && (size_t)indexes[i] >= reader->graph->tensors.count)) {
            rp_graph_fail(reader, list.data + i * 4, "there is no tensor %d, but %zu of them",
                          (int)indexes[i], reader->graph->tensors.count);
            return NULL;
        }
    }
    *count = list.count;
    return indexes;
}

static void read_option(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                        unsigned field, const struct rp_tflite_option *option,
                        struct rp_attribute *out) {
    bool is_wide = option->kind == RP_TFLITE_INT || option->kind == RP_TFLITE_REAL;
    *out = (struct rp_attribute){.name = option->name};
    if (option->kind == RP_TFLITE_LIST) {
        struct rp_fb_vector list = rp_fb_list(reader, table, field, 4);
        int64_t *values = rp_alloc(reader->arena, list.count, sizeof *values);
        for (size_t i = 0; i < list.count; i++)
            values[i] = int_at(&list, i);
        out->list = values;
        out->count = list.count;
        return;
    }
    uint64_t bits = rp_fb_has(reader, table, field)
                        ? rp_fb_scalar(reader, table, field, is_wide ? 4 : 1)
                        : (uint64_t)option->fallback;
    if (option->kind == RP_TFLITE_REAL)
        out->real = (double)rp_graph_float((uint32_t)bits);
    else
        out->integer = (int32_t)bits;
    if (option->kind > RP_TFLITE_LIST)
        out->text = rp_tflite_text(option->kind, bits);
}

static void read_options(struct rp_graph_reader *reader, const struct rp_fb_table *op,
                         struct rp_graph_node *node) {
    const struct rp_tflite_option *options =
        rp_tflite_options(rp_fb_scalar(reader, op, OP_OPTIONS_KIND, 1));
    struct rp_fb_table table = rp_fb_child(reader, op, OP_OPTIONS);
    size_t count = 0;
    if (options == NULL || table.at == 0)
        return;
    while (options[count].kind != RP_TFLITE_END)
        count++;
    struct rp_attribute *attributes = rp_alloc(reader->arena, count, sizeof *attributes);
    for (size_t i = 0; i < count; i++)
        read_option(reader, &table, (unsigned)i, &options[i], &attributes[i]);
    node->attributes = attributes;
    node->attribute_count = count;
}

static bool read_operators(const struct model *model, const struct rp_fb_table *subgraph) {
    struct rp_graph_reader *reader = model->reader;
    struct rp_fb_vector list = rp_fb_list(reader, subgraph, SUBGRAPH_OPERATORS, 4);
    for (size_t i = 0; i < list.count; i++) {
        struct rp_fb_table table = rp_fb_item(reader, &list, i);
        struct rp_graph_node *node = rp_graph_add_node(reader);
        size_t code = (size_t)rp_fb_scalar(reader, &table, OP_CODE, 4);
        if (node == NULL || reader->failed)
            return false;
        if (code >= model->code_count)
            return rp_graph_fail(reader, reader->data + table.at,
                                 "operator %zu is of kind %zu, and there are %zu", i, code,
                                 model->code_count);
        node->op = model->codes[code].op;
        node->custom = model->codes[code].custom;
        node->version = model->codes[code].version;
        node->inputs = read_indexes(reader, &table, OP_INPUTS, &node->input_count);
        node->outputs = read_indexes(reader, &table, OP_OUTPUTS, &node->output_count);
        read_options(reader, &table, node);
        if (reader->failed)
            return false;
    }
    return !reader->failed;
}

/* ---- the file ---- */

static bool read_subgraph(const struct model *model, const struct rp_fb_table *subgraph) {
    struct rp_graph_reader *reader = model->reader;
    struct rp_graph *graph = reader->graph;
    if (!read_tensors(model, subgraph))
        return false;
    graph->inputs = read_indexes(reader, subgraph, SUBGRAPH_INPUTS, &graph->input_count);
    graph->outputs = read_indexes(reader, subgraph, SUBGRAPH_OUTPUTS, &graph->output_count);
    if (reader->failed)
        return false;
    for (size_t i = 0; i < graph->input_count; i++)
        if (graph->inputs[i] == RP_GRAPH_NONE)
            return rp_graph_fail(reader, NULL, "input %zu of the model is not a tensor", i);
    for (size_t i = 0; i < graph->output_count; i++)
        if (graph->outputs[i] == RP_GRAPH_NONE)
            return rp_graph_fail(reader, NULL, "output %zu of the model is not a tensor", i);
    return read_operators(model, subgraph);
}

bool rp_tflite_read(struct rp_graph_reader *reader) {
    struct model model = {.reader = reader};
    reader->left = reader->size * 2 + 4096;
    struct rp_fb_table root = rp_fb_root(reader);
    uint64_t version = rp_fb_scalar(reader, &root, MODEL_VERSION, 4);
    if (!reader->failed && version != SCHEMA_VERSION)
        return rp_graph_fail(reader, NULL, "TFLite schema version %llu: only %d is understood",
                             (unsigned long long)version, SCHEMA_VERSION);
    read_codes(&model, &root);
    reader->graph->producer = rp_fb_text(reader, &root, MODEL_DESCRIPTION);
    model.buffers = rp_fb_list(reader, &root, MODEL_BUFFERS, 4);
    struct rp_fb_vector subgraphs = rp_fb_list(reader, &root, MODEL_SUBGRAPHS, 4);
    if (reader->failed)
        return false;
    if (subgraphs.count == 0)
        return rp_graph_fail(reader, NULL, "it has no graph");
    reader->graph->inner_graphs = subgraphs.count - 1;
    struct rp_fb_table subgraph = rp_fb_item(reader, &subgraphs, 0);
    return !reader->failed && read_subgraph(&model, &subgraph);
}
