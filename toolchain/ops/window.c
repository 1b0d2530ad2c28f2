/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels and pooling windows, from the attributes of TFLite and ONNX. */
#include "toolchain/ops/window.h"

#include <string.h>

#include "toolchain/graph/graph.h"
#include "toolchain/ops/query.h"

static int64_t dim(const struct rp_graph_tensor *tensor, unsigned index) {
    return tensor != NULL && tensor->shape_known && index < tensor->rank &&
                   tensor->dims[index] > 0 && tensor->dims[index] <= INT32_MAX
               ? tensor->dims[index]
               : 0;
}

static void tflite_window(struct rp_ops_window *w, const struct rp_ops *ops,
                          const struct rp_ops_node *node) {
    bool depthwise = strcmp(node->node->op, "DEPTHWISE_CONV_2D") == 0;
    const struct rp_graph_tensor *in = rp_ops_data(ops, node);
    const struct rp_graph_tensor *kernel = rp_ops_operand(ops, node, 1);
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    bool pool = rp_ops_kind_is(node, "MaxPool AveragePool");
    w->spatial = 2;
    w->height = pool ? rp_ops_integer(node, "filter_height", 0) : dim(kernel, 1);
    w->width = pool ? rp_ops_integer(node, "filter_width", 0) : dim(kernel, 2);
    w->stride_height = rp_ops_integer(node, "stride_h", 1);
    w->stride_width = rp_ops_integer(node, "stride_w", 1);
    w->dilation_height = rp_ops_integer(node, "dilation_h_factor", 1);
    w->dilation_width = rp_ops_integer(node, "dilation_w_factor", 1);
    w->in_height = dim(in, 1);
    w->in_width = dim(in, 2);
    w->in_channels = dim(in, 3);
    w->out_height = dim(out, 1);
    w->out_width = dim(out, 2);
    w->out_channels = dim(out, 3);
    /* the depth of a grouped kernel is that of one group */
    int64_t depth = depthwise ? 1 : dim(kernel, 3);
    w->groups = depth > 0 && w->in_channels % depth == 0 ? w->in_channels / depth : 1;
}

/* An image of one dimension has a width and a height of 1. */
static void onnx_window(struct rp_ops_window *w, const struct rp_ops *ops,
                        const struct rp_ops_node *node) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    const struct rp_graph_tensor *weights =
        rp_ops_kind_is(node, "Conv ConvTranspose") ? rp_ops_operand(ops, node, 1) : NULL;
    const struct rp_attribute *shape = rp_graph_attribute(node->node, "kernel_shape");
    w->spatial = shape != NULL && shape->list != NULL    ? shape->count
                 : weights != NULL && weights->rank >= 3 ? weights->rank - 2U
                 : in != NULL && in->rank >= 3           ? in->rank - 2U
                                                         : 0;
    if (w->spatial == 0 || w->spatial > 2)
        return;
    unsigned flat = w->spatial == 1, last = (unsigned)w->spatial - 1;
    w->height = flat ? 1 : rp_ops_item(node, "kernel_shape", 0, dim(weights, 2));
    w->width = rp_ops_item(node, "kernel_shape", last, dim(weights, last + 2));
    w->stride_height = flat ? 1 : rp_ops_item(node, "strides", 0, 1);
    w->stride_width = rp_ops_item(node, "strides", last, 1);
    w->dilation_height = flat ? 1 : rp_ops_item(node, "dilations", 0, 1);
    w->dilation_width = rp_ops_item(node, "dilations", last, 1);
    w->top = flat ? 0 : rp_ops_item(node, "pads", 0, 0);
    w->left = rp_ops_item(node, "pads", last, 0);
    w->bottom = flat ? 0 : rp_ops_item(node, "pads", 2, 0);
    w->right = rp_ops_item(node, "pads", last + w->spatial, 0);
    w->groups = rp_ops_integer(node, "group", 1);
    w->in_channels = dim(in, 1);
    if (w->in_channels == 0 && rp_ops_kind_is(node, "Conv") && w->groups > 0 &&
        w->groups <= INT32_MAX)
        w->in_channels = dim(weights, 1) * w->groups;
    w->in_height = flat ? 1 : dim(in, 2);
    w->in_width = dim(in, last + 2);
    w->out_channels = dim(out, 1);
    if (w->out_channels == 0 && rp_ops_kind_is(node, "Conv"))
        w->out_channels = dim(weights, 0);
    w->out_height = flat ? 1 : dim(out, 2);
    w->out_width = dim(out, last + 2);
}

/* Padding at begin and end for an output of ceil(in / stride); -1 when it is not known. */
static void same_padding(const int64_t in, int64_t kernel, int64_t stride, int64_t pads[2]) {
    pads[0] = pads[1] = -1;
    if (in <= 0 || kernel <= 0 || kernel > INT32_MAX || stride <= 0 || stride > INT32_MAX)
        return;
    int64_t all = ((in + stride - 1) / stride - 1) * stride + kernel - in;
    all = all > 0 ? all : 0;
    pads[0] = all / 2;
    pads[1] = all - all / 2;
}

static int64_t dilated(int64_t kernel, int64_t dilation) {
    bool fits = kernel > 0 && kernel <= INT16_MAX && dilation > 0 && dilation <= INT16_MAX;
    return fits ? (kernel - 1) * dilation + 1 : 0;
}

struct rp_ops_window rp_ops_window(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct rp_ops_window w = {0};
    if (node == ops->judged)
        return *ops->window;
    bool tflite = ops->graph->format == RP_GRAPH_TFLITE;
    (tflite ? tflite_window : onnx_window)(&w, ops, node);
    const char *padding =
        tflite ? rp_ops_text(node, "padding", "") : rp_ops_text(node, "auto_pad", "");
    if (strncmp(padding, "SAME", 4) == 0) {
        int64_t rows[2], columns[2];
        bool lower = strcmp(padding, "SAME_LOWER") == 0;
        same_padding(w.in_height, dilated(w.height, w.dilation_height), w.stride_height, rows);
        same_padding(w.in_width, dilated(w.width, w.dilation_width), w.stride_width, columns);
        w.top = rows[lower], w.bottom = rows[!lower];
        w.left = columns[lower], w.right = columns[!lower];
    }
    return w;
}
