/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a model file: finds out the format, calls its reader, and links tensors to the nodes that
 * make and use them.
 */
#include "toolchain/graph/read.h"

#include <string.h>

#include "toolchain/graph/onnx.h"
#include "toolchain/graph/onnx_tensor.h"
#include "toolchain/graph/reader.h"
#include "toolchain/graph/tflite.h"

/* ---- links ---- */

/*
 * Nodes run in their order: a tensor is made only once, and before it is used. So there are no
 * loops. Constant nodes may be anywhere.
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
            return rp_graph_fail(
                reader, NULL, "tensor '%s' has a value in the file, but operator %zu computes it",
                tensor->name, index);
        if (tensor->consumers != 0 && !tensor->constant)
            return rp_graph_fail(reader, NULL,
                                 "tensor '%s' is used before operator %zu computes it: the "
                                 "operators are not in execution order",
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

/* In ONNX, something has to make each tensor that is used or an output. TFLite has variables. */
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
                                 "tensor '%s' is used or is an output, but nothing computes it",
                                 tensor->name);
    }
    return true;
}

/* ---- the file ---- */

/* A file that is often given by mistake: how it starts, what it is, and what to do. */
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

static bool check_kind(struct rp_graph_reader *reader) {
    if (reader->size == 0)
        return rp_graph_fail(reader, NULL, "it is empty");
    const struct other_kind *other = find_other(reader);
    if (other == NULL)
        return true;
    rp_graph_fail(reader, NULL, "it is %s", other->kind);
    return rp_hint(reader->err, "%s", other->hint);
}

bool rp_graph_read(struct rp_graph *graph, struct rp_arena *arena, const struct rp_bytes *file,
                   const char *path, struct rp_error *err) {
    struct rp_graph_reader reader = {.graph = graph,
                                     .arena = arena,
                                     .data = file->data,
                                     .size = file->size,
                                     .path = path,
                                     .kind = "model file",
                                     .broken = "neither TFLite (TFL3 at offset 4) nor a whole "
                                               "ONNX file",
                                     .err = err};
    *graph = (struct rp_graph){.producer = ""};
    if (!check_kind(&reader))
        return false;
    bool is_tflite = file->size >= 8 && memcmp(file->data + 4, "TFL3", 4) == 0;
    graph->format = is_tflite ? RP_GRAPH_TFLITE : RP_GRAPH_ONNX;
    bool ok = is_tflite ? rp_tflite_read(&reader) : rp_onnx_read(&reader);
    return ok && link_nodes(&reader) && (is_tflite || check_sources(&reader));
}

bool rp_graph_read_tensor(struct rp_graph_tensor *tensor, struct rp_arena *arena,
                          const struct rp_bytes *file, const char *path, struct rp_error *err) {
    struct rp_graph_reader reader = {.arena = arena,
                                     .data = file->data,
                                     .size = file->size,
                                     .path = path,
                                     .kind = "tensor file",
                                     .broken = "truncated, or not an ONNX tensor",
                                     .err = err};
    *tensor = (struct rp_graph_tensor){.name = "", .producer = RP_GRAPH_NONE};
    return check_kind(&reader) && rp_onnx_tensor_file(&reader, tensor);
}
