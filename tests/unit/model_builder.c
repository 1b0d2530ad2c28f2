/* SPDX-License-Identifier: Apache-2.0 */
/* Writers of small model files: see model_builder.h. */
#include "tests/unit/model_builder.h"

#include <stdlib.h>
#include <string.h>

/* ---- FlatBuffers ---- */

void fb_set(struct rp_buf *out, size_t place, uint64_t value, size_t width) {
    for (size_t i = 0; i < width; i++)
        out->data[place + i] = (char)(value >> (8 * i));
}

void fb_real(struct rp_buf *out, size_t place, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    fb_set(out, place, bits, 4);
}

void fb_begin(struct rp_buf *out) {
    rp_buf_le32(out, 0);
    rp_buf_puts(out, "TFL3");
}

void fb_point(struct rp_buf *out, size_t place) {
    rp_buf_align(out, 4, 0);
    fb_set(out, place, out->len - place, 4);
}

static size_t zeros(struct rp_buf *out, size_t count) {
    size_t at = out->len;
    for (size_t i = 0; i < count; i++)
        rp_buf_append(out, "", 1);
    return at;
}

struct fb_table fb_table(struct rp_buf *out, size_t place, const char *widths) {
    struct fb_table table = {0};
    size_t count = strlen(widths), size = 4;
    rp_buf_align(out, 4, 0);
    size_t vtable = zeros(out, 4 + count * 2);
    for (size_t i = 0; i < count; i++) {
        size_t width = (size_t)(widths[i] - '0');
        if (width != 0)
            fb_set(out, vtable + 4 + i * 2, size, 2);
        table.fields[i] = size;
        size += width;
    }
    fb_set(out, vtable, 4 + count * 2, 2);
    fb_set(out, vtable + 2, size, 2);
    fb_point(out, place);
    table.at = zeros(out, size);
    fb_set(out, table.at, table.at - vtable, 4);
    for (size_t i = 0; i < count; i++)
        table.fields[i] += table.at;
    return table;
}

size_t fb_vector(struct rp_buf *out, size_t place, size_t count, size_t width) {
    fb_point(out, place);
    rp_buf_le32(out, (uint32_t)count);
    return zeros(out, count * width);
}

void fb_string(struct rp_buf *out, size_t place, const char *text) {
    size_t len = strlen(text), at = fb_vector(out, place, len, 1);
    memcpy(out->data + at, text, len);
    rp_buf_append(out, "", 1);
}

void fb_ints(struct rp_buf *out, size_t place, const int32_t *values, size_t count) {
    size_t at = fb_vector(out, place, count, 4);
    for (size_t i = 0; i < count; i++)
        fb_set(out, at + i * 4, (uint32_t)values[i], 4);
}

struct tensor {
    const char *name;
    int32_t dims[4];
    size_t rank;
    unsigned type, buffer, scales;
};

static void put_tensor(struct rp_buf *out, size_t place, const struct tensor *from) {
    struct fb_table tensor = fb_table(out, place, "41444004");
    fb_set(out, tensor.fields[1], from->type, 1);
    fb_set(out, tensor.fields[2], from->buffer, 4);
    fb_ints(out, tensor.fields[0], from->dims, from->rank);
    fb_string(out, tensor.fields[3], from->name);
    struct fb_table quantisation = fb_table(out, tensor.fields[4], "0044004");
    size_t scales = fb_vector(out, quantisation.fields[2], from->scales, 4);
    for (size_t i = 0; i < from->scales; i++)
        fb_real(out, scales + i * 4, 0.5f * (float)(i + 1));
    size_t points = fb_vector(out, quantisation.fields[3], from->scales, 8);
    fb_set(out, points, (uint64_t)-3, 8);
    int32_t signature[4];
    memcpy(signature, from->dims, sizeof signature);
    signature[0] = from->buffer == 0 ? -1 : signature[0];
    fb_ints(out, tensor.fields[7], signature, from->rank);
}

static void put_operator(struct rp_buf *out, size_t place, uint32_t code, const int32_t *tensors) {
    struct fb_table op = fb_table(out, place, code == 0 ? "44414" : "444");
    fb_set(out, op.fields[0], code, 4);
    fb_ints(out, op.fields[1], tensors, 3);
    fb_ints(out, op.fields[2], tensors + 3, 1);
    if (code != 0)
        return;
    fb_set(out, op.fields[3], 1, 1);
    struct fb_table options = fb_table(out, op.fields[4], "144104");
    fb_set(out, options.fields[0], 1, 1);
    fb_set(out, options.fields[1], 2, 4);
    fb_set(out, options.fields[2], 1, 4);
    fb_set(out, options.fields[3], 3, 1);
    fb_set(out, options.fields[5], 2, 4);
}

