/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rules about single operators, from the comments in the page's tables. Those that replace a
 * verdict of the tables come first, before any rule that makes one worse.
 */
#include "toolchain/ops/rules_operator.h"

#include <string.h>

#include "toolchain/graph/graph.h"
#include "toolchain/ops/ops.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/value.h"

#define ONNX   RP_OPS_ONNX_TABLE
#define TFLITE RP_OPS_TFLITE_TABLE

/* ---- rules that replace what a table says ---- */

/* A bias may be a separate Add. */
static bool follows_convolution(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_ops_node *from = rp_ops_in_front(ops, node, 0);
    if (from != NULL && rp_ops_kind_is(from, "Add") && rp_ops_operands(from) == 2) {
        bool first = rp_ops_is_constant(ops, rp_ops_operand(ops, from, 0));
        if (first || rp_ops_is_constant(ops, rp_ops_operand(ops, from, 1)))
            from = rp_ops_in_front(ops, from, first);
    }
    return from != NULL && rp_ops_kind_is(from, "Conv ConvTranspose");
}

static bool divides_by_constant(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return rp_ops_is_constant(ops, rp_ops_operand(ops, node, 1));
}

static bool requantises(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    if (in == NULL || ops->graph->format == RP_GRAPH_TFLITE)
        return in != NULL && (in->element == RP_ELEMENT_INT8 || in->element == RP_ELEMENT_UINT8);
    const struct rp_ops_node *from = rp_ops_producer(ops, in);
    return from != NULL && rp_ops_kind_is(from, "DequantizeLinear");
}

static bool is_nearest(const struct rp_ops_node *node) {
    return strcmp(rp_ops_text(node, "mode", "nearest"), "nearest") == 0;
}

/* Before opset 11, Resize had no such attributes and was asymmetric with floor. */
static bool is_asymmetric_floor(const struct rp_ops *ops, const struct rp_ops_node *node) {
    bool old = ops->graph->opset > 0 && ops->graph->opset < 11;
    const char *mode = old ? "asymmetric" : "half_pixel";
    const char *nearest = old ? "floor" : "round_prefer_floor";
    return strcmp(rp_ops_text(node, "coordinate_transformation_mode", mode), "asymmetric") == 0 &&
           strcmp(rp_ops_text(node, "nearest_mode", nearest), "floor") == 0;
}

static bool is_hardware_resize(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return is_nearest(node) && is_asymmetric_floor(ops, node);
}

static bool is_other_nearest(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return is_nearest(node) && !is_asymmetric_floor(ops, node);
}

static bool is_column_last(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return strcmp(rp_ops_text(node, "mode", "DCR"), "DCR") == 0;
}

static bool is_times_itself(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return node->is_swish;
}

/* ---- off the hardware ---- */

static bool has_offset(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    struct rp_ops_value value = {0};
    if (in != NULL)
        value = rp_ops_value(ops, in);
    return value.zero_known && value.zero != 0;
}

static bool is_alone(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return !follows_convolution(ops, node);
}

static bool is_batch_axis(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    int64_t axis = rp_ops_integer(node, "axis", 1);
    bool known = out != NULL && out->shape_known;
    return axis == 0 || (axis < 0 && known && axis == -(int64_t)out->rank) ||
           (known && out->rank == 4 && out->dims[0] > 1);
}

static bool is_always(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    (void)node;
    return true;
}

/* RESIZE_NEAREST_NEIGHBOR is asymmetric with floor unless one of these is set. */
static bool has_other_alignment(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return strcmp(node->node->op, "RESIZE_NEAREST_NEIGHBOR") == 0 &&
           (rp_ops_integer(node, "align_corners", 0) != 0 ||
            rp_ops_integer(node, "half_pixel_centers", 0) != 0);
}

static bool is_bilinear(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return strcmp(node->node->op, "RESIZE_BILINEAR") == 0 || !is_nearest(node);
}

static bool changes_quantisation(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    if (in == NULL || out == NULL)
        return false;
    struct rp_ops_value a = rp_ops_value(ops, in), b = rp_ops_value(ops, out);
    return a.scales > 0 && b.scales > 0 && (a.scale != b.scale || a.zero != b.zero);
}

/* Is the fused activation not in the table? */
static bool has_other_activation(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    const char *activation = rp_ops_text(node, "fused_activation_function", "NONE");
    return strcmp(activation, "NONE") != 0 && strcmp(activation, "RELU") != 0 &&
           strcmp(activation, "RELU6") != 0 && strcmp(activation, "TANH") != 0;
}

/* ---- reductions ---- */

