/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Infers shapes, types and small integers that an ONNX file leaves out between operators, by a
 * table with a row for each family of operators. In and out: the tensors, which are a copy of the
 * graph's. The rules are those of the ONNX operator specification.
 */
#include "toolchain/ops/shapes.h"

#include <string.h>

#include "base/buf.h"
#include "toolchain/graph/graph.h"
#include "toolchain/graph/onnx_tensor.h"
#include "toolchain/ops/infer.h"
#include "toolchain/ops/infer_ints.h"
#include "toolchain/ops/infer_move.h"
#include "toolchain/ops/infer_window.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/value.h"

/* ---- families of operators ---- */

static bool same(const struct rp_infer *in, struct rp_infer_shape *out) {
    return rp_infer_operand(in, 0, out);
}

static bool as_second(const struct rp_infer *in, struct rp_infer_shape *out) {
    return rp_infer_operand(in, 1, out);
}

static bool scalar(const struct rp_infer *in, struct rp_infer_shape *out) {
    (void)in;
    out->rank = 0;
    return true;
}

/* The scale and the zero point of DynamicQuantizeLinear are scalars. */
static bool same_or_scalar(const struct rp_infer *in, struct rp_infer_shape *out) {
    return in->output == 0 ? same(in, out) : scalar(in, out);
}

/* Before opset 7, broadcasting was an attribute and always went to the first operand. */
static bool elementwise(const struct rp_infer *in, struct rp_infer_shape *out) {
    size_t count = rp_ops_operands(in->node);
    if (count == 0 || !rp_infer_operand(in, 0, out))
        return false;
    if (rp_ops_integer(in->node, "broadcast", 0) != 0)
        return true;
    for (size_t i = 1; i < count; i++) {
        struct rp_infer_shape other;
        if (!rp_infer_operand(in, i, &other) || !rp_infer_broadcast(out, &other))
            return false;
    }
    return true;
}

static bool reduce(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x;
    unsigned mask;
    bool keep = rp_ops_integer(in->node, "keepdims", 1) != 0;
    if (!rp_infer_operand(in, 0, &x) || !rp_infer_axes(in, 1, x.rank, &mask))
        return false;
    if (mask == 0 && rp_ops_integer(in->node, "noop_with_empty_axes", 0) == 0)
        mask = (1U << x.rank) - 1;
    out->rank = 0;
    for (unsigned i = 0; i < x.rank; i++)
        if ((mask >> i & 1) == 0 || keep)
            out->dims[out->rank++] = (mask >> i & 1) != 0 ? 1 : x.dims[i];
    return true;
}

static bool find_extreme(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x;
    unsigned axis;
    bool keep = rp_ops_integer(in->node, "keepdims", 1) != 0;
    if (!rp_infer_operand(in, 0, &x) || !rp_infer_axis(in, 0, x.rank, &axis))
        return false;
    out->rank = 0;
    for (unsigned i = 0; i < x.rank; i++)
        if (i != axis || keep)
            out->dims[out->rank++] = i == axis ? 1 : x.dims[i];
    return true;
}

static bool agree(int64_t a, int64_t b) {
    return a == b || a == -1 || b == -1;
}

static bool gemm(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape a, b;
    bool ta = rp_ops_integer(in->node, "transA", 0) != 0;
    bool tb = rp_ops_integer(in->node, "transB", 0) != 0;
    if (!rp_infer_operand(in, 0, &a) || !rp_infer_operand(in, 1, &b) || a.rank != 2 || b.rank != 2)
        return false;
    *out = (struct rp_infer_shape){2, {a.dims[ta], b.dims[!tb]}};
    return agree(a.dims[!ta], b.dims[tb]);
}

/* An operand of one dimension is a row or a column, which the result then lacks. */
static bool multiply(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape a, b;
    if (!rp_infer_operand(in, 0, &a) || !rp_infer_operand(in, 1, &b) || a.rank == 0 || b.rank == 0)
        return false;
    bool row = a.rank == 1, column = b.rank == 1;
    int64_t rows = row ? 1 : a.dims[a.rank - 2], columns = column ? 1 : b.dims[b.rank - 1];
    int64_t depth = a.dims[a.rank - 1], other = b.dims[b.rank - (column ? 1 : 2)];
    if (!agree(depth, other))
        return false;
    a.rank -= row ? 1 : 2;
    b.rank -= column ? 1 : 2;
    if (!rp_infer_broadcast(&a, &b))
        return false;
    *out = a;
    if (!row)
        out->dims[out->rank++] = rows;
    if (!column)
        out->dims[out->rank++] = columns;
    return true;
}