static void put_codes(struct rp_buf *out, size_t place) {
    size_t codes = fb_vector(out, place, 2, 4);
    struct fb_table code = fb_table(out, codes, "1044");
    fb_set(out, code.fields[0], 3, 1);
    fb_set(out, code.fields[2], 5, 4);
    fb_set(out, code.fields[3], 3, 4);
    code = fb_table(out, codes + 4, "14");
    fb_set(out, code.fields[0], 32, 1);
    fb_string(out, code.fields[1], "My\nOp");
}

static void put_subgraph(struct rp_buf *out, size_t place) {
    static const struct tensor tensors[] = {{"in", {1, 4, 4, 3}, 4, 9, 0, 1},
                                            {"weights", {2, 1, 1, 3}, 4, 9, 1, 2},
                                            {"bias", {2}, 1, 2, 2, 2},
                                            {"mid", {1, 4, 2, 2}, 4, 9, 0, 1},
                                            {"out", {1, 4}, 2, 0, 0, 0}};
    static const int32_t indexes[] = {0, 1, 2, 3, 3, -1, -1, 4};
    struct fb_table graph = fb_table(out, place, "4444");
    size_t list = fb_vector(out, graph.fields[0], 5, 4);
    for (size_t i = 0; i < 5; i++)
        put_tensor(out, list + i * 4, &tensors[i]);
    fb_ints(out, graph.fields[1], indexes, 1);
    fb_ints(out, graph.fields[2], indexes + 7, 1);
    list = fb_vector(out, graph.fields[3], 2, 4);
    put_operator(out, list, 0, indexes);
    put_operator(out, list + 4, 1, indexes + 4);
}

void tflite_sample(struct rp_buf *out) {
    fb_begin(out);
    struct fb_table model = fb_table(out, 0, "44444");
    fb_set(out, model.fields[0], 3, 4);
    put_codes(out, model.fields[1]);
    put_subgraph(out, fb_vector(out, model.fields[2], 1, 4));
    fb_string(out, model.fields[3], "by hand");
    size_t list = fb_vector(out, model.fields[4], 3, 4);
    (void)fb_table(out, list, "");
    struct fb_table buffer = fb_table(out, list + 4, "4");
    fb_set(out, fb_vector(out, buffer.fields[0], 6, 1), 0x060504030201, 6);
    buffer = fb_table(out, list + 8, "088");
    fb_set(out, buffer.fields[1], out->len, 8);
    fb_set(out, buffer.fields[2], 8, 8);
    rp_buf_append(out, "\1\0\0\0\2\0\0\0", 8); /* behind the FlatBuffers part */
}

/* ---- protobuf ---- */

void pb_varint(struct rp_buf *out, uint64_t value) {
    for (; value >= 0x80; value >>= 7)
        rp_buf_append(out, &(uint8_t){(uint8_t)(value | 0x80)}, 1);
    rp_buf_append(out, &(uint8_t){(uint8_t)value}, 1);
}

void pb_number(struct rp_buf *out, unsigned field, uint64_t value) {
    pb_varint(out, field << 3);
    pb_varint(out, value);
}

void pb_float(struct rp_buf *out, unsigned field, float value) {
    pb_varint(out, field << 3 | 5);
    rp_buf_append(out, &value, 4);
}

void pb_bytes(struct rp_buf *out, unsigned field, const void *bytes, size_t len) {
    pb_varint(out, field << 3 | 2);
    pb_varint(out, len);
    rp_buf_append(out, bytes, len);
}

void pb_text(struct rp_buf *out, unsigned field, const char *text) {
    pb_bytes(out, field, text, strlen(text));
}

void pb_message(struct rp_buf *out, unsigned field, struct rp_buf *part) {
    pb_bytes(out, field, part->len != 0 ? part->data : "", part->len);
    part->len = 0;
}

void onnx_value(struct rp_buf *out, unsigned field, const char *name, unsigned type,
                const char *dims) {
    struct rp_buf value = {.arena = out->arena}, of_type = {.arena = out->arena},
                  tensor = {.arena = out->arena}, shape = {.arena = out->arena},
                  dim = {.arena = out->arena};
    for (char *end; *dims != '\0'; dims = end + strspn(end, " ")) {
        long number = strtol(dims, &end, 10);
        if (number >= 0)
            pb_number(&dim, 1, (uint64_t)number);
        else if (number == -1)
            pb_text(&dim, 2, "batch");
        pb_message(&shape, 1, &dim);
    }
    pb_text(&value, 1, name);
    pb_number(&tensor, 1, type);
    pb_message(&tensor, 2, &shape);
    pb_message(&of_type, 1, &tensor);
    pb_message(&value, 2, &of_type);
    pb_message(out, field, &value);
}

