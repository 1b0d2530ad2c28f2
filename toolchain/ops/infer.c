/* SPDX-License-Identifier: Apache-2.0 */
/* What the files that infer shapes share: see infer.h. */
#include "toolchain/ops/infer.h"

#include "toolchain/graph/graph.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/value.h"

bool rp_infer_operand(const struct rp_infer *in, size_t n, struct rp_infer_shape *out) {
    const struct rp_graph_tensor *tensor = rp_ops_operand(in->ops, in->node, n);
    if (tensor == NULL || !tensor->shape_known)
        return false;
    out->rank = tensor->rank;
    for (unsigned i = 0; i < tensor->rank; i++) {
        out->dims[i] = tensor->dims[i];
        if (out->dims[i] < -1 || out->dims[i] > INT32_MAX)
            return false;
    }
    if (out->rank > 1 && out->dims[0] == -1)
        out->dims[0] = 1;
    return true;
}

static void read_ints(const struct rp_infer *in, const struct rp_graph_tensor *tensor,
                      struct rp_infer_ints *out) {
    int64_t list[RP_INTS_MAX];
    size_t count = rp_ops_integers(tensor, list, RP_INTS_MAX);
    bool is_empty = tensor->shape_known && tensor->rank == 1 && tensor->dims[0] == 0;
    if (count > RP_INTS_MAX || (count == 0 && !is_empty))
        return;
    int64_t *items = rp_alloc(in->ops->arena, count + 1, sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = list[i] == RP_INT_VARIES ? RP_INT_VARIES + 1 : list[i];
    *out = (struct rp_infer_ints){items, count};
}

bool rp_infer_value(const struct rp_infer *in, size_t n, struct rp_infer_ints *out) {
    const struct rp_graph_tensor *tensor = rp_ops_operand(in->ops, in->node, n);
    if (tensor == NULL)
        return false;
    struct rp_infer_ints *kept = &in->ints[rp_ops_index(in->ops, tensor)];
    if (kept->items == NULL && tensor->constant)
        read_ints(in, tensor, kept);
    *out = *kept;
    return kept->items != NULL;
}

bool rp_infer_list(const struct rp_infer *in, const char *name, size_t input,
                   struct rp_infer_ints *out) {
    const struct rp_attribute *list = rp_graph_attribute(in->node->node, name);
    *out = (struct rp_infer_ints){0};
    if (list != NULL && list->list != NULL)
        *out = (struct rp_infer_ints){list->list, list->count};
    else if (input != 0 && rp_ops_operand(in->ops, in->node, input) != NULL &&
             !rp_infer_value(in, input, out))
        return false;
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i] == RP_INT_VARIES)
            return false;
    return out->count <= RP_INTS_MAX;
}

bool rp_infer_find_axis(int64_t axis, unsigned rank, unsigned *out) {
    axis += axis < 0 ? (int64_t)rank : 0;
    *out = (unsigned)axis;
    return axis >= 0 && axis < (int64_t)rank;
}

bool rp_infer_axes(const struct rp_infer *in, size_t input, unsigned rank, unsigned *mask) {
    struct rp_infer_ints axes;
    unsigned axis;
    *mask = 0;
    if (!rp_infer_list(in, "axes", input, &axes))
        return false;
    for (size_t i = 0; i < axes.count; i++) {
        if (!rp_infer_find_axis(axes.items[i], rank, &axis) || (*mask >> axis & 1) != 0)
            return false;
        *mask |= 1U << axis;
    }
    return true;
}

bool rp_infer_axis(const struct rp_infer *in, int64_t missing, unsigned rank, unsigned *axis) {
    return rp_infer_find_axis(rp_ops_integer(in->node, "axis", missing), rank, axis);
}

static bool broadcast_dim(int64_t a, int64_t b, int64_t *out) {
    *out = a == 1 || a == -1 ? b : a;
    if (a == -1 && b == 1)
        *out = -1;
    return a == b || a == 1 || b == 1 || a == -1 || b == -1;
}

bool rp_infer_broadcast(struct rp_infer_shape *into, const struct rp_infer_shape *other) {
    struct rp_infer_shape large = into->rank >= other->rank ? *into : *other;
    struct rp_infer_shape small = into->rank >= other->rank ? *other : *into;
    unsigned missing = large.rank - small.rank;
    for (unsigned i = 0; i < small.rank; i++)
        if (!broadcast_dim(large.dims[i + missing], small.dims[i], &large.dims[i + missing]))
            return false;
    *into = large;
    return true;
}

bool rp_infer_product(const struct rp_infer_shape *shape, unsigned first, unsigned end,
                      int64_t *product) {
    *product = 1;
    for (unsigned i = first; i < end; i++)
        if (shape->dims[i] < 0 || __builtin_mul_overflow(*product, shape->dims[i], product) ||
            *product > INT32_MAX)
            return false;
    return true;
}

static int64_t bound(int64_t value, int64_t low, int64_t high) {
    return value < low ? low : value > high ? high : value;
}

bool rp_infer_clamp(struct rp_infer_range *range, int64_t dim, int64_t *length) {
    int64_t step = range->step, back = step < 0;
    if (step == 0 || dim < 0)
        return false;
    step = bound(step, -INT32_MAX, INT32_MAX);
    range->start = bound(range->start < 0 ? range->start + dim : range->start, 0, dim - back);
    range->end = bound(range->end < 0 ? range->end + dim : range->end, -back, dim - back);
    int64_t distance = step > 0 ? range->end - range->start : range->start - range->end;
    int64_t size = step > 0 ? step : -step;
    range->step = step;
    *length = dim > 0 && distance > 0 ? (distance + size - 1) / size : 0;
    return true;
}