static bool shape_of(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_ints value;
    *out = (struct rp_infer_shape){.rank = 1};
    if (!rp_ints_shape(in, &value))
        return false;
    out->dims[0] = (int64_t)value.count;
    return true;
}

static bool filled(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_ints value;
    if (!rp_infer_value(in, 0, &value) || value.count > RP_GRAPH_RANK_MAX)
        return false;
    out->rank = (unsigned)value.count;
    for (unsigned i = 0; i < out->rank; i++)
        out->dims[i] = value.items[i] == RP_INT_VARIES ? -1 : value.items[i];
    return true;
}

/* LSTM, GRU and RNN give all steps, then the last one; an LSTM gives its cells as well. */
static bool recurrent(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x, r;
    if (!rp_infer_operand(in, 0, &x) || !rp_infer_operand(in, 2, &r) || x.rank != 3 || r.rank != 3)
        return false;
    int64_t directions = r.dims[0], hidden = r.dims[2];
    bool batch_first = rp_ops_integer(in->node, "layout", 0) != 0;
    int64_t steps = x.dims[batch_first], batch = x.dims[!batch_first];
    *out = batch_first ? (struct rp_infer_shape){4, {batch, steps, directions, hidden}}
                       : (struct rp_infer_shape){4, {steps, directions, batch, hidden}};
    if (in->output != 0)
        *out = batch_first ? (struct rp_infer_shape){3, {batch, directions, hidden}}
                           : (struct rp_infer_shape){3, {directions, batch, hidden}};
    return true;
}

/* ---- the table ---- */

enum type {
    FIRST, /* as the first operand */
    SECOND,
    FLOAT,
    BOOL,
    INT64,
    INT32,
    UINT8,
    SCALE, /* as the scale of a DequantizeLinear */
    ZERO,  /* as the zero point of a QuantizeLinear */
    TO,    /* attributes */
    VALUE
};

