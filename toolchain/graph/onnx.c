/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads an ONNX file. Its values have names; here they get numbers, in the order of initialisers,
 * inputs, outputs, other known values, and outputs of nodes. Graphs inside attributes (If, Loop)
 * are not read. Field numbers are those of onnx.proto.
 */
#include "toolchain/graph/onnx.h"

#include <search.h>
#include <string.h>

#include "base/arena.h"
#include "toolchain/graph/graph.h"
#include "toolchain/graph/onnx_field.h"
#include "toolchain/graph/onnx_tensor.h"
#include "toolchain/graph/reader.h"

enum { MODEL_PRODUCER = 2, MODEL_PRODUCER_VERSION = 3, MODEL_GRAPH = 7, MODEL_OPSET = 8 };
enum { OPSET_DOMAIN = 1, OPSET_VERSION = 2 };
enum {
    GRAPH_NODE = 1,
    GRAPH_INITIALISER = 5,
    GRAPH_INPUT = 11,
    GRAPH_OUTPUT = 12,
    GRAPH_VALUE = 13,
    GRAPH_SPARSE = 15
};
enum {
    NODE_INPUT = 1,
    NODE_OUTPUT = 2,
    NODE_NAME = 3,
    NODE_OP = 4,
    NODE_ATTRIBUTE = 5,
    NODE_DOMAIN = 7
};
/* No list attribute that is read has more numbers. */
enum { LIST_MAX = 1 << 16 };
enum { VALUE_NAME = 1, VALUE_TYPE = 2, TENSOR_NAME = 8, SPARSE_VALUES = 1 };
enum {
    ATTRIBUTE_NAME = 1,
    ATTRIBUTE_FLOAT = 2,
    ATTRIBUTE_INT = 3,
    ATTRIBUTE_STRING = 4,
    ATTRIBUTE_TENSOR = 5,
    ATTRIBUTE_FLOATS = 7,
    ATTRIBUTE_INTS = 8
};

/* A tensor's name in the file. The tree stays balanced, whatever the names are. */
struct name {
    struct rp_pb bytes;
    int32_t index;
};

struct onnx {
    struct rp_graph_reader *reader;
    void *names; /* of <search.h> */
};

/* ---- fields ---- */

static const char *text_at(struct onnx *onnx, struct rp_pb body, uint32_t number) {
    struct rp_pb_field field = rp_onnx_find(onnx->reader, body, number, RP_PB_BYTES);
    return rp_onnx_text(onnx->reader, &field.body);
}

static size_t count_fields(struct onnx *onnx, struct rp_pb body, uint32_t number) {
    struct rp_pb_field field;
    size_t count = 0;
    while (rp_onnx_next(onnx->reader, &body, &field))
        count += rp_onnx_is(&field, number, RP_PB_BYTES);
    return count;
}

/* ---- names ---- */

static int compare_names(const void *left, const void *right) {
    const struct rp_pb *a = &((const struct name *)left)->bytes;
    const struct rp_pb *b = &((const struct name *)right)->bytes;
    if (a->size != b->size)
        return a->size < b->size ? -1 : 1;
    return memcmp(a->data, b->data, a->size);
}

static void keep_name(void *name) {
    (void)name; /* it belongs to the arena */
}

/* The tensor of this name, created if necessary; RP_GRAPH_NONE after a failure. */
static int32_t tensor_of(struct onnx *onnx, const struct rp_pb *bytes) {
    struct name key = {*bytes, (int32_t)onnx->reader->graph->tensors.count};
    struct name **found = (struct name **)tfind(&key, &onnx->names, compare_names);
    if (found != NULL)
        return (*found)->index;
    struct name *name = rp_alloc(onnx->reader->arena, 1, sizeof *name);
    *name = key;
    if (tsearch(name, &onnx->names, compare_names) == NULL)
        rp_out_of_memory();
    struct rp_graph_tensor *tensor = rp_graph_add_tensor(onnx->reader);
    if (tensor == NULL)
        return RP_GRAPH_NONE;
    tensor->name = rp_onnx_text(onnx->reader, bytes);
    return name->index;
}