/* A bit for each reduced axis except a batch of 1. Without axes, all. False when not known. */
static bool reduced_axes(const struct rp_ops *ops, const struct rp_ops_node *node, unsigned *mask,
                         unsigned *rank) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    const struct rp_attribute *axes = rp_graph_attribute(node->node, "axes");
    int64_t list[RP_GRAPH_RANK_MAX] = {0};
    size_t count = 0;
    if (in == NULL || !in->shape_known)
        return false;
    *rank = in->rank;
    if (axes != NULL && axes->list != NULL)
        for (count = 0; count < axes->count && count < RP_GRAPH_RANK_MAX; count++)
            list[count] = axes->list[count];
    else if (node->node->input_count > 1)
        count = rp_ops_integers(rp_ops_operand(ops, node, 1), list, RP_GRAPH_RANK_MAX);
    else
        for (count = 0; count < in->rank; count++)
            list[count] = (int64_t)count;
    *mask = 0;
    for (size_t i = 0; i < count && i < RP_GRAPH_RANK_MAX; i++) {
        int64_t axis = list[i] < 0 ? list[i] + (int64_t)in->rank : list[i];
        bool is_nothing = axis == 0 && in->dims[0] == 1;
        if (axis >= 0 && axis < (int64_t)in->rank && !is_nothing)
            *mask |= 1U << axis;
    }
    return *mask != 0;
}

static bool reduces_batch(const struct rp_ops *ops, const struct rp_ops_node *node) {
    unsigned mask, rank;
    return reduced_axes(ops, node, &mask, &rank) && (mask & 1U) != 0;
}

/* Reducing all but the first two axes is a global pooling; anything else is not. */
static bool reduces_others(const struct rp_ops *ops, const struct rp_ops_node *node) {
    unsigned mask, rank;
    if (!reduced_axes(ops, node, &mask, &rank))
        return true;
    return mask != (1U << rank) - 4U; /* for rank 2 that is 0, and a mask never is */
}

/* Does it reduce rows and columns of one image, N H W C? */
static bool reduces_image(const struct rp_ops *ops, const struct rp_ops_node *node) {
    unsigned mask, rank;
    return reduced_axes(ops, node, &mask, &rank) && rank == 4 && mask == (1U << 1 | 1U << 2) &&
           rp_ops_operand(ops, node, 0)->dims[0] == 1;
}

/* It becomes a global pooling, whose window is limited. */
static bool reduces_many(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    int64_t window = 1;
    if (reduces_others(ops, node) || !rp_ops_is_static(in))
        return false;
    for (unsigned i = 2; i < in->rank; i++)
        if (__builtin_mul_overflow(window, in->dims[i], &window))
            return true;
    return window > RP_OPS_GLOBAL_MAX;
}

/* ---- padding ---- */

/* An attribute before opset 11, an input since. */
static size_t read_pads(const struct rp_ops *ops, const struct rp_ops_node *node, int64_t *pads,
                        size_t max) {
    const struct rp_attribute *attribute = rp_graph_attribute(node->node, "pads");
    if (attribute == NULL || attribute->list == NULL || attribute->count == 0)
        return rp_ops_integers(rp_ops_operand(ops, node, 1), pads, max);
    for (size_t i = 0; i < attribute->count && i < max; i++)
        pads[i] = attribute->list[i];
    return attribute->count;
}

/* The dimensions that are padded; axes may be given since opset 18. False when not known. */
static bool read_axes(const struct rp_ops *ops, const struct rp_ops_node *node, int64_t *axes,
                      size_t count) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    const struct rp_graph_tensor *given = rp_ops_operand(ops, node, 3);
    for (size_t i = 0; i < count; i++)
        axes[i] = (int64_t)i;
    if (given == NULL)
        return true;
    if (rp_ops_integers(given, axes, count) != count)
        return false;
    for (size_t i = 0; i < count; i++)
        axes[i] += axes[i] < 0 && in != NULL ? (int64_t)in->rank : 0; /* rank 0: not known */
    return true;
}

/* Does it pad the batch or the channels? Pads are all begins, then all ends. */
static bool pads_others(const struct rp_ops *ops, const struct rp_ops_node *node) {
    bool tflite = ops->graph->format == RP_GRAPH_TFLITE;
    int64_t pads[2 * RP_GRAPH_RANK_MAX] = {0}, axes[RP_GRAPH_RANK_MAX];
    size_t count = read_pads(ops, node, pads, 2 * RP_GRAPH_RANK_MAX), rank = count / 2;
    if (strcmp(rp_ops_text(node, "mode", "constant"), "constant") != 0 || count == 0 ||
        count % 2 != 0 || rank > RP_GRAPH_RANK_MAX || !read_axes(ops, node, axes, rank))
        return true;
    int64_t channel = tflite ? (int64_t)rank - 1 : 1;
    for (size_t i = 0; i < rank; i++) {
        int64_t begin = pads[tflite ? 2 * i : i], end = pads[tflite ? 2 * i + 1 : rank + i];
        if ((axes[i] <= 0 || axes[i] == channel) && (begin != 0 || end != 0))
            return true;
    }
    return false;
}