static const struct row {
    const char *ops; /* "Relu Clip"; QLinear operators without that prefix */
    rp_infer_shape_of *shape;
    size_t outputs; /* how many of them it knows; 0: all */
    enum type types[3];
    rp_infer_ints_of *ints; /* for the first output, or NULL */
} rows[] = {
    {"Relu Clip LeakyRelu PRelu Sigmoid HardSigmoid HardSwish Tanh Softmax LogSoftmax Hardmax "
     "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization "
     "MeanVarianceNormalization LpNormalization LRN Abs Neg Exp Log Sqrt Reciprocal Ceil Floor "
     "Round Sign BitwiseNot Elu Selu Celu Gelu FastGelu QuickGelu Mish Swish Erf Softplus Softsign "
     "ThresholdedRelu Shrink Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh CumSum Trilu "
     "ScatterElements ScatterND",
     same,
     1,
     {FIRST},
     NULL},
    {"Identity", same, 1, {FIRST}, rp_ints_same},
    {"Cast", same, 1, {TO}, rp_ints_same},
    {"CastLike", same, 1, {SECOND}, NULL},
    {"Dropout", same, 2, {FIRST, BOOL}, NULL},
    {"Not IsNaN IsInf", same, 1, {BOOL}, NULL},
    {"QuantizeLinear", same, 1, {ZERO}, NULL},
    {"DequantizeLinear", same, 1, {SCALE}, NULL},
    {"DynamicQuantizeLinear", same_or_scalar, 3, {UINT8, FLOAT, UINT8}, NULL},
    {"Add Sub Mul Div", elementwise, 1, {FIRST}, rp_ints_arithmetic},
    {"Max Min Sum Mean Pow Mod BitwiseAnd BitwiseOr BitwiseXor BitShift",
     elementwise,
     1,
     {FIRST},
     NULL},
    {"Equal", elementwise, 1, {BOOL}, rp_ints_arithmetic},
    {"And Or Xor Greater GreaterOrEqual Less LessOrEqual", elementwise, 1, {BOOL}, NULL},
    {"Where", elementwise, 1, {SECOND}, rp_ints_where},
    {"Conv", rp_infer_conv, 1, {FIRST}, NULL},
    {"ConvInteger", rp_infer_conv, 1, {INT32}, NULL},
    {"ConvTranspose", rp_infer_conv_transposed, 1, {FIRST}, NULL},
    {"MaxPool", rp_infer_pool, 2, {FIRST, INT64}, NULL},
    {"AveragePool LpPool", rp_infer_pool, 1, {FIRST}, NULL},
    {"GlobalAveragePool GlobalMaxPool GlobalLpPool", rp_infer_pool_all, 1, {FIRST}, NULL},
    {"Resize Upsample", rp_infer_resize, 1, {FIRST}, NULL},
    {"Gemm", gemm, 1, {FIRST}, NULL},
    {"MatMul", multiply, 1, {FIRST}, NULL},
    {"MatMulInteger", multiply, 1, {INT32}, NULL},
    {"LSTM GRU RNN", recurrent, 3, {FIRST, FIRST, FIRST}, NULL},
    {"ReduceMean ReduceMax ReduceMin ReduceSum ReduceProd ReduceL1 ReduceL2 ReduceSumSquare "
     "ReduceLogSum ReduceLogSumExp",
     reduce,
     1,
     {FIRST},
     NULL},
    {"ArgMax ArgMin", find_extreme, 1, {INT64}, NULL},
    {"TopK", rp_infer_top, 2, {FIRST, INT64}, NULL},
    {"Reshape", rp_infer_reshape, 1, {FIRST}, rp_ints_same},
    {"Flatten", rp_infer_flatten, 1, {FIRST}, rp_ints_same},
    {"Squeeze", rp_infer_squeeze, 1, {FIRST}, rp_ints_same},
    {"Unsqueeze", rp_infer_unsqueeze, 1, {FIRST}, rp_ints_same},
    {"Transpose", rp_infer_transpose, 1, {FIRST}, rp_ints_transpose},
    {"Concat", rp_infer_concat, 1, {FIRST}, rp_ints_concat},
    {"Split", rp_infer_split, 0, {FIRST}, NULL},
    {"Slice", rp_infer_slice, 1, {FIRST}, rp_ints_slice},
    {"Gather", rp_infer_gather, 1, {FIRST}, rp_ints_gather},
    {"GatherElements", as_second, 1, {FIRST}, NULL},
    {"Pad", rp_infer_pad, 1, {FIRST}, NULL},
    {"Expand", rp_infer_expand, 1, {FIRST}, NULL},
    {"Tile", rp_infer_tile, 1, {FIRST}, NULL},
    {"DepthToSpace", rp_infer_depth_to_space, 1, {FIRST}, NULL},
    {"SpaceToDepth", rp_infer_space_to_depth, 1, {FIRST}, NULL},
    {"Shape", shape_of, 1, {INT64}, rp_ints_shape},
    {"Size", scalar, 1, {INT64}, rp_ints_size},
    {"ConstantOfShape", filled, 1, {VALUE}, rp_ints_fill},
};

static bool is_qlinear(const struct rp_graph_node *node) {
    return strncmp(node->op, "QLinear", strlen("QLinear")) == 0;
}

static const struct row *row_of(const struct rp_graph_node *node) {
    const char *op = node->op + (is_qlinear(node) ? strlen("QLinear") : 0);
    const struct rp_attribute *last = rp_graph_attribute(node, "channels_last");
    if (node->custom || (last != NULL && last->integer != 0))
        return NULL;
    for (const struct row *row = rows; row < rows + sizeof rows / sizeof rows[0]; row++)
        if (rp_ops_is_word(row->ops, op))
            return row;
    return NULL;
}

/* ---- types ---- */

static enum rp_element element_of(const struct rp_infer *in, size_t n) {
    const struct rp_graph_tensor *tensor = rp_ops_operand(in->ops, in->node, n);
    return tensor != NULL ? tensor->element : RP_ELEMENT_OTHER;
}

/* The type of the zero point, or that of an attribute since opset 21, or uint8. */
static enum rp_element quantised_element(const struct rp_infer *in) {
    int64_t type = rp_ops_integer(in->node, "output_dtype", 0);
    if (rp_ops_operand(in->ops, in->node, 2) != NULL)
        return element_of(in, 2);
    return type != 0 ? rp_onnx_element((uint64_t)type) : RP_ELEMENT_UINT8;
}

