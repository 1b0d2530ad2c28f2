/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Types, scales and zero points of tensors, taking quantisation nodes into account, and values of
 * constants. What is not in the file is "not known".
 */
#include "toolchain/ops/value.h"

#include <string.h>

#include "base/buf.h"
#include "toolchain/graph/graph.h"
#include "toolchain/ops/query.h"

static const struct rp_graph_node *dequantiser_of(const struct rp_ops *ops,
                                                  const struct rp_graph_tensor *tensor) {
    const struct rp_ops_node *from = rp_ops_producer(ops, tensor);
    return from != NULL && strcmp(from->node->op, "DequantizeLinear") == 0 ? from->node : NULL;
}

static const struct rp_graph_tensor *input_of(const struct rp_ops *ops,
                                              const struct rp_graph_node *node, size_t n) {
    return n < node->input_count ? rp_ops_tensor(ops, node->inputs[n]) : NULL;
}

static bool is_folded(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    const struct rp_ops_node *from = rp_ops_producer(ops, tensor);
    return from != NULL && from->is_folded;
}

bool rp_ops_is_constant(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    if (tensor == NULL || tensor->constant)
        return tensor != NULL;
    const struct rp_graph_node *node = dequantiser_of(ops, tensor);
    if (node != NULL) {
        const struct rp_graph_tensor *of = input_of(ops, node, 0);
        return of != NULL && (of->constant || is_folded(ops, of));
    }
    return is_folded(ops, tensor);
}

const struct rp_graph_tensor *rp_ops_numbers(const struct rp_ops *ops,
                                             const struct rp_graph_tensor *tensor) {
    const struct rp_graph_node *node =
        tensor != NULL && !tensor->constant ? dequantiser_of(ops, tensor) : NULL;
    const struct rp_graph_tensor *of = node != NULL ? input_of(ops, node, 0) : tensor;
    return of != NULL && of->constant ? of : NULL;
}

bool rp_ops_is_float(enum rp_element element) {
    return element == RP_ELEMENT_FLOAT32 || element == RP_ELEMENT_FLOAT16 ||
           element == RP_ELEMENT_FLOAT64;
}

static int64_t farther(int64_t a, int64_t b) {
    return (a < 0 ? -(a + 1) : a) < (b < 0 ? -(b + 1) : b) || a == 0 ? b : a;
}

/* The size in bytes of a type that a zero point can have; 0: another or a packed type. */
static size_t integer_bytes(enum rp_element element) {
    return element == RP_ELEMENT_INT8 || element == RP_ELEMENT_UINT8     ? 1
           : element == RP_ELEMENT_INT16 || element == RP_ELEMENT_UINT16 ? 2
           : element == RP_ELEMENT_INT32                                 ? 4
                                                                         : 0;
}

/* Reads a tensor of zero points, one for each channel; without a tensor they are 0. */
static void read_zero(struct rp_ops_value *value, const struct rp_graph_tensor *zero) {
    size_t size = zero != NULL ? integer_bytes(zero->element) : 0;
    value->zero_known = zero == NULL || (size != 0 && zero->data != NULL);
    for (size_t i = 0; zero != NULL && value->zero_known && i < zero->size_bytes / size; i++) {
        const uint8_t *at = zero->data + i * size;
        uint32_t word = at[0];
        for (size_t k = 1; k < size; k++)
            word |= (uint32_t)at[k] << (8 * k);
        int64_t number = zero->element == RP_ELEMENT_INT8    ? (int64_t)(int8_t)word
                         : zero->element == RP_ELEMENT_INT16 ? (int64_t)(int16_t)word
                         : zero->element == RP_ELEMENT_INT32 ? (int64_t)(int32_t)word
                                                             : (int64_t)word;
        value->zero = farther(value->zero, number);
    }
}

