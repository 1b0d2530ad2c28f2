/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes of operators that move, cut, join and repeat data without computing. See infer.h. */
#include "toolchain/ops/infer_move.h"

#include <string.h>

#include "toolchain/graph/graph.h"
#include "toolchain/ops/infer.h"
#include "toolchain/ops/query.h"

static int64_t as_dim(int64_t value) {
    return value == RP_INT_VARIES ? -1 : value;
}

/* ---- the same data in another shape ---- */

/*
 * Finds the one dimension that is left to be computed from the size of the input. Dimensions that
 * are copied (a bit each) may be variable, because they cancel out. If another dimension of the
 * input is variable, so is the result.
 */
static bool find_rest(const struct rp_infer_shape *x, struct rp_infer_shape *out, unsigned rest,
                      unsigned copied) {
    struct rp_infer_shape from = *x, to = *out;
    int64_t all, others;
    bool varies = false;
    to.dims[rest] = 1;
    for (unsigned i = 0; i < x->rank; i++) {
        if ((copied >> i & 1) != 0)
            from.dims[i] = to.dims[i] = 1;
        varies = varies || from.dims[i] < 0;
    }
    if (!rp_infer_product(&to, 0, to.rank, &others) || others == 0 ||
        (!varies && (!rp_infer_product(&from, 0, from.rank, &all) || all % others != 0)))
        return false;
    out->dims[rest] = varies ? -1 : all / others;
    return true;
}

bool rp_infer_reshape(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x = {0};
    struct rp_infer_ints shape;
    const struct rp_attribute *old = rp_graph_attribute(in->node->node, "shape");
    bool known = rp_infer_operand(in, 0, &x), zero = rp_ops_integer(in->node, "allowzero", 0) != 0;
    unsigned rest = RP_GRAPH_RANK_MAX, copied = 0;
    if (!(old != NULL ? rp_infer_list(in, "shape", 0, &shape) : rp_infer_value(in, 1, &shape)) ||
        shape.count > RP_GRAPH_RANK_MAX)
        return false;
    out->rank = (unsigned)shape.count;
    for (unsigned i = 0; i < out->rank; i++) {
        int64_t dim = out->dims[i] = as_dim(shape.items[i]);
        if (dim == 0 && !zero) {
            if (!known || i >= x.rank)
                return false;
            out->dims[i] = x.dims[i];
            copied |= 1U << i;
        } else if (shape.items[i] == -1) {
            if (rest != RP_GRAPH_RANK_MAX)
                return false;
            rest = i;
        }
    }
    return rest == RP_GRAPH_RANK_MAX || (known && find_rest(&x, out, rest, copied));
}

static int64_t product_or_varies(const struct rp_infer_shape *x, unsigned first, unsigned end) {
    int64_t product;
    for (unsigned i = first; i < end; i++)
        if (x->dims[i] < 0)
            return -1;
    return rp_infer_product(x, first, end, &product) ? product : INT64_MAX;
}

bool rp_infer_flatten(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x;
    int64_t axis = rp_ops_integer(in->node, "axis", 1);
    if (!rp_infer_operand(in, 0, &x))
        return false;
    axis += axis < 0 ? (int64_t)x.rank : 0;
    if (axis < 0 || axis > (int64_t)x.rank)
        return false;
    *out = (struct rp_infer_shape){
        2,
        {product_or_varies(&x, 0, (unsigned)axis), product_or_varies(&x, (unsigned)axis, x.rank)}};
    return true;
}

/* Without axes, all dimensions of 1 are removed, so each must be known. */
bool rp_infer_squeeze(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x;
    unsigned mask;
    if (!rp_infer_operand(in, 0, &x) || !rp_infer_axes(in, 1, x.rank, &mask))
        return false;
    bool all = mask == 0;
    out->rank = 0;
    for (unsigned i = 0; i < x.rank; i++) {
        bool named = (mask >> i & 1) != 0;
        if ((all && x.dims[i] < 0) || (named && x.dims[i] > 1))
            return false;
        if (!named && !(all && x.dims[i] == 1))
            out->dims[out->rank++] = x.dims[i];
    }
    return true;
}

bool rp_infer_unsqueeze(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x;
    struct rp_infer_ints axes;
    unsigned mask, next = 0;
    if (!rp_infer_operand(in, 0, &x) || !rp_infer_list(in, "axes", 1, &axes) ||
        axes.count > RP_GRAPH_RANK_MAX - x.rank)
        return false;
    out->rank = x.rank + (unsigned)axes.count;
    if (axes.count == 0 || !rp_infer_axes(in, 1, out->rank, &mask))
        return false;
    for (unsigned i = 0; i < out->rank; i++)
        out->dims[i] = (mask >> i & 1) != 0 ? 1 : x.dims[next++];
    return true;
}

