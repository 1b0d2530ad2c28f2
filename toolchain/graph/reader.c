/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A model file as a graph: tells the format, has it read, and links tensors to the nodes that make
 * and use them. See graph.h.
 */
#include "toolchain/graph/graph.h"

#include <stdio.h>
#include <string.h>

#include "toolchain/graph/reader.h"

bool rp_graph_fail(struct rp_graph_reader *reader, const uint8_t *where, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *why = rp_vformat(reader->arena, fmt, args);
    va_end(args);
    reader->failed = true;
    if (where == NULL)
        return rp_fail(reader->err, RP_E_INPUT, "model file '%s': %s", reader->path, why);
    return rp_fail(reader->err, RP_E_INPUT, "model file '%s', at offset %zu: %s", reader->path,
                   (size_t)(where - reader->data), why);
}

/* ---- texts ---- */

/* Bytes of the well-formed UTF-8 sequence at text, of a character that can be printed, or 0. */
static size_t printable(const uint8_t *text, size_t len) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (text[0] < 0x80)
        return text[0] >= 0x20 && text[0] != 0x7F;
    size_t need = text[0] >= 0xF0 ? 4 : text[0] >= 0xE0 ? 3 : 2;
    if (text[0] < 0xC2 || text[0] > 0xF4 || need > len)
        return 0;
    uint32_t point = text[0] & (0x7Fu >> need);
    for (size_t i = 1; i < need; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        point = point << 6 | (text[i] & 0x3F);
    }
    /* Not the C1 controls, not marks that turn the direction of a line, not surrogates. */
    bool shown = point >= 0xA0 && (point < 0x200B || point > 0x200F) &&
                 (point < 0x2028 || point > 0x202E) && (point < 0x2060 || point > 0x206F) &&
                 (point < 0xD800 || point > 0xDFFF);
    return point >= least[need] && point <= 0x10FFFF && shown ? need : 0;
}

const char *rp_graph_text(struct rp_graph_reader *reader, const uint8_t *bytes, size_t len) {
    if (len == 0)
        return "";
    char *text = rp_alloc(reader->arena, len + 1, 1);
    for (size_t at = 0, step; at < len; at += step) {
        size_t good = printable(bytes + at, len - at);
        step = good != 0 ? good : 1;
        if (good != 0)
            memcpy(text + at, bytes + at, good);
        else
            text[at] = '?';
    }
    return text;
}

/* ---- tensors and nodes ---- */

struct rp_graph_tensor *rp_graph_add_tensor(struct rp_graph_reader *reader) {
    if (reader->graph->tensors.count == RP_GRAPH_ITEMS_MAX) {
        rp_graph_fail(reader, NULL, "more than %d tensors", RP_GRAPH_ITEMS_MAX);
        return NULL;
    }
    struct rp_graph_tensor *tensor = RP_PUSH(reader->arena, &reader->graph->tensors);
    *tensor = (struct rp_graph_tensor){.name = "", .producer = RP_GRAPH_NONE};
    return tensor;
}

struct rp_graph_node *rp_graph_add_node(struct rp_graph_reader *reader) {
    if (reader->graph->nodes.count == RP_GRAPH_ITEMS_MAX) {
        rp_graph_fail(reader, NULL, "more than %d operators", RP_GRAPH_ITEMS_MAX);
        return NULL;
    }
    struct rp_graph_node *node = RP_PUSH(reader->arena, &reader->graph->nodes);
    *node = (struct rp_graph_node){.name = "", .op = "", .domain = "", .version = 1};
    return node;
}

unsigned rp_element_bits(enum rp_element element) {
    static const unsigned char bits[] = {
        [RP_ELEMENT_FLOAT32] = 32, [RP_ELEMENT_FLOAT16] = 16, [RP_ELEMENT_FLOAT64] = 64,
        [RP_ELEMENT_INT4] = 4,     [RP_ELEMENT_INT8] = 8,     [RP_ELEMENT_UINT8] = 8,
        [RP_ELEMENT_INT16] = 16,   [RP_ELEMENT_UINT16] = 16,  [RP_ELEMENT_INT32] = 32,
        [RP_ELEMENT_UINT32] = 32,  [RP_ELEMENT_INT64] = 64,   [RP_ELEMENT_UINT64] = 64,
        [RP_ELEMENT_BOOL] = 8,     [RP_ELEMENT_FOREIGN] = 0};
    return bits[element];
}

bool rp_graph_check_size(struct rp_graph_reader *reader, const struct rp_graph_tensor *tensor) {
    uint64_t bits = rp_element_bits(tensor->element);
    if (tensor->data == NULL || !tensor->shape_known || bits == 0)
        return true;
    for (unsigned i = 0; i < tensor->rank; i++)
        if (tensor->dims[i] < 0 || __builtin_mul_overflow(bits, (uint64_t)tensor->dims[i], &bits))
            return rp_graph_fail(reader, tensor->data, "constant '%s' has an impossible shape",
                                 tensor->name);
    uint64_t bytes = bits / 8 + (bits % 8 != 0);
    return bytes == tensor->size_bytes ||
           rp_graph_fail(reader, tensor->data,
                         "constant '%s' has %zu bytes where its type and shape need %llu",
                         tensor->name, tensor->size_bytes, (unsigned long long)bytes);
}

const struct rp_attribute *rp_graph_attribute(const struct rp_graph_node *node, const char *name) {
    for (size_t i = 0; i < node->attribute_count; i++)
        if (strcmp(node->attributes[i].name, name) == 0)
            return &node->attributes[i];
    return NULL;
}

/* ---- links ---- */

/*
 * Nodes run in their order: a tensor is made once, and before it is used. So there are no loops.
 * Constant nodes may stand anywhere.
 */
