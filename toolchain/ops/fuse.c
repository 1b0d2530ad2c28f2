/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds patterns that become one operator: QuantizeLinear and DequantizeLinear around an operator,
 * BatchNormalization and activations after a convolution, x * sigmoid(x). Also finds nodes that
 * depend on constants only. In: the nodes; out: their part_of, is_swish, is_float and is_folded.
 */
#include "toolchain/ops/fuse.h"

#include <string.h>

#include "toolchain/ops/query.h"
#include "toolchain/ops/value.h"

#define ACTIVATION "Relu Clip LeakyRelu PRelu Sigmoid HardSigmoid HardSwish Tanh"

static int32_t number(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return (int32_t)(node - ops->nodes);
}

/* Does only one node read it, and is it not an output of the model? */
static bool is_private(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    return tensor->consumers == 1 && !ops->is_output[rp_ops_index(ops, tensor)];
}

/* The only reader of the only output of this node, or NULL. */
static struct rp_ops_node *only_reader(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    if (node->node->output_count != 1 || out == NULL || !is_private(ops, out) ||
        ops->reader[rp_ops_index(ops, out)] < 0)
        return NULL;
    return &ops->nodes[ops->reader[rp_ops_index(ops, out)]];
}

/* ---- constants ---- */

/* Is its value known without any input of the model? A static shape is known as well. */
static bool depends_on_constants(const struct rp_ops *ops, const struct rp_ops_node *node) {
    if (node->node->custom)
        return false;
    if (strcmp(node->kind, "Shape") == 0 && rp_ops_is_static(rp_ops_operand(ops, node, 0)))
        return true;
    for (size_t i = 0; i < node->node->input_count; i++) {
        const struct rp_graph_tensor *in = rp_ops_tensor(ops, node->node->inputs[i]);
        if (in != NULL && !in->constant &&
            (rp_ops_producer(ops, in) == NULL || !rp_ops_producer(ops, in)->is_folded))
            return false;
    }
    /* generators of random numbers have no inputs either */
    return node->node->input_count > 0 || strcmp(node->node->op, "Constant") == 0;
}

static void fold(struct rp_ops *ops) {
    for (size_t i = 0; i < ops->count; i++) {
        struct rp_ops_node *node = &ops->nodes[i];
        /* integer weights stay what they are: see join_quantisers */
        bool weights =
            ops->graph->format == RP_GRAPH_ONNX && rp_ops_kind_is(node, "DequantizeLinear");
        node->is_folded = !weights && depends_on_constants(ops, node);
    }
    /* if only a Shape reads a tensor, its values are not needed */
    for (size_t i = 0; i < ops->count; i++) {
        struct rp_ops_node *node = &ops->nodes[i], *reader = only_reader(ops, node);
        if (rp_ops_kind_is(node, "DequantizeLinear") && reader != NULL &&
            rp_ops_kind_is(reader, "Shape"))
            node->is_folded = reader->is_folded;
    }
}

/* ---- x * sigmoid(x) ---- */

/* The tensor that a value comes from, ignoring quantisation nodes. */
static const struct rp_graph_tensor *source(const struct rp_ops *ops,
                                            const struct rp_graph_tensor *tensor) {
    for (size_t i = 0; tensor != NULL && i < 4; i++) {
        const struct rp_ops_node *node = rp_ops_producer(ops, tensor);
        if (node == NULL || !rp_ops_kind_is(node, RP_OPS_QUANTISERS))
            break;
        tensor = rp_ops_operand(ops, node, 0);
    }
    return tensor;
}

/* Are all tensors on the path from end back to from read by nothing else? */
static bool is_private_path(const struct rp_ops *ops, const struct rp_graph_tensor *end,
                            const struct rp_graph_tensor *from) {
    while (end != from && is_private(ops, end))
        end = rp_ops_operand(ops, rp_ops_producer(ops, end), 0);
    return end == from && is_private(ops, from);
}

static void join_swish(struct rp_ops *ops, struct rp_ops_node *mul) {
    for (size_t i = 0; i < 2 && rp_ops_operands(mul) == 2; i++) {
        const struct rp_graph_tensor *end = rp_ops_operand(ops, mul, i), *s = source(ops, end);
        struct rp_ops_node *sigmoid = rp_ops_producer(ops, s);
        if (sigmoid == NULL || !rp_ops_kind_is(sigmoid, "Sigmoid") ||
            sigmoid->part_of != RP_GRAPH_NONE)
            continue;
        const struct rp_graph_tensor *x = source(ops, rp_ops_operand(ops, sigmoid, 0));
        if (x == NULL || x != source(ops, rp_ops_operand(ops, mul, 1 - i)) ||
            !is_private_path(ops, end, s))
            continue;
        mul->part_of = number(ops, sigmoid);
        sigmoid->is_swish = true;
        return;
    }
}

/* ---- after a convolution ---- */

static void join(struct rp_ops *ops, struct rp_ops_node *part, const struct rp_ops_node *whole) {
    if (rp_ops_whole(ops, part) != whole && !part->is_folded && !whole->is_folded)
        part->part_of = number(ops, whole);
}

/*
 * The only reader of the only output of a node: one node, or the Sigmoid of an x * sigmoid(x). In
 * TFLite, a tensor in between with a scale of its own separates the two.
 */
