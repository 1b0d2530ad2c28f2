/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files that infer shapes of an ONNX graph share; private to shapes.c and
 * infer_*.c. A dimension of -1 varies, a first one of -1 (the batch) counts as 1. What cannot be
 * told is "not known", never a guess.
 */
#ifndef RP_TOOLCHAIN_OPS_INFER_H
#define RP_TOOLCHAIN_OPS_INFER_H

#include "toolchain/ops/ops.h"

/* Pads of the highest rank; a value in place of which a dimension that varies stands. */
enum { RP_INTS_MAX = 2 * RP_GRAPH_RANK_MAX };
#define RP_INT_VARIES INT64_MIN

struct rp_infer_shape {
    unsigned rank;
    int64_t dims[RP_GRAPH_RANK_MAX]; /* -1 or 0 to INT32_MAX */
};

/* The value of a small tensor of integers, flat; items NULL: not known. */
struct rp_infer_ints {
    const int64_t *items;
    size_t count; /* at most RP_INTS_MAX */
};

/* The node whose output is asked for. */
struct rp_infer {
    const struct rp_ops *ops;
    struct rp_infer_ints *ints; /* of each tensor */
    const struct rp_ops_node *node;
    size_t output;
};

/* False: not known. */
typedef bool rp_infer_shape_of(const struct rp_infer *in, struct rp_infer_shape *out);
typedef bool rp_infer_ints_of(const struct rp_infer *in, struct rp_infer_ints *out);

bool rp_infer_operand(const struct rp_infer *in, size_t n, struct rp_infer_shape *out);
bool rp_infer_value(const struct rp_infer *in, size_t n, struct rp_infer_ints *out);
/*
 * A list that is an attribute or, with input not 0, an input. False: it is there and not known, or
 * holds what varies. Not there, or empty: true, count 0.
 */
bool rp_infer_list(const struct rp_infer *in, const char *name, size_t input,
                   struct rp_infer_ints *out);
/* A list of axes as a bit for each. */
bool rp_infer_axes(const struct rp_infer *in, size_t input, unsigned rank, unsigned *mask);
/* Counted from the end when negative; false when it is not below the rank. */
bool rp_infer_find_axis(int64_t axis, unsigned rank, unsigned *out);
/* The axis attribute. */
bool rp_infer_axis(const struct rp_infer *in, int64_t missing, unsigned rank, unsigned *axis);
/* How large both are when each is broadcast to the other; into is one and the result. */
bool rp_infer_broadcast(struct rp_infer_shape *into, const struct rp_infer_shape *other);
/* Product of dims first to end; false when one varies or it is too large. */
bool rp_infer_product(const struct rp_infer_shape *shape, unsigned first, unsigned end,
                      int64_t *product);
/* The elements start, start + step, ... in front of end, as Slice counts. */
struct rp_infer_range {
    int64_t start, end, step;
};
bool rp_infer_clamp(struct rp_infer_range *range, int64_t dim, int64_t *length);

#endif