static bool link_outputs(struct rp_graph_reader *reader, size_t index) {
    struct rp_graph_node *node = &reader->graph->nodes.items[index];
    for (size_t i = 0; i < node->output_count; i++) {
        if (node->outputs[i] == RP_GRAPH_NONE)
            continue;
        struct rp_graph_tensor *tensor = &reader->graph->tensors.items[node->outputs[i]];
        if (node->name[0] == '\0')
            node->name = tensor->name;
        if (tensor->producer != RP_GRAPH_NONE)
            return rp_graph_fail(reader, NULL,
                                 "tensor '%s' is the output of operator %d and of operator %zu",
                                 tensor->name, (int)tensor->producer, index);
        bool is_constant =
            strcmp(node->op, "Constant") == 0 && *node->domain == '\0' && !node->custom;
        if (tensor->constant && !is_constant)
            return rp_graph_fail(reader, NULL,
                                 "tensor '%s' has a value in the file, and operator %zu makes it",
                                 tensor->name, index);
        if (tensor->consumers != 0 && !tensor->constant)
            return rp_graph_fail(
                reader, NULL,
                "tensor '%s', which operator %zu makes, is used by one in front of it: the "
                "operators are not in the order in which they run",
                tensor->name, index);
        tensor->producer = (int32_t)index;
    }
    return true;
}

static bool link_nodes(struct rp_graph_reader *reader) {
    const struct rp_graph *graph = reader->graph;
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct rp_graph_node *node = &graph->nodes.items[i];
        for (size_t k = 0; k < node->input_count; k++)
            if (node->inputs[k] != RP_GRAPH_NONE)
                graph->tensors.items[node->inputs[k]].consumers++;
        if (!link_outputs(reader, i))
            return false;
    }
    return true;
}

/* In ONNX, what is used or given out comes from somewhere; TFLite also has variables. */
static bool check_sources(struct rp_graph_reader *reader) {
    const struct rp_graph *graph = reader->graph;
    bool *is_input = rp_alloc(reader->arena, graph->tensors.count, sizeof *is_input);
    bool *is_used = rp_alloc(reader->arena, graph->tensors.count, sizeof *is_used);
    for (size_t i = 0; i < graph->input_count; i++)
        is_input[graph->inputs[i]] = true;
    for (size_t i = 0; i < graph->output_count; i++)
        is_used[graph->outputs[i]] = true;
    for (size_t i = 0; i < graph->tensors.count; i++) {
        const struct rp_graph_tensor *tensor = &graph->tensors.items[i];
        bool is_made = tensor->producer != RP_GRAPH_NONE || tensor->constant || is_input[i];
        if (!is_made && (is_used[i] || tensor->consumers != 0))
            return rp_graph_fail(reader, NULL,
                                 "tensor '%s', which nothing makes, is used or is an output",
                                 tensor->name);
    }
    return true;
}

/* ---- the file ---- */

/* What is often given by mistake: how it starts, what it is, and what to do. */
struct other_kind {
    size_t offset;
    const char *start, *kind, *hint;
};

static const struct other_kind *find_other(const struct rp_graph_reader *reader) {
    static const struct other_kind rows[] = {
        {0, "version https://git-lfs", "a Git LFS pointer, not the model",
         "`git lfs pull` fetches the model"},
        {0, "\x89HDF", "a Keras file (HDF5)",
         "tf.lite.TFLiteConverter.from_keras_model(model) makes TFLite of it"},
        {0, "PK\x03\x04", "a zip archive (PyTorch, Keras)",
         "torch.onnx.export(model, ...) makes ONNX, "
         "tf.lite.TFLiteConverter.from_keras_model(model) TFLite; if the model is in it, unpack "
         "it"},
        {0, "\x80\x02", "a pickle (PyTorch)", "torch.onnx.export(model, ...) makes ONNX of it"},
        {4, "ORTM", "a model in onnxruntime's own format (ORT)",
         "give the ONNX file that it was made of"},
        {0, "\x1F\x8B", "compressed (gzip)", "unpack it first: gunzip, or tar -xzf"},
        {0, "\xFD\x37zXZ", "compressed (xz)", "unpack it first: xz -d, or tar -xJf"},
        {0, "<!DOCTYPE", "a web page, not the model", "download the file itself"},
        {0, "<?xml", "an XML file (OpenVINO)", "give the ONNX or TFLite file that it was made of"},
        {0, "/*", "C source",
         "`relocpack generate` takes generated C code; with --network it is compared with its "
         "model"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = strlen(rows[i].start);
        if (reader->size >= rows[i].offset + len &&
            memcmp(reader->data + rows[i].offset, rows[i].start, len) == 0)
            return &rows[i];
    }
    return NULL;
}

bool rp_graph_read(struct rp_graph *graph, struct rp_arena *arena, const struct rp_bytes *file,
                   const char *path, struct rp_error *err) {
    struct rp_graph_reader reader = {.graph = graph,
                                     .arena = arena,
                                     .data = file->data,
                                     .size = file->size,
                                     .path = path,
                                     .err = err};
    *graph = (struct rp_graph){.producer = ""};
    if (file->size == 0)
        return rp_graph_fail(&reader, NULL, "it is empty");
    const struct other_kind *other = find_other(&reader);
    if (other != NULL) {
        rp_graph_fail(&reader, NULL, "it is %s", other->kind);
        rp_hint(err, "%s", other->hint);
        return false;
    }
    bool is_tflite = file->size >= 8 && memcmp(file->data + 4, "TFL3", 4) == 0;
    graph->format = is_tflite ? RP_GRAPH_TFLITE : RP_GRAPH_ONNX;
    bool ok = is_tflite ? rp_tflite_read(&reader) : rp_onnx_read(&reader);
    return ok && link_nodes(&reader) && (is_tflite || check_sources(&reader));
}