/* The tensor of this name; RP_GRAPH_NONE for an omitted value, which has no name. */
static int32_t tensor_or_none(struct onnx *onnx, const struct rp_pb *bytes) {
    return bytes->size == 0 ? RP_GRAPH_NONE : tensor_of(onnx, bytes);
}

/* ---- initialisers, inputs and outputs ---- */

static bool read_initialiser(struct onnx *onnx, const struct rp_pb *body) {
    struct rp_graph_reader *reader = onnx->reader;
    struct rp_pb_field name = rp_onnx_find(reader, *body, TENSOR_NAME, RP_PB_BYTES);
    if (reader->failed)
        return false;
    if (name.body.size == 0)
        return rp_graph_fail(reader, body->data, "an initialiser without a name");
    int32_t index = tensor_of(onnx, &name.body);
    if (index == RP_GRAPH_NONE)
        return false;
    struct rp_graph_tensor *tensor = &reader->graph->tensors.items[index];
    if (tensor->constant)
        return rp_graph_fail(reader, body->data, "initialiser '%s' occurs twice", tensor->name);
    return rp_onnx_tensor(reader, *body, tensor);
}

static bool read_initialisers(struct onnx *onnx, struct rp_pb graph) {
    struct rp_pb_field field;
    while (rp_onnx_next(onnx->reader, &graph, &field)) {
        if (rp_onnx_is(&field, GRAPH_SPARSE, RP_PB_BYTES)) {
            struct rp_pb_field values =
                rp_onnx_find(onnx->reader, field.body, SPARSE_VALUES, RP_PB_BYTES);
            return rp_graph_fail(onnx->reader, field.body.data,
                                 "initialiser '%s' is a sparse tensor, which is not supported",
                                 text_at(onnx, values.body, TENSOR_NAME));
        }
        if (rp_onnx_is(&field, GRAPH_INITIALISER, RP_PB_BYTES) &&
            !read_initialiser(onnx, &field.body))
            return false;
    }
    return !onnx->reader->failed;
}

/* Reads a ValueInfoProto. Returns the index of its tensor, or RP_GRAPH_NONE after a failure. */
static int32_t read_value(struct onnx *onnx, const struct rp_pb *body) {
    struct rp_graph_reader *reader = onnx->reader;
    struct rp_pb_field name = rp_onnx_find(reader, *body, VALUE_NAME, RP_PB_BYTES);
    struct rp_pb_field type = rp_onnx_find(reader, *body, VALUE_TYPE, RP_PB_BYTES);
    if (!reader->failed && name.body.size == 0)
        rp_graph_fail(reader, body->data, "an input, output or value without a name");
    int32_t index = reader->failed ? RP_GRAPH_NONE : tensor_of(onnx, &name.body);
    if (index == RP_GRAPH_NONE)
        return index;
    struct rp_graph_tensor *tensor = &reader->graph->tensors.items[index];
    bool is_typed = tensor->constant || tensor->element != RP_ELEMENT_OTHER;
    return is_typed || rp_onnx_type(reader, type.body, tensor) ? index : RP_GRAPH_NONE;
}

/* Reads inputs, outputs or other values. indexes has room for them or is NULL. */
static bool read_values(struct onnx *onnx, struct rp_pb graph, uint32_t number, int32_t *indexes,
                        size_t *count) {
    struct rp_pb_field field;
    *count = 0;
    while (rp_onnx_next(onnx->reader, &graph, &field)) {
        if (!rp_onnx_is(&field, number, RP_PB_BYTES))
            continue;
        int32_t index = read_value(onnx, &field.body);
        if (index == RP_GRAPH_NONE)
            return false;
        /* Initialisers were listed among the inputs until IR version 4. */
        bool is_default =
            number == GRAPH_INPUT && onnx->reader->graph->tensors.items[index].constant;
        if (indexes != NULL && !is_default)
            indexes[(*count)++] = index;
    }
    return !onnx->reader->failed;
}