static struct rp_ops_node *follower(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    struct rp_ops_node *reader = only_reader(ops, node);
    bool tflite = ops->graph->format == RP_GRAPH_TFLITE;
    if (out == NULL || (tflite && out->quantisation.scales != NULL))
        return NULL;
    if (reader != NULL || out->consumers != 2 || ops->is_output[rp_ops_index(ops, out)] ||
        node->node->output_count != 1 || ops->reader[rp_ops_index(ops, out)] < 0)
        return reader;
    struct rp_ops_node *mul = &ops->nodes[ops->reader[rp_ops_index(ops, out)]],
                       *sigmoid = rp_ops_whole(ops, mul);
    bool both = sigmoid != mul && sigmoid->is_swish && rp_ops_operand(ops, sigmoid, 0) == out;
    return both ? sigmoid : NULL;
}

static void follow_convolution(struct rp_ops *ops, struct rp_ops_node *node) {
    struct rp_ops_node *next = follower(ops, node);
    bool is_convolution = rp_ops_kind_is(node, "Conv ConvTranspose");
    if (is_convolution && next != NULL && rp_ops_kind_is(next, "BatchNormalization")) {
        join(ops, next, node);
        next = follower(ops, next);
    }
    if (next != NULL && rp_ops_kind_is(next, ACTIVATION))
        join(ops, next, node);
}

/* ---- quantisation nodes ---- */

/* Is the other node, if there is one, fused into the same whole? */
static bool is_inside(const struct rp_ops *ops, int32_t other, const struct rp_ops_node *whole) {
    return other >= 0 && rp_ops_whole(ops, &ops->nodes[other]) == whole;
}

static bool touches_float(const struct rp_ops *ops, struct rp_ops_node *node) {
    const struct rp_ops_node *whole = rp_ops_whole(ops, node);
    for (size_t i = 0; i < rp_ops_operands(node); i++) {
        const struct rp_graph_tensor *in = rp_ops_operand(ops, node, i);
        if (in != NULL && !rp_ops_is_constant(ops, in) &&
            rp_ops_is_float(rp_ops_value(ops, in).element) && !is_inside(ops, in->producer, whole))
            return true;
    }
    if (rp_ops_has_float_constant(ops, node))
        return true;
    for (size_t i = 0; i < node->node->output_count; i++) {
        const struct rp_graph_tensor *out = rp_ops_result(ops, node, i);
        if (out != NULL && rp_ops_is_float(rp_ops_value(ops, out).element) &&
            !is_inside(ops, ops->reader[rp_ops_index(ops, out)], whole))
            return true;
    }
    return false;
}

static void find_float(struct rp_ops *ops) {
    /* a Shape does not read the numbers of its tensor */
    for (size_t i = 0; i < ops->count; i++)
        if (!rp_ops_kind_is(&ops->nodes[i], RP_OPS_QUANTISERS " Shape") &&
            !ops->nodes[i].is_folded && touches_float(ops, &ops->nodes[i]))
            rp_ops_whole(ops, &ops->nodes[i])->is_float = true;
}

/* Tensors that a node in floats reads, or that leave the model. */
static bool *find_loose(const struct rp_ops *ops) {
    bool *loose = rp_alloc(ops->arena, ops->graph->tensors.count + 1, sizeof *loose);
    for (size_t i = 0; i < ops->graph->tensors.count; i++)
        loose[i] = ops->is_output[i] || ops->reader[i] < 0;
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_ops_node *node = &ops->nodes[i];
        for (size_t k = 0;
             rp_ops_whole(ops, &ops->nodes[i])->is_float && k < node->node->input_count; k++)
            if (rp_ops_tensor(ops, node->node->inputs[k]) != NULL)
                loose[node->node->inputs[k]] = true;
    }
    return loose;
}

/* A QuantizeLinear or DequantizeLinear is fused into its operator when that works on integers. */
static void join_quantiser(struct rp_ops *ops, struct rp_ops_node *node, const bool *loose) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    if (in == NULL || out == NULL)
        return;
    if (rp_ops_kind_is(node, "DequantizeLinear")) {
        int32_t reader = ops->reader[rp_ops_index(ops, out)];
        if (reader >= 0 && (in->constant || !loose[rp_ops_index(ops, out)]))
            join(ops, node, rp_ops_whole(ops, &ops->nodes[reader]));
        return;
    }
    struct rp_ops_node *from = rp_ops_producer(ops, in);
    bool follows = from != NULL && !rp_ops_kind_is(from, RP_OPS_QUANTISERS) && !from->is_folded &&
                   !rp_ops_whole(ops, from)->is_float;
    if (follows)
        join(ops, node, rp_ops_whole(ops, from));
}

static void join_quantisers(struct rp_ops *ops) {
    const bool *loose = find_loose(ops);
    /* those after operators first, because a DequantizeLinear may belong to one of them */
    for (size_t i = 0; i < ops->count; i++)
        if (rp_ops_kind_is(&ops->nodes[i], "QuantizeLinear") && !ops->nodes[i].is_folded)
            join_quantiser(ops, &ops->nodes[i], loose);
    /* from the end, so that each joins a standalone node, however many are in a row */
    for (size_t i = ops->count; i-- > 0;)
        if (rp_ops_kind_is(&ops->nodes[i], "DequantizeLinear") && !ops->nodes[i].is_folded)
            join_quantiser(ops, &ops->nodes[i], loose);
}

void rp_ops_fuse(struct rp_ops *ops) {
    fold(ops);
    for (size_t i = 0; i < ops->count; i++)
        if (rp_ops_kind_is(&ops->nodes[i], "Mul") && !ops->nodes[i].is_folded &&
            ops->nodes[i].part_of == RP_GRAPH_NONE)
            join_swish(ops, &ops->nodes[i]);
    for (size_t i = 0; i < ops->count; i++)
        if (rp_ops_kind_is(&ops->nodes[i], RP_OPS_WEIGHTED))
            follow_convolution(ops, &ops->nodes[i]);
    find_float(ops);
    if (ops->graph->format == RP_GRAPH_ONNX)
        join_quantisers(ops);
}