bool rp_infer_transpose(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x;
    struct rp_infer_ints perm;
    unsigned seen = 0;
    if (!rp_infer_operand(in, 0, &x) || !rp_infer_list(in, "perm", 0, &perm) ||
        (perm.count != 0 && perm.count != x.rank))
        return false;
    out->rank = x.rank;
    for (unsigned i = 0; i < x.rank; i++) {
        int64_t from = perm.count != 0 ? perm.items[i] : (int64_t)(x.rank - 1 - i);
        if (from < 0 || from >= (int64_t)x.rank || (seen >> from & 1) != 0)
            return false;
        seen |= 1U << from;
        out->dims[i] = x.dims[from];
    }
    return true;
}

/* Channels become blocks of rows and columns. */
bool rp_infer_depth_to_space(const struct rp_infer *in, struct rp_infer_shape *out) {
    int64_t block = rp_ops_integer(in->node, "blocksize", 0);
    if (!rp_infer_operand(in, 0, out) || out->rank != 4 || block <= 0 || block > INT16_MAX ||
        out->dims[1] % (block * block) != 0)
        return false;
    out->dims[1] = out->dims[1] < 0 ? -1 : out->dims[1] / (block * block);
    for (unsigned i = 2; i < 4; i++)
        out->dims[i] = out->dims[i] < 0 ? -1 : out->dims[i] * block;
    return true;
}

bool rp_infer_space_to_depth(const struct rp_infer *in, struct rp_infer_shape *out) {
    int64_t block = rp_ops_integer(in->node, "blocksize", 0);
    if (!rp_infer_operand(in, 0, out) || out->rank != 4 || block <= 0 || block > INT16_MAX)
        return false;
    out->dims[1] = out->dims[1] < 0 ? -1 : out->dims[1] * block * block;
    for (unsigned i = 2; i < 4; i++) {
        if (out->dims[i] >= 0 && out->dims[i] % block != 0)
            return false;
        out->dims[i] = out->dims[i] < 0 ? -1 : out->dims[i] / block;
    }
    return true;
}

/* ---- joining and cutting ---- */

static bool join(struct rp_infer_shape *out, const struct rp_infer_shape *next, unsigned axis) {
    if (next->rank != out->rank)
        return false;
    for (unsigned i = 0; i < out->rank; i++) {
        int64_t a = out->dims[i], b = next->dims[i];
        if (i == axis)
            out->dims[i] = a < 0 || b < 0 ? -1 : a + b;
        else if (a < 0)
            out->dims[i] = b;
        else if (b >= 0 && a != b)
            return false;
    }
    return out->dims[axis] <= INT32_MAX;
}

bool rp_infer_concat(const struct rp_infer *in, struct rp_infer_shape *out) {
    unsigned axis;
    if (!rp_infer_operand(in, 0, out) || !rp_infer_axis(in, 1, out->rank, &axis))
        return false;
    for (size_t i = 1; i < rp_ops_operands(in->node); i++) {
        struct rp_infer_shape next;
        if (!rp_infer_operand(in, i, &next) || !join(out, &next, axis))
            return false;
    }
    return true;
}

/* Sizes are given or equal. Since opset 18, the last of equal ones may be smaller. */
bool rp_infer_split(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_ints sizes;
    unsigned axis;
    size_t parts = in->node->node->output_count;
    if (!rp_infer_operand(in, 0, out) || !rp_infer_axis(in, 0, out->rank, &axis) ||
        !rp_infer_list(in, "split", 1, &sizes))
        return false;
    int64_t whole = out->dims[axis],
            count = rp_ops_integer(in->node, "num_outputs", (int64_t)parts);
    if (sizes.count != 0) {
        out->dims[axis] = in->output < sizes.count ? sizes.items[in->output] : INT64_MAX;
        return sizes.count == parts;
    }
    if (whole < 0 || count != (int64_t)parts)
        return whole < 0 && count == (int64_t)parts;
    int64_t size = (whole + count - 1) / count, before = size * (int64_t)in->output;
    out->dims[axis] = whole - before < size ? whole - before : size;
    return out->dims[axis] >= 0 && (whole % count == 0 || in->ops->graph->opset >= 18);
}

static bool cut(struct rp_infer_shape *out, unsigned axis, struct rp_infer_range range) {
    bool varies = out->dims[axis] < 0 || range.start == RP_INT_VARIES || range.end == RP_INT_VARIES;
    if (varies)
        out->dims[axis] = -1;
    return range.step != 0 && (varies || rp_infer_clamp(&range, out->dims[axis], &out->dims[axis]));
}

/* Attributes before opset 10, inputs since. The ends may be variable dimensions. */
static bool read_bounds(const struct rp_infer *in, const char *name, size_t input,
                        struct rp_infer_ints *out) {
    return rp_graph_attribute(in->node->node, name) != NULL ? rp_infer_list(in, name, 0, out)
                                                            : rp_infer_value(in, input, out);
}