static bool read_interface(struct onnx *onnx, struct rp_pb body) {
    struct rp_graph_reader *reader = onnx->reader;
    struct rp_graph *graph = reader->graph;
    size_t others;
    int32_t *inputs =
        rp_alloc(reader->arena, count_fields(onnx, body, GRAPH_INPUT), sizeof *inputs);
    int32_t *outputs =
        rp_alloc(reader->arena, count_fields(onnx, body, GRAPH_OUTPUT), sizeof *outputs);
    graph->inputs = inputs;
    graph->outputs = outputs;
    return read_values(onnx, body, GRAPH_INPUT, inputs, &graph->input_count) &&
           read_values(onnx, body, GRAPH_OUTPUT, outputs, &graph->output_count) &&
           read_values(onnx, body, GRAPH_VALUE, NULL, &others);
}

/* ---- nodes ---- */

/* The tensor of an attribute; errors name it after the attribute. */
static const struct rp_graph_tensor *read_tensor(struct onnx *onnx, struct rp_pb body,
                                                 const char *name) {
    struct rp_graph_tensor *tensor = rp_alloc(onnx->reader->arena, 1, sizeof *tensor);
    *tensor = (struct rp_graph_tensor){.name = name, .producer = RP_GRAPH_NONE};
    return rp_onnx_tensor(onnx->reader, body, tensor) ? tensor : NULL;
}

static void read_attribute(struct onnx *onnx, struct rp_pb body, struct rp_attribute *out) {
    /* By field number, the kinds that are only named, not read. */
    static const char *const kinds[] = {[ATTRIBUTE_TENSOR] = "<tensor>",
                                        [6] = "<graph>",
                                        [ATTRIBUTE_FLOATS] = "<floats>",
                                        [9] = "<strings>",
                                        [10] = "<tensors>",
                                        [11] = "<graphs>",
                                        [14] = "<type>",
                                        [15] = "<types>",
                                        [22] = "<sparse tensor>",
                                        [23] = "<sparse tensors>"};
    struct rp_pb_field field;
    *out = (struct rp_attribute){.name = text_at(onnx, body, ATTRIBUTE_NAME)};
    if (!onnx->reader->failed && *out->name == '\0') {
        rp_graph_fail(onnx->reader, body.data, "an attribute without a name");
        return;
    }
    out->count = rp_onnx_count(onnx->reader, body, ATTRIBUTE_INTS, RP_PB_VARINT);
    if (out->count > LIST_MAX) {
        rp_graph_fail(onnx->reader, body.data, "attribute '%s' has %zu numbers: more than %d",
                      out->name, out->count, LIST_MAX);
        return;
    }
    if (out->count != 0)
        out->list = rp_onnx_ints(onnx->reader, body, ATTRIBUTE_INTS, &out->count);
    while (rp_onnx_next(onnx->reader, &body, &field)) {
        if (rp_onnx_is(&field, ATTRIBUTE_FLOAT, RP_PB_FIXED32)) {
            out->real = (double)rp_graph_float((uint32_t)field.value);
        } else if (rp_onnx_is(&field, ATTRIBUTE_INT, RP_PB_VARINT)) {
            out->integer = (int64_t)field.value;
        } else if (rp_onnx_is(&field, ATTRIBUTE_STRING, RP_PB_BYTES)) {
            out->text = rp_onnx_text(onnx->reader, &field.body);
        } else if (field.number < sizeof kinds / sizeof kinds[0] && kinds[field.number] != NULL) {
            out->text = kinds[field.number];
            if (rp_onnx_is(&field, ATTRIBUTE_TENSOR, RP_PB_BYTES))
                out->tensor = read_tensor(onnx, field.body, out->name);
            onnx->reader->graph->inner_graphs += strncmp(out->text, "<graph", 6) == 0;
        }
    }
}