static void read_own_zero(struct rp_ops_value *value, const struct rp_graph_tensor *tensor) {
    const struct rp_quantisation *q = &tensor->quantisation;
    value->zero_known = q->scales != NULL && q->zero_points != NULL;
    for (size_t i = 0; value->zero_known && i < q->count; i++)
        value->zero = farther(value->zero, q->zero_points[i]);
}

/*
 * Sets the zero point from a tensor's quantisation, or from its numbers. They are read only once,
 * because many nodes can share a tensor with many of them.
 */
static void set_zero(const struct rp_ops *ops, struct rp_ops_value *value,
                     const struct rp_graph_tensor *tensor, bool of_numbers) {
    struct rp_ops_zero *zero = &ops->zeros[of_numbers][rp_ops_index(ops, tensor)];
    if (!zero->is_read) {
        (of_numbers ? read_zero : read_own_zero)(value, tensor);
        *zero = (struct rp_ops_zero){true, value->zero_known, value->zero};
    }
    value->zero_known = zero->is_known;
    value->zero = zero->value;
}

static void read_scale(struct rp_ops_value *value, const struct rp_graph_tensor *scale) {
    if (scale == NULL || scale->element != RP_ELEMENT_FLOAT32 || scale->data == NULL)
        return;
    value->scales = scale->size_bytes / sizeof(float);
    if (value->scales == 0)
        return;
    value->scale = (double)rp_graph_float(rp_get_le32(scale->data));
}

/*
 * A tensor of integers whose scale is an input of a node, followed by the zero point. Without a
 * type of its own it has that of the zero point, or uint8.
 */
static struct rp_ops_value read_linear(const struct rp_ops *ops, const struct rp_graph_node *node,
                                       size_t scale, const struct rp_graph_tensor *quantised) {
    const struct rp_graph_tensor *zero = input_of(ops, node, scale + 1);
    struct rp_ops_value value = {.is_quantised = true};
    value.element = quantised != NULL && quantised->element != RP_ELEMENT_OTHER ? quantised->element
                    : zero != NULL                                              ? zero->element
                                                                                : RP_ELEMENT_UINT8;
    read_scale(&value, input_of(ops, node, scale));
    value.zero_known = zero == NULL;
    if (zero != NULL)
        set_zero(ops, &value, zero, true);
    return value;
}

/* The QuantizeLinear that reads a tensor, if nothing else reads it. */
static const struct rp_graph_node *quantiser_of(const struct rp_ops *ops,
                                                const struct rp_graph_tensor *tensor) {
    int32_t reader = ops->reader[rp_ops_index(ops, tensor)];
    if (reader < 0 || ops->is_output[rp_ops_index(ops, tensor)])
        return NULL;
    const struct rp_graph_node *node = &ops->graph->nodes.items[reader];
    return strcmp(node->op, "QuantizeLinear") == 0 && input_of(ops, node, 0) == tensor ? node
                                                                                       : NULL;
}

/* Which input of a node is the scale of its result, or of one of its operands. */
#define NONE SIZE_MAX

static size_t result_scale(const struct rp_ops_node *node) {
    size_t step, first = rp_ops_first_operand(node, &step);
    if (step == 1)
        return strcmp(node->node->op, "QuantizeLinear") == 0 ? 1 : NONE;
    return first != 0 ? 0 : step * rp_ops_operands(node);
}

static size_t operand_scale(const struct rp_ops_node *node, size_t input) {
    size_t step, first = rp_ops_first_operand(node, &step);
    bool has = step != 1 || strcmp(node->node->op, "DequantizeLinear") == 0;
    bool is_operand = step != 1 ? input >= first && (input - first) % step == 0 &&
                                      (input - first) / step < rp_ops_operands(node)
                                : input == 0;
    return has && is_operand ? input + 1 : NONE;
}

const struct rp_graph_tensor *rp_ops_result_zero(const struct rp_ops *ops,
                                                 const struct rp_ops_node *node) {
    size_t scale = result_scale(node);
    return scale != NONE ? input_of(ops, node->node, scale + 1) : NULL;
}

