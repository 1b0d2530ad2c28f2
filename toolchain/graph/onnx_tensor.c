/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the tensors of an ONNX file: types, shapes and constants. Points to a value in raw_data;
 * unpacks one in a typed field of varints into the arena. Field numbers are those of onnx.proto.
 */
#include "toolchain/graph/onnx_tensor.h"

#include <string.h>

#include "base/buf.h"
#include "toolchain/graph/graph.h"
#include "toolchain/graph/onnx_field.h"
#include "toolchain/graph/protobuf.h"
#include "toolchain/graph/reader.h"

/* TensorProto */
enum {
    TENSOR_DIMS = 1,
    TENSOR_TYPE = 2,
    TENSOR_SEGMENT = 3, /* in a SequenceProto: its tensors */
    TENSOR_FLOATS = 4,
    TENSOR_INT32S = 5,
    TENSOR_INT64S = 7,
    TENSOR_NAME = 8,
    TENSOR_RAW = 9,
    TENSOR_DOUBLES = 10,
    TENSOR_UINT64S = 11,
    TENSOR_EXTERNAL = 13,
    TENSOR_LOCATION = 14
};
/* Limit of memory for lists: bytes per byte of the file, plus a fixed amount. */
enum { MEMORY = 4, MEMORY_LEAST = 1 << 24 };
enum { ENTRY_KEY = 1, ENTRY_VALUE = 2 };                    /* StringStringEntryProto */
enum { TYPE_TENSOR = 1, TYPE_ELEMENT = 1, TYPE_SHAPE = 2 }; /* TypeProto, and its Tensor */
enum { SHAPE_DIM = 1, DIM_VALUE = 1 };                      /* TensorShapeProto */

enum rp_element rp_onnx_element(uint64_t type) {
    static const unsigned char elements[] = {
        [1] = RP_ELEMENT_FLOAT32,  [2] = RP_ELEMENT_UINT8,   [3] = RP_ELEMENT_INT8,
        [4] = RP_ELEMENT_UINT16,   [5] = RP_ELEMENT_INT16,   [6] = RP_ELEMENT_INT32,
        [7] = RP_ELEMENT_INT64,    [9] = RP_ELEMENT_BOOL,    [10] = RP_ELEMENT_FLOAT16,
        [11] = RP_ELEMENT_FLOAT64, [12] = RP_ELEMENT_UINT32, [13] = RP_ELEMENT_UINT64,
        [16] = RP_ELEMENT_FLOAT16, [21] = RP_ELEMENT_INT4,   [22] = RP_ELEMENT_INT4};
    enum rp_element element = RP_ELEMENT_OTHER;
    if (type < sizeof elements)
        element = (enum rp_element)elements[type];
    return type != 0 && element == RP_ELEMENT_OTHER ? RP_ELEMENT_FOREIGN : element;
}

/* ---- repeated numbers ---- */

/* The number of items of a packed field. A varint ends with a byte below 128. */
static size_t count_packed(const struct rp_pb *body, enum rp_pb_kind kind) {
    size_t count = 0;
    if (kind != RP_PB_VARINT)
        return body->size / (kind == RP_PB_FIXED32 ? 4 : 8);
    for (size_t i = 0; i < body->size; i++)
        count += body->data[i] < 0x80;
    return count;
}