/* The numbers of a Constant whose attribute is not a tensor. */
static void read_numbers(struct onnx *onnx, struct rp_pb body, struct rp_graph_tensor *tensor) {
    static const struct {
        const char *name;
        struct rp_onnx_numbers what;
        enum rp_element element;
        unsigned rank;
    } rows[] = {{"value_int", {ATTRIBUTE_INT, RP_PB_VARINT, 8}, RP_ELEMENT_INT64, 0},
                {"value_ints", {ATTRIBUTE_INTS, RP_PB_VARINT, 8}, RP_ELEMENT_INT64, 1},
                {"value_float", {ATTRIBUTE_FLOAT, RP_PB_FIXED32, 4}, RP_ELEMENT_FLOAT32, 0},
                {"value_floats", {ATTRIBUTE_FLOATS, RP_PB_FIXED32, 4}, RP_ELEMENT_FLOAT32, 1}};
    const char *name = text_at(onnx, body, ATTRIBUTE_NAME);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t count;
        if (strcmp(rows[i].name, name) != 0)
            continue;
        tensor->data = rp_onnx_numbers(onnx->reader, body, rows[i].what, &count);
        tensor->size_bytes = count * rows[i].what.width;
        tensor->element = rows[i].element;
        tensor->shape_known = rows[i].rank == 1 || count == 1;
        tensor->rank = rows[i].rank;
        tensor->dims[0] = (int64_t)count;
    }
}

/* The output of a Constant node has the value of its tensor, or the numbers of its attribute. */
static bool read_constant(struct onnx *onnx, struct rp_pb body, const struct rp_graph_node *node) {
    struct rp_graph_reader *reader = onnx->reader;
    const struct rp_attribute *value = rp_graph_attribute(node, "value");
    struct rp_pb_field field;
    if (node->output_count != 1 || node->outputs[0] == RP_GRAPH_NONE)
        return rp_graph_fail(reader, body.data, "a Constant without an output");
    struct rp_graph_tensor *tensor = &reader->graph->tensors.items[node->outputs[0]];
    if (tensor->constant)
        return rp_graph_fail(reader, body.data,
                             "tensor '%s' already has a value, but a Constant gives it one",
                             tensor->name);
    if (value != NULL && value->tensor != NULL) {
        const char *name = tensor->name;
        *tensor = *value->tensor;
        tensor->name = name;
    }
    tensor->constant = true;
    while (rp_onnx_next(reader, &body, &field))
        if (rp_onnx_is(&field, NODE_ATTRIBUTE, RP_PB_BYTES))
            read_numbers(onnx, field.body, tensor);
    return !reader->failed;
}

/* The texts of a node, and the lengths of its lists. */
static void read_node_head(struct onnx *onnx, struct rp_pb body, struct rp_graph_node *node) {
    struct rp_pb_field field;
    while (rp_onnx_next(onnx->reader, &body, &field)) {
        if (field.kind != RP_PB_BYTES)
            continue;
        node->input_count += field.number == NODE_INPUT;
        node->output_count += field.number == NODE_OUTPUT;
        node->attribute_count += field.number == NODE_ATTRIBUTE;
        if (field.number == NODE_NAME)
            node->name = rp_onnx_text(onnx->reader, &field.body);
        else if (field.number == NODE_OP)
            node->op = rp_onnx_text(onnx->reader, &field.body);
        else if (field.number == NODE_DOMAIN)
            node->domain = rp_onnx_text(onnx->reader, &field.body);
    }
    if (strcmp(node->domain, "ai.onnx") == 0)
        node->domain = "";
    /* not those of the standard, or of onnxruntime's quantiser */
    node->custom = *node->domain != '\0' && strcmp(node->domain, "ai.onnx.ml") != 0 &&
                   strcmp(node->domain, "com.microsoft") != 0;
}

