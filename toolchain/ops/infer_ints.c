/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of small tensors of integers, with which exporters compute shapes between Shape and
 * Reshape. See infer.h. A variable dimension is passed on, but never computed with.
 */
#include "toolchain/ops/infer_ints.h"

#include "toolchain/graph/graph.h"
#include "toolchain/ops/infer.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/value.h"

static int64_t *make(const struct rp_infer *in, struct rp_infer_ints *out, size_t count) {
    int64_t *items = rp_alloc(in->ops->arena, count + 1, sizeof *items);
    *out = (struct rp_infer_ints){items, count};
    return items;
}

/* Since opset 15 it may be a part of the dimensions. */
bool rp_ints_shape(const struct rp_infer *in, struct rp_infer_ints *out) {
    struct rp_infer_shape x;
    int64_t count;
    if (!rp_infer_operand(in, 0, &x))
        return false;
    struct rp_infer_range range = {rp_ops_integer(in->node, "start", 0),
                                   rp_ops_integer(in->node, "end", (int64_t)x.rank), 1};
    if (!rp_infer_clamp(&range, (int64_t)x.rank, &count))
        return false;
    int64_t *items = make(in, out, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        items[i] = x.dims[range.start + i] < 0 ? RP_INT_VARIES : x.dims[range.start + i];
    return true;
}

bool rp_ints_size(const struct rp_infer *in, struct rp_infer_ints *out) {
    struct rp_infer_shape x;
    return rp_infer_operand(in, 0, &x) && rp_infer_product(&x, 0, x.rank, make(in, out, 1));
}

/* Not a Cast to bool, which turns all but 0 into 1. */
bool rp_ints_same(const struct rp_infer *in, struct rp_infer_ints *out) {
    const struct rp_graph_tensor *result = rp_ops_result(in->ops, in->node, 0);
    return result->element != RP_ELEMENT_BOOL && rp_infer_value(in, 0, out);
}

/* ConstantOfShape: zeros, or the attribute's value. */
bool rp_ints_fill(const struct rp_infer *in, struct rp_infer_ints *out) {
    struct rp_infer_ints dims;
    const struct rp_attribute *value = rp_graph_attribute(in->node->node, "value");
    int64_t fill = 0;
    if (!rp_infer_value(in, 0, &dims) || dims.count > 1 ||
        (dims.count == 1 && (dims.items[0] < 0 || dims.items[0] > RP_INTS_MAX)) ||
        (value != NULL && rp_ops_integers(value->tensor, &fill, 1) != 1))
        return false;
    size_t count = dims.count == 1 ? (size_t)dims.items[0] : 1;
    int64_t *items = make(in, out, count);
    for (size_t i = 0; i < count; i++)
        items[i] = fill;
    return true;
}

/* The value as rows along the first dimension. */
static bool read_rows(const struct rp_infer *in, size_t n, struct rp_infer_ints *value,
                      struct rp_infer_shape *shape) {
    return rp_infer_value(in, n, value) && rp_infer_operand(in, n, shape) && shape->rank > 0 &&
           shape->dims[0] > 0 && value->count % (size_t)shape->dims[0] == 0;
}

bool rp_ints_gather(const struct rp_infer *in, struct rp_infer_ints *out) {
    struct rp_infer_ints x, indices;
    struct rp_infer_shape shape;
    if (!read_rows(in, 0, &x, &shape) || shape.rank != 1 || !rp_infer_value(in, 1, &indices) ||
        rp_ops_integer(in->node, "axis", 0) != 0)
        return false;
    int64_t *items = make(in, out, indices.count);
    for (size_t i = 0; i < indices.count; i++) {
        int64_t at = indices.items[i] < 0 ? indices.items[i] + (int64_t)x.count : indices.items[i];
        if (at < 0 || at >= (int64_t)x.count)
            return false;
        items[i] = x.items[at];
    }
    return true;
}

bool rp_ints_concat(const struct rp_infer *in, struct rp_infer_ints *out) {
    int64_t *items = make(in, out, RP_INTS_MAX);
    unsigned axis;
    out->count = 0;
    for (size_t i = 0; i < in->node->node->input_count; i++) {
        struct rp_infer_ints x;
        struct rp_infer_shape shape;
        if (!rp_infer_operand(in, i, &shape) || !rp_infer_axis(in, 1, shape.rank, &axis) ||
            axis != 0 || !rp_infer_value(in, i, &x) || x.count > RP_INTS_MAX - out->count)
            return false;
        for (size_t k = 0; k < x.count; k++)
            items[out->count++] = x.items[k];
    }
    return true;
}

/* Along the first dimension. */
bool rp_ints_slice(const struct rp_infer *in, struct rp_infer_ints *out) {
    struct rp_infer_ints x, starts, ends, axes, steps;
    struct rp_infer_shape shape;
    int64_t count;
    if (!read_rows(in, 0, &x, &shape) || !rp_infer_list(in, "starts", 1, &starts) ||
        !rp_infer_list(in, "ends", 2, &ends) || !rp_infer_list(in, "axes", 3, &axes) ||
        !rp_infer_list(in, "steps", 4, &steps) || starts.count != 1 || ends.count != 1 ||
        axes.count > 1 || steps.count > 1 ||
        (axes.count == 1 && axes.items[0] != 0 && axes.items[0] != -(int64_t)shape.rank))
        return false;
    struct rp_infer_range range = {starts.items[0], ends.items[0],
                                   steps.count == 1 ? steps.items[0] : 1};
    if (!rp_infer_clamp(&range, shape.dims[0], &count))
        return false;
    size_t row = x.count / (size_t)shape.dims[0];
    int64_t *items = make(in, out, (size_t)count * row);
    for (size_t i = 0; i < (size_t)count * row; i++) {
        int64_t from = range.start + (int64_t)(i / row) * range.step;
        items[i] = x.items[(size_t)from * row + i % row];
    }
    return true;
}

/* For two dimensions. */
bool rp_ints_transpose(const struct rp_infer *in, struct rp_infer_ints *out) {
    struct rp_infer_ints x, perm;
    struct rp_infer_shape shape;
    if (!read_rows(in, 0, &x, &shape) || shape.rank != 2 || !rp_infer_list(in, "perm", 0, &perm) ||
        (perm.count != 0 && (perm.count != 2 || perm.items[0] != 1)))
        return false;
    size_t rows = (size_t)shape.dims[0], columns = x.count / rows;
    int64_t *items = make(in, out, x.count);
    for (size_t i = 0; i < x.count; i++)
        items[i] = x.items[i % rows * columns + i / rows];
    return true;
}

static bool compute(char op, int64_t a, int64_t b, int64_t *out) {
    *out = 0;
    if (a == RP_INT_VARIES || b == RP_INT_VARIES)
        return false;
    if (op == 'A')
        return !__builtin_add_overflow(a, b, out);
    if (op == 'S')
        return !__builtin_sub_overflow(a, b, out);
    if (op == 'M')
        return !__builtin_mul_overflow(a, b, out);
    if (op == 'E') {
        *out = a == b;
        return true;
    }
    if (b == 0)
        return false;
    *out = a / b; /* does not overflow: a is not INT64_MIN, which is RP_INT_VARIES */
    return true;
}

/* Add, Sub, Mul, Div and Equal of two lists of one length, or of a list and one number. */
bool rp_ints_arithmetic(const struct rp_infer *in, struct rp_infer_ints *out) {
    struct rp_infer_ints a, b;
    if (rp_ops_operands(in->node) != 2 || !rp_infer_value(in, 0, &a) ||
        !rp_infer_value(in, 1, &b) || (a.count != b.count && a.count != 1 && b.count != 1))
        return false;
    size_t count = a.count == 1 ? b.count : a.count;
    int64_t *items = make(in, out, count);
    for (size_t i = 0; i < count; i++)
        if (!compute(in->node->node->op[0], a.items[a.count == 1 ? 0 : i],
                     b.items[b.count == 1 ? 0 : i], &items[i]) ||
            items[i] == RP_INT_VARIES)
            return false;
    return true;
}

/* Where, of lists of one length or single numbers. */
bool rp_ints_where(const struct rp_infer *in, struct rp_infer_ints *out) {
    struct rp_infer_ints x[3];
    size_t count = 1;
    for (size_t n = 0; n < 3; n++) {
        if (!rp_infer_value(in, n, &x[n]) || (x[n].count != 1 && count != 1 && x[n].count != count))
            return false;
        count = x[n].count != 1 ? x[n].count : count;
    }
    int64_t *items = make(in, out, count);
    for (size_t i = 0; i < count; i++) {
        int64_t condition = x[0].items[x[0].count == 1 ? 0 : i];
        size_t n = condition != 0 ? 1 : 2;
        if (condition == RP_INT_VARIES)
            return false;
        items[i] = x[n].items[x[n].count == 1 ? 0 : i];
    }
    return true;
}
