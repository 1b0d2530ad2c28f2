/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes that an ONNX file leaves out between operators, from the shapes in front of them, for the
 * operators of image networks. What cannot be told stays unknown. In and out: the tensors, a copy
 * of the graph's.
 */
#include <string.h>

#include "toolchain/ops.h"

#define SAME                                                                                       \
    " QuantizeLinear DequantizeLinear Relu Clip LeakyRelu PRelu Sigmoid HardSigmoid HardSwish "    \
    "Tanh Softmax BatchNormalization Abs Neg Exp Sqrt Identity Cast Elu Erf "
#define BINARY " Add Sub Mul Div Max Min "

static void set(struct rp_graph_tensor *out, const int64_t *dims, unsigned rank) {
    out->shape_known = true;
    out->rank = rank;
    memcpy(out->dims, dims, rank * sizeof *dims);
}

static bool is_known(const struct rp_graph_tensor *tensor) {
    return tensor != NULL && tensor->shape_known;
}

static void combine(struct rp_graph_tensor *out, const struct rp_graph_tensor *a,
                    const struct rp_graph_tensor *b) {
    if (!is_known(a) || !is_known(b))
        return;
    const struct rp_graph_tensor *large = a->rank >= b->rank ? a : b, *small = large == a ? b : a;
    unsigned missing = large->rank - small->rank;
    set(out, large->dims, large->rank);
    for (unsigned i = 0; i < small->rank; i++)
        if (out->dims[i + missing] == 1)
            out->dims[i + missing] = small->dims[i];
}

static int64_t steps(int64_t in, int64_t pads, int64_t kernel, int64_t stride) {
    bool fits =
        in > 0 && stride > 0 && kernel > 0 && pads >= 0 && pads <= INT16_MAX && in + pads >= kernel;
    return fits ? (in + pads - kernel) / stride + 1 : 0;
}

static int64_t extent(int64_t kernel, int64_t dilation) {
    bool fits = kernel > 0 && kernel <= INT16_MAX && dilation > 0 && dilation <= INT16_MAX;
    return fits ? (kernel - 1) * dilation + 1 : 0;
}

static void slide(const struct rp_ops *ops, const struct rp_ops_node *node,
                  struct rp_graph_tensor *out) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    struct rp_ops_window w = rp_ops_window(ops, node);
    int64_t height =
        steps(w.in_height, w.top + w.bottom, extent(w.height, w.dilation_height), w.stride_height);
    int64_t width =
        steps(w.in_width, w.left + w.right, extent(w.width, w.dilation_width), w.stride_width);
    int64_t channels = rp_ops_kind_is(node, " Conv ") ? w.out_channels : w.in_channels;
    /* a pooling that rounds up is left alone */
    if (!is_known(in) || height <= 0 || width <= 0 || channels <= 0 ||
        rp_ops_integer(node, "ceil_mode", 0) != 0)
        return;
    const int64_t dims[] = {in->dims[0], channels, height, width};
    const int64_t flat[] = {in->dims[0], channels, width};
    if (w.spatial == 1)
        set(out, flat, 3);
    else
        set(out, dims, 4);
}

static void pool_all(struct rp_graph_tensor *out, const struct rp_graph_tensor *in) {
    if (!is_known(in))
        return;
    set(out, in->dims, in->rank);
    for (unsigned i = 2; i < out->rank; i++)
        out->dims[i] = 1;
}

static void join(const struct rp_ops *ops, const struct rp_ops_node *node,
                 struct rp_graph_tensor *out) {
    const struct rp_graph_tensor *first = rp_ops_operand(ops, node, 0);
    int64_t axis = rp_ops_integer(node, "axis", 1), sum = 0;
    if (!is_known(first))
        return;
    axis += axis < 0 ? (int64_t)first->rank : 0;
    for (size_t i = 0; i < rp_ops_operands(node); i++) {
        const struct rp_graph_tensor *in = rp_ops_operand(ops, node, i);
        if (!is_known(in) || in->rank != first->rank || axis < 0 || axis >= in->rank ||
            in->dims[axis] < 0 || in->dims[axis] > INT32_MAX)
            return;
        sum += in->dims[axis];
    }
    set(out, first->dims, first->rank);
    out->dims[axis] = sum;
}

void rp_ops_infer_shapes(struct rp_ops *ops, struct rp_graph_tensor *tensors) {
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_ops_node *node = &ops->nodes[i];
        const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
        int32_t index = node->node->output_count > 0 ? node->node->outputs[0] : RP_GRAPH_NONE;
        if (rp_ops_tensor(ops, index) == NULL || tensors[index].shape_known)
            continue;
        struct rp_graph_tensor *out = &tensors[index];
        if (rp_ops_kind_is(node, SAME) && is_known(in))
            set(out, in->dims, in->rank);
        else if (rp_ops_kind_is(node, BINARY) && rp_ops_operands(node) == 2)
            combine(out, in, rp_ops_operand(ops, node, 1));
        else if (rp_ops_kind_is(node, " Conv MaxPool AveragePool "))
            slide(ops, node, out);
        else if (rp_ops_kind_is(node, " GlobalAveragePool GlobalMaxPool "))
            pool_all(out, in);
        else if (rp_ops_kind_is(node, " Concat "))
            join(ops, node, out);
    }
}
