/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the multiply-accumulates of convolutions and matrix products from shapes. For other
 * operators that multiply they are unknown, for all others 0. Shapes come from a file, so products
 * are checked for overflow.
 */
#include "toolchain/ops/macs.h"

#include <string.h>

#include "toolchain/ops/query.h"

/* The product of positive numbers; false when one is not positive or the product overflows. */
static bool multiply(const int64_t *numbers, size_t count, uint64_t *product) {
    *product = 1;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] <= 0 || __builtin_mul_overflow(*product, (uint64_t)numbers[i], product))
            return false;
    return true;
}

static bool elements(const struct rp_graph_tensor *tensor, uint64_t *count) {
    return tensor != NULL && tensor->shape_known && multiply(tensor->dims, tensor->rank, count);
}

static int64_t last_dim(const struct rp_graph_tensor *tensor, unsigned from_end) {
    return tensor != NULL && tensor->shape_known && from_end < tensor->rank
               ? tensor->dims[tensor->rank - 1 - from_end]
               : 0;
}

/*
 * Each output (each input of a transposed convolution) is multiplied with as many weights as its
 * own channel has. Weights in ONNX are [outputs, inputs, kernel...], transposed [inputs, outputs,
 * kernel...]; in TFLite [outputs, kernel, inputs], depthwise [1, kernel, outputs].
 */
static bool convolution(const struct rp_ops *ops, const struct rp_ops_node *node, uint64_t *macs) {
    bool tflite = ops->graph->format == RP_GRAPH_TFLITE;
    bool transposed = rp_ops_kind_is(node, "ConvTranspose");
    bool depthwise = strcmp(node->node->op, "DEPTHWISE_CONV_2D") == 0;
    const struct rp_graph_tensor *weights = rp_ops_operand(ops, node, 1);
    const struct rp_graph_tensor *each =
        transposed ? rp_ops_operand(ops, node, tflite ? 2 : 0) : rp_ops_result(ops, node, 0);
    size_t first = tflite && transposed ? 0 : 1, last = tflite && (transposed || depthwise);
    uint64_t count, kernel;
    return elements(each, &count) && weights != NULL && weights->shape_known &&
           weights->rank >= first + last &&
           multiply(weights->dims + first, weights->rank - first - last, &kernel) &&
           !__builtin_mul_overflow(count, kernel, macs);
}

/* Weights are [outputs, inputs] in TFLite; for Gemm, transB tells the order. */
static bool product(const struct rp_ops *ops, const struct rp_ops_node *node, uint64_t *macs) {
    const struct rp_graph_tensor *a = rp_ops_operand(ops, node, 0);
    const struct rp_graph_tensor *b = rp_ops_operand(ops, node, 1);
    bool transposed = strcmp(node->node->op, "FULLY_CONNECTED") == 0 ||
                      rp_ops_integer(node, "transB", 0) != 0 ||
                      rp_ops_integer(node, "adj_y", 0) != 0;
    int64_t depth = last_dim(b, transposed ? 0 : 1);
    if (depth == 0 && b != NULL && b->shape_known && b->rank == 1)
        depth = b->dims[0];
    uint64_t outputs;
    if (elements(rp_ops_result(ops, node, 0), &outputs))
        return depth > 0 && !__builtin_mul_overflow(outputs, (uint64_t)depth, macs);
    /* the output's shape is not known: elements of the input times columns of the weights */
    uint64_t inputs;
    return elements(a, &inputs) && depth > 0 && b->rank == 2 &&
           !__builtin_mul_overflow(inputs, (uint64_t)last_dim(b, transposed ? 1 : 0), macs);
}

void rp_ops_count_macs(const struct rp_ops *ops, struct rp_ops_node *node) {
    /* they multiply, but are in no table; a custom operator may do anything */
    static const char uncounted[] =
        "LSTM GRU RNN UNIDIRECTIONAL_SEQUENCE_LSTM UNIDIRECTIONAL_SEQUENCE_RNN "
        "BIDIRECTIONAL_SEQUENCE_LSTM BIDIRECTIONAL_SEQUENCE_RNN SVDF CONV_3D CONV_3D_TRANSPOSE "
        "Attention ConvInteger DeformConv Einsum MatMulInteger STFT DFT RFFT2D";
    node->macs_known =
        node->row != NULL || !(node->node->custom || rp_ops_is_word(uncounted, node->node->op));
    if (rp_ops_kind_is(node, "Conv ConvTranspose"))
        node->macs_known = convolution(ops, node, &node->macs);
    else if (rp_ops_kind_is(node, "Gemm MatMul"))
        node->macs_known = product(ops, node, &node->macs);
    if (!node->macs_known)
        node->macs = 0;
}

void rp_ops_add_macs(uint64_t *sum, uint64_t macs) {
    if (__builtin_add_overflow(*sum, macs, sum))
        *sum = UINT64_MAX;
}