static enum rp_element type_of(const struct rp_infer *in, const struct row *row) {
    static const enum rp_element fixed[] = {[FLOAT] = RP_ELEMENT_FLOAT32,
                                            [BOOL] = RP_ELEMENT_BOOL,
                                            [INT64] = RP_ELEMENT_INT64,
                                            [INT32] = RP_ELEMENT_INT32,
                                            [UINT8] = RP_ELEMENT_UINT8};
    const struct rp_attribute *value = rp_graph_attribute(in->node->node, "value");
    enum type type = in->output < 3 ? row->types[in->output] : FIRST;
    if (is_qlinear(in->node->node)) {
        const struct rp_graph_tensor *zero = rp_ops_result_zero(in->ops, in->node);
        return zero != NULL ? zero->element : element_of(in, 0);
    }
    if (type == ZERO)
        return quantised_element(in);
    if (type == SCALE)
        return element_of(in, 1) != RP_ELEMENT_OTHER ? element_of(in, 1) : RP_ELEMENT_FLOAT32;
    if (type == TO)
        return rp_onnx_element((uint64_t)rp_ops_integer(in->node, "to", 0));
    if (type == VALUE)
        return value != NULL && value->tensor != NULL ? value->tensor->element : RP_ELEMENT_FLOAT32;
    return type == FIRST || type == SECOND ? element_of(in, type == SECOND) : fixed[type];
}

/* ---- all nodes ---- */

static void set_shape(struct rp_graph_tensor *tensor, const struct rp_infer_shape *shape) {
    tensor->shape_known = true;
    tensor->rank = shape->rank;
    memcpy(tensor->dims, shape->dims, shape->rank * sizeof *shape->dims);
}

/* Exporters leave out dimensions that they cannot tell. Only a batch is left variable. */
static void refine_shape(struct rp_graph_tensor *tensor, const struct rp_infer_shape *shape) {
    for (unsigned i = 0; i < tensor->rank; i++)
        if (tensor->rank != shape->rank || !agree(tensor->dims[i], shape->dims[i]))
            return;
    for (unsigned i = 1; i < tensor->rank; i++)
        if (tensor->dims[i] < 0)
            tensor->dims[i] = shape->dims[i];
}

static void infer_output(const struct rp_infer *in, const struct row *row,
                         struct rp_graph_tensor *tensor) {
    struct rp_infer_shape shape = {0};
    if (tensor->element == RP_ELEMENT_OTHER)
        tensor->element = type_of(in, row);
    if ((row->outputs != 0 && in->output >= row->outputs) || !row->shape(in, &shape))
        return;
    for (unsigned i = 0; i < shape.rank; i++)
        if (shape.dims[i] < -1 || shape.dims[i] > INT32_MAX)
            return;
    (tensor->shape_known ? refine_shape : set_shape)(tensor, &shape);
}

/* For rules that ask for integers, computed ones are as good as constants. */
static void publish(const struct rp_infer *in, const struct rp_infer_ints *ints,
                    struct rp_graph_tensor *tensor) {
    if (tensor->data != NULL || tensor->element != RP_ELEMENT_INT64)
        return;
    uint8_t *data = rp_alloc(in->ops->arena, ints->count + 1, 8);
    for (size_t i = 0; i < ints->count; i++) {
        if (ints->items[i] == RP_INT_VARIES)
            return;
        rp_put_le32(data + i * 8, (uint32_t)ints->items[i]);
        rp_put_le32(data + i * 8 + 4, (uint32_t)((uint64_t)ints->items[i] >> 32));
    }
    tensor->data = data;
    tensor->size_bytes = ints->count * 8;
}

static void infer_ints(const struct rp_infer *in, const struct row *row,
                       struct rp_graph_tensor *tensor) {
    struct rp_infer_ints ints = {0};
    bool whole = tensor->element == RP_ELEMENT_INT64 || tensor->element == RP_ELEMENT_INT32 ||
                 tensor->element == RP_ELEMENT_BOOL;
    if (row->ints == NULL || !whole || !row->ints(in, &ints) || ints.count > RP_INTS_MAX)
        return;
    in->ints[rp_ops_index(in->ops, tensor)] = ints;
    publish(in, &ints, tensor);
}

void rp_ops_infer_shapes(struct rp_ops *ops, struct rp_graph_tensor *tensors) {
    struct rp_infer in = {.ops = ops};
    in.ints = rp_alloc(ops->arena, ops->graph->tensors.count + 1, sizeof *in.ints);
    for (size_t i = 0; i < ops->count; i++) {
        const struct rp_graph_node *node = &ops->graph->nodes.items[i];
        const struct row *row = row_of(node);
        in.node = &ops->nodes[i];
        for (in.output = 0; row != NULL && in.output < node->output_count; in.output++)
            if (rp_ops_tensor(ops, node->outputs[in.output]) != NULL)
                infer_output(&in, row, &tensors[node->outputs[in.output]]);
        if (row != NULL && rp_ops_result(ops, in.node, 0) != NULL)
            infer_ints(&in, row, &tensors[node->outputs[0]]);
    }
}