bool rp_infer_slice(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_ints starts, ends, axes, steps;
    unsigned seen = 0;
    if (!rp_infer_operand(in, 0, out) || !read_bounds(in, "starts", 1, &starts) ||
        !read_bounds(in, "ends", 2, &ends) || !rp_infer_list(in, "axes", 3, &axes) ||
        !rp_infer_list(in, "steps", 4, &steps) || ends.count != starts.count ||
        starts.count > out->rank || (axes.count != 0 && axes.count != starts.count) ||
        (steps.count != 0 && steps.count != starts.count))
        return false;
    for (size_t i = 0; i < starts.count; i++) {
        unsigned axis;
        struct rp_infer_range range = {starts.items[i], ends.items[i],
                                       steps.count != 0 ? steps.items[i] : 1};
        if (!rp_infer_find_axis(axes.count != 0 ? axes.items[i] : (int64_t)i, out->rank, &axis) ||
            (seen >> axis & 1) != 0 || !cut(out, axis, range))
            return false;
        seen |= 1U << axis;
    }
    return true;
}

/* The dimensions of the indices take the place of the axis. */
bool rp_infer_gather(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape x, indices;
    unsigned axis;
    if (!rp_infer_operand(in, 0, &x) || !rp_infer_operand(in, 1, &indices) ||
        !rp_infer_axis(in, 0, x.rank, &axis) || x.rank - 1 + indices.rank > RP_GRAPH_RANK_MAX)
        return false;
    out->rank = 0;
    for (unsigned i = 0; i < axis; i++)
        out->dims[out->rank++] = x.dims[i];
    for (unsigned i = 0; i < indices.rank; i++)
        out->dims[out->rank++] = indices.dims[i];
    for (unsigned i = axis + 1; i < x.rank; i++)
        out->dims[out->rank++] = x.dims[i];
    return true;
}

/* TopK; k was an attribute before opset 10. */
bool rp_infer_top(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_ints k;
    unsigned axis;
    int64_t old = rp_ops_integer(in->node, "k", -1);
    if (!rp_infer_operand(in, 0, out) || !rp_infer_axis(in, -1, out->rank, &axis))
        return false;
    if (old < 0 && (!rp_infer_value(in, 1, &k) || k.count != 1))
        return false;
    out->dims[axis] = old >= 0 ? old : as_dim(k.items[0]);
    return out->dims[axis] >= -1;
}

/* ---- more data ---- */

/* Axes may be given since opset 18. In opset 1, the name was "paddings". */
bool rp_infer_pad(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_ints pads, axes;
    bool oldest = rp_graph_attribute(in->node->node, "paddings") != NULL;
    if (!rp_infer_operand(in, 0, out) ||
        !rp_infer_list(in, oldest ? "paddings" : "pads", 1, &pads) ||
        !rp_infer_list(in, "axes", 3, &axes))
        return false;
    size_t count = axes.count != 0 ? axes.count : out->rank;
    if (pads.count != 2 * count)
        return false;
    for (size_t i = 0; i < count; i++) {
        unsigned axis;
        int64_t begin = pads.items[i], end = pads.items[i + count];
        if (!rp_infer_find_axis(axes.count != 0 ? axes.items[i] : (int64_t)i, out->rank, &axis) ||
            begin < -INT32_MAX || begin > INT32_MAX || end < -INT32_MAX || end > INT32_MAX)
            return false;
        if (out->dims[axis] < 0)
            continue;
        out->dims[axis] += begin + end;
        if (out->dims[axis] < 0)
            return false;
    }
    return true;
}

bool rp_infer_expand(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_ints value;
    struct rp_infer_shape to;
    if (!rp_infer_operand(in, 0, out) || !rp_infer_value(in, 1, &value) ||
        value.count > RP_GRAPH_RANK_MAX)
        return false;
    to.rank = (unsigned)value.count;
    for (unsigned i = 0; i < to.rank; i++) {
        to.dims[i] = as_dim(value.items[i]);
        if (to.dims[i] < 0 && value.items[i] != RP_INT_VARIES)
            return false;
    }
    return rp_infer_broadcast(out, &to);
}

bool rp_infer_tile(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_ints repeats;
    if (!rp_infer_operand(in, 0, out) || !rp_infer_value(in, 1, &repeats) ||
        repeats.count != out->rank)
        return false;
    for (unsigned i = 0; i < out->rank; i++) {
        int64_t times = repeats.items[i];
        if (times != RP_INT_VARIES && (times < 0 || times > INT32_MAX))
            return false;
        out->dims[i] = out->dims[i] < 0 || times == RP_INT_VARIES ? -1 : out->dims[i] * times;
    }
    return true;
}