static void read_node_lists(struct onnx *onnx, struct rp_pb body, struct rp_graph_node *node) {
    struct rp_arena *arena = onnx->reader->arena;
    struct rp_pb_field field;
    int32_t *inputs = rp_alloc(arena, node->input_count, sizeof *inputs);
    int32_t *outputs = rp_alloc(arena, node->output_count, sizeof *outputs);
    struct rp_attribute *attribute = NULL;
    if (!rp_onnx_pay(onnx->reader, body, node->attribute_count, sizeof *attribute))
        return;
    attribute = rp_alloc(arena, node->attribute_count, sizeof *attribute);
    node->inputs = inputs;
    node->outputs = outputs;
    node->attributes = attribute;
    while (rp_onnx_next(onnx->reader, &body, &field)) {
        if (field.kind != RP_PB_BYTES)
            continue;
        if (field.number == NODE_INPUT)
            *inputs++ = tensor_or_none(onnx, &field.body);
        else if (field.number == NODE_OUTPUT)
            *outputs++ = tensor_or_none(onnx, &field.body);
        else if (field.number == NODE_ATTRIBUTE)
            read_attribute(onnx, field.body, attribute++);
    }
}

static bool read_node(struct onnx *onnx, struct rp_pb body) {
    struct rp_graph_node *node = rp_graph_add_node(onnx->reader);
    if (node == NULL)
        return false;
    read_node_head(onnx, body, node);
    if (!onnx->reader->failed && *node->op == '\0')
        return rp_graph_fail(onnx->reader, body.data, "a node without an operator");
    read_node_lists(onnx, body, node);
    if (onnx->reader->failed)
        return false;
    return strcmp(node->op, "Constant") != 0 || *node->domain != '\0' ||
           read_constant(onnx, body, node);
}

/* ---- the file ---- */

static bool read_graph(struct onnx *onnx, struct rp_pb body) {
    struct rp_pb_field field;
    if (!read_initialisers(onnx, body) || !read_interface(onnx, body))
        return false;
    while (rp_onnx_next(onnx->reader, &body, &field))
        if (rp_onnx_is(&field, GRAPH_NODE, RP_PB_BYTES) && !read_node(onnx, field.body))
            return false;
    return !onnx->reader->failed;
}

bool rp_onnx_read(struct rp_graph_reader *reader) {
    struct onnx onnx = {reader, NULL};
    struct rp_pb model = {reader->data, reader->size, false}, rest = model;
    struct rp_pb_field field, graph = {0};
    bool has_opset = false;
    reader->left = rp_onnx_memory(reader->size);
    while (rp_onnx_next(reader, &rest, &field)) {
        if (rp_onnx_is(&field, MODEL_OPSET, RP_PB_BYTES)) {
            const char *domain = text_at(&onnx, field.body, OPSET_DOMAIN);
            if (*domain == '\0' || strcmp(domain, "ai.onnx") == 0)
                reader->graph->opset =
                    (int64_t)rp_onnx_find(reader, field.body, OPSET_VERSION, RP_PB_VARINT).value;
            has_opset = true;
        }
        if (!rp_onnx_is(&field, MODEL_GRAPH, RP_PB_BYTES))
            continue;
        if (graph.number != 0)
            return rp_graph_fail(reader, field.body.data, "it has two graphs");
        graph = field;
    }
    const char *name = text_at(&onnx, model, MODEL_PRODUCER);
    const char *version = text_at(&onnx, model, MODEL_PRODUCER_VERSION);
    reader->graph->producer =
        rp_format(reader->arena, "%s%s%s", name, *version != '\0' ? " " : "", version);
    if (!reader->failed && graph.number == 0)
        return rp_graph_fail(reader, NULL,
                             "neither TFLite (TFL3 at offset 4) nor ONNX (it has no graph)");
    if (!reader->failed && !has_opset) /* it is usually the last field of a file */
        return rp_graph_fail(reader, NULL,
                             "truncated, or not an ONNX file: it has no operator set");
    bool ok = !reader->failed && read_graph(&onnx, graph.body);
    tdestroy(onnx.names, keep_name);
    return ok;
}