static void put_names(struct rp_buf *out, unsigned field, const char *names) {
    for (size_t len; *names != '\0'; names += len + strspn(names + len, " ")) {
        len = strcspn(names, " ");
        pb_bytes(out, field, names, *names == '-' ? 0 : len);
    }
}

struct rp_buf onnx_node(struct rp_arena *arena, const char *op, const char *inputs,
                        const char *outputs) {
    struct rp_buf node = {.arena = arena};
    put_names(&node, 1, inputs);
    put_names(&node, 2, outputs);
    pb_text(&node, 4, op);
    return node;
}

void onnx_model(struct rp_buf *out, struct rp_buf *graph) {
    struct rp_buf opset = {.arena = out->arena};
    pb_number(out, 1, 8);
    pb_text(out, 2, "by hand");
    pb_text(out, 3, "1");
    pb_message(out, 7, graph);
    pb_text(&opset, 1, "");
    pb_number(&opset, 2, 13);
    pb_message(out, 8, &opset);
}

static void put_attributes(struct rp_buf *node) {
    struct rp_buf attribute = {.arena = node->arena}, ints = {.arena = node->arena};
    pb_text(&attribute, 1, "kernel_shape");
    pb_varint(&ints, 1);
    pb_varint(&ints, 3);
    pb_message(&attribute, 8, &ints);
    pb_message(node, 5, &attribute);
    pb_text(&attribute, 1, "pads");
    pb_number(&attribute, 8, 0);
    pb_number(&attribute, 8, (uint64_t)-1);
    pb_message(node, 5, &attribute);
    pb_text(&attribute, 1, "auto_pad");
    pb_text(&attribute, 4, "VALID");
    pb_message(node, 5, &attribute);
    pb_text(&attribute, 1, "group");
    pb_number(&attribute, 3, 1);
    pb_message(node, 5, &attribute);
    pb_text(&attribute, 1, "alpha");
    pb_float(&attribute, 2, 0.25f);
    pb_message(node, 5, &attribute);
    pb_text(&attribute, 1, "body");
    pb_text(&attribute, 6, "");
    pb_message(node, 5, &attribute);
}

/* "w" int8 [2,3] in raw_data, "s" float [] in float_data, "z" int8 [2] in int32_data. */
static void put_initialisers(struct rp_buf *graph) {
    struct rp_buf tensor = {.arena = graph->arena}, packed = {.arena = graph->arena};
    pb_number(&tensor, 1, 2);
    pb_number(&tensor, 1, 3);
    pb_number(&tensor, 2, 3);
    pb_text(&tensor, 8, "w");
    pb_bytes(&tensor, 9, "\1\2\3\4\5\6", 6);
    pb_message(graph, 5, &tensor);
    pb_number(&tensor, 2, 1);
    pb_text(&tensor, 8, "s");
    pb_float(&tensor, 4, 0.5f);
    pb_message(graph, 5, &tensor);
    pb_number(&tensor, 1, 2);
    pb_number(&tensor, 2, 3);
    pb_text(&tensor, 8, "z");
    pb_varint(&packed, (uint64_t)-3);
    pb_varint(&packed, 7);
    pb_message(&tensor, 5, &packed);
    pb_message(graph, 5, &tensor);
}

void onnx_sample(struct rp_buf *out) {
    struct rp_buf graph = {.arena = out->arena}, attribute = {.arena = out->arena},
                  tensor = {.arena = out->arena};
    struct rp_buf node = onnx_node(out->arena, "DequantizeLinear", "w s z", "wf");
    pb_message(&graph, 1, &node);
    node = onnx_node(out->arena, "Constant", "", "c");
    pb_text(&attribute, 1, "value");
    pb_number(&tensor, 1, 1);
    pb_number(&tensor, 2, 7);
    pb_number(&tensor, 7, (uint64_t)-2);
    pb_message(&attribute, 5, &tensor);
    pb_message(&node, 5, &attribute);
    pb_message(&graph, 1, &node);
    node = onnx_node(out->arena, "Conv", "in wf -", "mid");
    pb_text(&node, 3, "conv\x1b[1m");
    put_attributes(&node);
    pb_message(&graph, 1, &node);
    node = onnx_node(out->arena, "Mine", "mid c", "out");
    pb_text(&node, 7, "org.example");
    pb_message(&graph, 1, &node);
    put_initialisers(&graph);
    onnx_value(&graph, 11, "in", 1, "-1 3 4 -2");
    onnx_value(&graph, 11, "w", 3, "2 3");
    onnx_value(&graph, 12, "out", 1, "1 2");
    onnx_value(&graph, 13, "mid", 1, "1 2 4 4 1 1 1 1 1");
    onnx_model(out, &graph);
}