/* What an ONNX file states about a tensor of integers at its producer, else at its reader. */
static bool find_linear(const struct rp_ops *ops, const struct rp_graph_tensor *tensor,
                        struct rp_ops_value *value) {
    size_t index = rp_ops_index(ops, tensor);
    const int32_t nodes[] = {tensor->producer, ops->reader[index]};
    for (size_t i = 0; i < 2; i++) {
        if (nodes[i] < 0 || (size_t)nodes[i] >= ops->count)
            continue;
        const struct rp_ops_node *node = &ops->nodes[nodes[i]];
        size_t scale = i == 0 ? result_scale(node) : operand_scale(node, ops->input[index]);
        if (scale != NONE) {
            *value = read_linear(ops, node->node, scale, tensor);
            return true;
        }
    }
    return false;
}

/* What the tensor itself states, as in TFLite. An ONNX tensor without a type is float. */
static struct rp_ops_value plain_value(const struct rp_ops *ops,
                                       const struct rp_graph_tensor *tensor) {
    const struct rp_quantisation *q = &tensor->quantisation;
    bool is_float = tensor->element == RP_ELEMENT_OTHER && tensor->producer >= 0 &&
                    ops->graph->format == RP_GRAPH_ONNX;
    struct rp_ops_value value = {.element = is_float ? RP_ELEMENT_FLOAT32 : tensor->element};
    value.is_quantised =
        q->scales != NULL || value.element == RP_ELEMENT_INT8 || value.element == RP_ELEMENT_UINT8;
    value.scales = q->scales != NULL ? q->count : 0;
    value.scale = value.scales > 0 ? q->scales[0] : 0;
    set_zero(ops, &value, tensor, false);
    return value;
}

struct rp_ops_value rp_ops_value(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    struct rp_ops_value value;
    if (ops->graph->format == RP_GRAPH_ONNX) {
        const struct rp_graph_node *node = dequantiser_of(ops, tensor);
        if (node != NULL)
            return read_linear(ops, node, 1, input_of(ops, node, 0));
        node = quantiser_of(ops, tensor);
        if (node != NULL)
            return read_linear(
                ops, node, 1, node->output_count > 0 ? rp_ops_tensor(ops, node->outputs[0]) : NULL);
        if (find_linear(ops, tensor, &value))
            return value;
    }
    return plain_value(ops, tensor);
}

bool rp_ops_is_static(const struct rp_graph_tensor *tensor) {
    bool is = tensor != NULL && tensor->shape_known;
    for (unsigned i = 0; is && i < tensor->rank; i++)
        is = tensor->dims[i] > 0 && tensor->dims[i] <= INT32_MAX;
    return is;
}

size_t rp_ops_integers(const struct rp_graph_tensor *tensor, int64_t *out, size_t max) {
    if (tensor == NULL || tensor->data == NULL ||
        (tensor->element != RP_ELEMENT_INT32 && tensor->element != RP_ELEMENT_INT64))
        return 0;
    size_t size = tensor->element == RP_ELEMENT_INT32 ? 4 : 8, count = tensor->size_bytes / size;
    for (size_t i = 0; i < count && i < max; i++) {
        const uint8_t *at = tensor->data + i * size;
        uint64_t high = size == 8 ? rp_get_le32(at + 4) : 0;
        out[i] =
            size == 8 ? (int64_t)(high << 32 | rp_get_le32(at)) : (int64_t)(int32_t)rp_get_le32(at);
    }
    return count;
}

bool rp_ops_has_float_constant(const struct rp_ops *ops, const struct rp_ops_node *node) {
    bool found = false;
    if (!rp_ops_kind_is(node, "Add Sub Mul Max Min PRelu"))
        return false;
    for (size_t i = 0; i < rp_ops_operands(node); i++) {
        const struct rp_graph_tensor *in = rp_ops_operand(ops, node, i);
        found = found ||
                (rp_ops_is_constant(ops, in) && rp_ops_is_float(rp_ops_value(ops, in).element));
    }
    return found;
}