static void put_le(uint8_t *at, uint64_t value, size_t width) {
    for (size_t i = 0; i < width; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* Does the number of a varint fit into an integer of width bytes, signed or not? */
static bool has_room(uint64_t value, size_t width) {
    uint64_t half = UINT64_C(1) << (8 * width - 1);
    return width == 8 || value < 2 * half || 0 - value <= half;
}

/* Unpacks one packed field; returns the position after its numbers. */
static uint8_t *unpack(struct rp_graph_reader *reader, struct rp_pb body,
                       const struct rp_onnx_numbers *what, uint8_t *to) {
    uint64_t value;
    if (what->kind != RP_PB_VARINT) {
        size_t size = count_packed(&body, what->kind) * what->width;
        if (size != 0)
            memcpy(to, body.data, size);
        return to + size;
    }
    for (; rp_pb_next_varint(&body, &value); to += what->width) {
        if (!has_room(value, what->width))
            rp_graph_fail(reader, body.data, "a number that its type cannot hold");
        put_le(to, value, what->width);
    }
    if (body.broken)
        rp_graph_fail(reader, body.data, "truncated or corrupt: no number");
    return to;
}

size_t rp_onnx_memory(size_t file_size) {
    return file_size * MEMORY + MEMORY_LEAST;
}

bool rp_onnx_pay(struct rp_graph_reader *reader, struct rp_pb body, size_t count, size_t width) {
    if (count > reader->left / width)
        return rp_graph_fail(reader, body.data,
                             "its lists need far more memory than the file has bytes");
    reader->left -= count * width;
    return true;
}

size_t rp_onnx_count(struct rp_graph_reader *reader, struct rp_pb body, uint32_t field,
                     enum rp_pb_kind kind) {
    struct rp_pb_field part;
    size_t count = 0;
    while (rp_onnx_next(reader, &body, &part))
        if (rp_onnx_is(&part, field, RP_PB_BYTES))
            count += count_packed(&part.body, kind);
        else
            count += rp_onnx_is(&part, field, kind);
    return count;
}

const uint8_t *rp_onnx_numbers(struct rp_graph_reader *reader, struct rp_pb body,
                               struct rp_onnx_numbers what, size_t *count) {
    struct rp_pb_field field = rp_onnx_find(reader, body, what.field, RP_PB_BYTES);
    *count = rp_onnx_count(reader, body, what.field, what.kind);
    /* All are in one field, to which the result can point. */
    if (what.kind != RP_PB_VARINT && field.number != 0 &&
        count_packed(&field.body, what.kind) == *count)
        return field.body.data;
    if (!rp_onnx_pay(reader, body, *count, what.width)) {
        *count = 0;
        return NULL;
    }
    uint8_t *numbers = rp_alloc(reader->arena, *count, what.width), *to = numbers;
    while (rp_onnx_next(reader, &body, &field))
        if (rp_onnx_is(&field, what.field, RP_PB_BYTES)) {
            to = unpack(reader, field.body, &what, to);
        } else if (rp_onnx_is(&field, what.field, what.kind)) {
            if (what.kind == RP_PB_VARINT && !has_room(field.value, what.width))
                rp_graph_fail(reader, body.data, "a number that its type cannot hold");
            put_le(to, field.value, what.width);
            to += what.width;
        }
    return numbers;
}

const int64_t *rp_onnx_ints(struct rp_graph_reader *reader, struct rp_pb body, uint32_t field,
                            size_t *count) {
    const uint8_t *words =
        rp_onnx_numbers(reader, body, (struct rp_onnx_numbers){field, RP_PB_VARINT, 8}, count);
    if (!rp_onnx_pay(reader, body, *count, sizeof(int64_t)))
        *count = 0;
    int64_t *ints = rp_alloc(reader->arena, *count, sizeof *ints);
    for (size_t i = 0; i < *count; i++)
        ints[i] =
            (int64_t)(rp_get_le32(words + i * 8) | (uint64_t)rp_get_le32(words + i * 8 + 4) << 32);
    return ints;
}

/* ---- constants ---- */

static void set_shape(struct rp_graph_tensor *tensor, const int64_t *dims, size_t count) {
    tensor->shape_known = count <= RP_GRAPH_RANK_MAX;
    tensor->rank = tensor->shape_known ? (unsigned)count : 0;
    for (size_t i = 0; i < tensor->rank; i++)
        tensor->dims[i] = dims[i] < 0 ? -1 : dims[i];
}

/* Reads a value that is not in raw_data. The type tells which field it is in. */
static void read_typed(struct rp_graph_reader *reader, struct rp_pb body,
                       struct rp_graph_tensor *tensor) {
    struct rp_onnx_numbers what = {TENSOR_INT32S, RP_PB_VARINT, rp_element_bits(tensor->element)};
    size_t count;
    what.width = what.width < 8 ? 1 : what.width / 8;
    if (tensor->element == RP_ELEMENT_FLOAT32)
        what = (struct rp_onnx_numbers){TENSOR_FLOATS, RP_PB_FIXED32, 4};
    else if (tensor->element == RP_ELEMENT_FLOAT64)
        what = (struct rp_onnx_numbers){TENSOR_DOUBLES, RP_PB_FIXED64, 8};
    else if (tensor->element == RP_ELEMENT_INT64)
        what.field = TENSOR_INT64S;
    else if (tensor->element == RP_ELEMENT_UINT32 || tensor->element == RP_ELEMENT_UINT64)
        what.field = TENSOR_UINT64S;
    tensor->data = rp_onnx_numbers(reader, body, what, &count);
    tensor->size_bytes = count * what.width;
}

/* The file that holds an external value. */
static const char *read_location(struct rp_graph_reader *reader, struct rp_pb body) {
    struct rp_pb_field field;
    const char *location = "?";
    while (rp_onnx_next(reader, &body, &field)) {
        if (!rp_onnx_is(&field, TENSOR_EXTERNAL, RP_PB_BYTES))
            continue;
        struct rp_pb_field key = rp_onnx_find(reader, field.body, ENTRY_KEY, RP_PB_BYTES);
        struct rp_pb_field value = rp_onnx_find(reader, field.body, ENTRY_VALUE, RP_PB_BYTES);
        if (key.body.size == 8 && memcmp(key.body.data, "location", 8) == 0)
            location = rp_onnx_text(reader, &value.body);
    }
    return location;
}

bool rp_onnx_tensor(struct rp_graph_reader *reader, struct rp_pb body,
                    struct rp_graph_tensor *tensor) {
    size_t rank;
    const int64_t *dims = rp_onnx_ints(reader, body, TENSOR_DIMS, &rank);
    struct rp_pb_field raw = rp_onnx_find(reader, body, TENSOR_RAW, RP_PB_BYTES);
    tensor->constant = true;
    tensor->element = rp_onnx_element(rp_onnx_find(reader, body, TENSOR_TYPE, RP_PB_VARINT).value);
    set_shape(tensor, dims, rank);
    if (rp_onnx_find(reader, body, TENSOR_LOCATION, RP_PB_VARINT).value != 0) {
        tensor->elsewhere = read_location(reader, body);
    } else if (raw.number != 0) {
        tensor->data = raw.body.data;
        tensor->size_bytes = raw.body.size;
    } else if (rp_element_bits(tensor->element) != 0) {
        read_typed(reader, body, tensor);
    }
    return !reader->failed && rp_graph_check_size(reader, tensor);
}

/* ---- a tensor in a file of its own ---- */

enum { TYPE_BFLOAT16 = 16 };

/* The bits of the float32 that has the value of a float16 (IEEE 754, binary16). */
static uint32_t widen_half(uint32_t half) {
    uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1F, rest = half & 0x3FF;
    if (exponent == 0x1F)
        return sign | 0x7F800000u | rest << 13;
    if (exponent != 0)
        return sign | (exponent + 127 - 15) << 23 | rest << 13;
    if (rest == 0)
        return sign;
    exponent = 127 - 15 + 1; /* a subnormal number is a normal one in float32 */
    for (; (rest & 0x400) == 0; rest <<= 1)
        exponent--;
    return sign | exponent << 23 | (rest & 0x3FF) << 13;
}

static bool widen(struct rp_graph_reader *reader, struct rp_graph_tensor *tensor, bool brain) {
    size_t count = tensor->size_bytes / 2;
    uint8_t *data = rp_alloc(reader->arena, count + 1, 4);
    for (size_t i = 0; i < count; i++) {
        uint32_t half = (uint32_t)(tensor->data[2 * i] | tensor->data[2 * i + 1] << 8);
        rp_put_le32(data + 4 * i, brain ? half << 16 : widen_half(half));
    }
    tensor->element = RP_ELEMENT_FLOAT32;
    tensor->data = data;
    tensor->size_bytes = 4 * count;
    return true;
}

bool rp_onnx_tensor_file(struct rp_graph_reader *reader, struct rp_graph_tensor *tensor) {
    struct rp_pb body = {reader->data, reader->size, false};
    reader->left = rp_onnx_memory(reader->size);
    struct rp_pb_field name = rp_onnx_find(reader, body, TENSOR_NAME, RP_PB_BYTES);
    struct rp_pb_field type = rp_onnx_find(reader, body, TENSOR_TYPE, RP_PB_VARINT);
    if (!reader->failed &&
        (rp_onnx_find(reader, body, TENSOR_SEGMENT, RP_PB_BYTES).number != 0 || type.value == 0))
        return rp_graph_fail(
            reader, NULL,
            "it is not a tensor: a sequence, a map, a part of a tensor, or none of "
            "ONNX's");
    if (!reader->failed)
        tensor->name = rp_onnx_text(reader, &name.body);
    if (reader->failed || !rp_onnx_tensor(reader, body, tensor))
        return false;
    if (rp_element_bits(tensor->element) < 8)
        return rp_graph_fail(
            reader, NULL, "its type, number %llu of ONNX, is not possible for an image's tensors",
            (unsigned long long)type.value);
    if (!tensor->shape_known)
        return rp_graph_fail(reader, NULL, "it has more than %d dimensions", RP_GRAPH_RANK_MAX);
    if (tensor->data == NULL)
        return rp_graph_fail(reader, NULL, "its values are in another file, '%s'",
                             tensor->elsewhere != NULL ? tensor->elsewhere : "?");
    return tensor->element != RP_ELEMENT_FLOAT16 ||
           widen(reader, tensor, type.value == TYPE_BFLOAT16);
}

/* ---- types ---- */

/* A dimension with a name, or with nothing, is not static. */
static void read_dims(struct rp_graph_reader *reader, struct rp_pb shape,
                      struct rp_graph_tensor *tensor) {
    struct rp_pb_field field;
    int64_t dims[RP_GRAPH_RANK_MAX];
    size_t count = 0;
    while (rp_onnx_next(reader, &shape, &field)) {
        if (!rp_onnx_is(&field, SHAPE_DIM, RP_PB_BYTES))
            continue;
        struct rp_pb_field value = rp_onnx_find(reader, field.body, DIM_VALUE, RP_PB_VARINT);
        if (count < RP_GRAPH_RANK_MAX)
            dims[count] = value.number != 0 ? (int64_t)value.value : -1;
        count++;
    }
    set_shape(tensor, dims, count);
}

bool rp_onnx_type(struct rp_graph_reader *reader, struct rp_pb body,
                  struct rp_graph_tensor *tensor) {
    struct rp_pb_field type = rp_onnx_find(reader, body, TYPE_TENSOR, RP_PB_BYTES);
    struct rp_pb_field shape = rp_onnx_find(reader, type.body, TYPE_SHAPE, RP_PB_BYTES);
    tensor->element =
        rp_onnx_element(rp_onnx_find(reader, type.body, TYPE_ELEMENT, RP_PB_VARINT).value);
    if (shape.number != 0)
        read_dims(reader, shape.body, tensor);
    return !reader->failed;
}