const struct rp_ops_rule rp_ops_operator_rules[] = {
    {"batchnorm-behind-conv", RP_GRAPH_ONNX, true, "BatchNormalization", follows_convolution,
     RP_OPS_HW, "after a convolution", NULL, ONNX, true},
    {"div-by-constant", RP_GRAPH_ONNX, true, "Div", divides_by_constant, RP_OPS_HW,
     "division by a constant", NULL, ONNX, true},
    {"requantise", 0, false, "QuantizeLinear", requantises, RP_OPS_HW, "from integer to integer",
     NULL, RP_OPS_TABLES, true},
    {"resize-nearest", RP_GRAPH_ONNX, true, "Resize", is_hardware_resize, RP_OPS_HW,
     "nearest neighbour, asymmetric, floor", NULL, ONNX, true},
    {"depth-to-space-dcr", RP_GRAPH_ONNX, true, "DepthToSpace", is_column_last, RP_OPS_HW,
     "mode DCR: by DMA", NULL, ONNX, true},
    {"mean-pooling", RP_GRAPH_TFLITE, true, "ReduceMean", reduces_image, RP_OPS_CONDITIONAL,
     "the mean over rows and columns: MEAN is software in the table, ReduceMean of ONNX and "
     "compiled "
     "networks have it as a pooling in hardware",
     "Compile it, and compare with --network.", TFLITE, true},
    {"swish", 0, false, "Sigmoid", is_times_itself, RP_OPS_KEEP, "x * Sigmoid(x) as one", NULL,
     ONNX},
    {"abs-offset", RP_GRAPH_ONNX, true, "Abs", has_offset, RP_OPS_SW_FLOAT,
     "the zero point is not 0", "Quantise what Abs reads symmetrically.", ONNX},
    {"batchnorm-alone", RP_GRAPH_ONNX, true, "BatchNormalization", is_alone, RP_OPS_SW_FLOAT,
     "not after a convolution",
     "Put BatchNormalization directly after a convolution, or fold it into one before "
     "quantising.",
     ONNX},
    {"concat-batch", RP_GRAPH_ONNX, true, "Concat", is_batch_axis, RP_OPS_CONDITIONAL,
     "hardware or software, by batch and axis", "Concatenate channels, with a batch of 1.", ONNX},
    {"split-axis", RP_GRAPH_TFLITE, true, "Split", is_always, RP_OPS_CONDITIONAL,
     "hardware or integer software, by the axis: the vendor does not say which",
     "Compile it, and compare with --network.", TFLITE},
    {"cast", RP_GRAPH_ONNX, true, "Cast", is_always, RP_OPS_CONDITIONAL,
     "a library function, on the DMAs or in software", "Take casts out where they do nothing.",
     ONNX},
    {"partial", RP_GRAPH_TFLITE, true, "Transpose ConvTranspose", is_always, RP_OPS_CONDITIONAL,
     "in part: by its parameters the hardware needs more epochs",
     "Compile it, and compare with --network.", TFLITE},
    {"pad-others", 0, false, "Pad", pads_others, RP_OPS_CONDITIONAL,
     "pads batch or channels, not with a constant, or by what the file does not say",
     "Pad rows and columns with a constant.", RP_OPS_TABLES},
    {"resize-nearest-mode", RP_GRAPH_ONNX, true, "Resize", is_other_nearest, RP_OPS_SW_INT,
     "nearest neighbour, but not asymmetric and floor",
     "Set coordinate_transformation_mode to asymmetric and nearest_mode to floor.", ONNX},
    {"resize-nearest-tflite", RP_GRAPH_TFLITE, true, "Resize", has_other_alignment, RP_OPS_SW_INT,
     "align_corners or half_pixel_centers is set",
     "Leave align_corners and half_pixel_centers off.", TFLITE},
    {"resize-smooth", 0, false, "Resize", is_bilinear, RP_OPS_KEEP, "not by nearest neighbour",
     "Only nearest neighbour (asymmetric, floor) is resized in hardware; a transposed convolution "
     "is another way.",
     RP_OPS_TABLES},
    {"fused-activation", RP_GRAPH_TFLITE, true, NULL, has_other_activation, RP_OPS_CONDITIONAL,
     "the activation that is fused with it is not in the table", "Use RELU or RELU6, or none.",
     TFLITE},
    {"space-to-depth", RP_GRAPH_TFLITE, true, "SpaceToDepth", changes_quantisation, RP_OPS_SW_INT,
     "input and output are quantised differently",
     "Give input and output the same scale and zero point.", TFLITE},
    {"reduce-batch", RP_GRAPH_ONNX, true, "ReduceMax ReduceMean", reduces_batch, RP_OPS_SW_INT,
     "reduces the batch: no global pooling", "Reduce rows and columns only.", ONNX},
    {"reduce-axes", RP_GRAPH_ONNX, true, "ReduceMax ReduceMean", reduces_others, RP_OPS_CONDITIONAL,
     "not all but the first two axes: needs transpositions, or software",
     "Reduce the right-most axes of an input that has two more.", ONNX},
    {"reduce-window", RP_GRAPH_ONNX, true, "ReduceMax ReduceMean", reduces_many, RP_OPS_CONDITIONAL,
     "a global pooling, whose window is limited, to a size that the vendor does not give; over "
     "64x32, the largest seen in hardware",
     "Compile it, and compare with --network.", ONNX},
    {0}};
