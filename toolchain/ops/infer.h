/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files that infer shapes of an ONNX graph share: shapes.c and infer_*.c. A dimension of
 * -1 is variable; as the first one, the batch, it counts as 1. What cannot be determined is "not
 * known", never guessed.
 */
#ifndef RP_TOOLCHAIN_OPS_INFER_H
#define RP_TOOLCHAIN_OPS_INFER_H

#include "toolchain/ops/ops.h"

/* Enough for the pads of the highest rank. RP_INT_VARIES stands for a variable dimension. */
enum { RP_INTS_MAX = 2 * RP_GRAPH_RANK_MAX };
#define RP_INT_VARIES INT64_MIN

struct rp_infer_shape {
    unsigned rank;
    int64_t dims[RP_GRAPH_RANK_MAX]; /* -1 or 0 to INT32_MAX */
};

/* The values of a small tensor of integers, flat; items is NULL when they are not known. */
struct rp_infer_ints {
    const int64_t *items;
    size_t count; /* at most RP_INTS_MAX */
};

/* The node, and the output whose shape is wanted. */
struct rp_infer {
    const struct rp_ops *ops;
    struct rp_infer_ints *ints; /* for each tensor */
    const struct rp_ops_node *node;
    size_t output;
};

/* These return false if the result is not known. */
typedef bool rp_infer_shape_of(const struct rp_infer *in, struct rp_infer_shape *out);
typedef bool rp_infer_ints_of(const struct rp_infer *in, struct rp_infer_ints *out);

bool rp_infer_operand(const struct rp_infer *in, size_t n, struct rp_infer_shape *out);
bool rp_infer_value(const struct rp_infer *in, size_t n, struct rp_infer_ints *out);
/*
 * A list that is an attribute or, if input is not 0, an input. False: it is not known or contains a
 * variable number. True with a count of 0: it is missing or empty.
 */
bool rp_infer_list(const struct rp_infer *in, const char *name, size_t input,
                   struct rp_infer_ints *out);
/* A list of axes, as a mask with a bit for each. */
bool rp_infer_axes(const struct rp_infer *in, size_t input, unsigned rank, unsigned *mask);
/* A negative axis counts from the end. False when it is outside the rank. */
bool rp_infer_find_axis(int64_t axis, unsigned rank, unsigned *out);
/* The axis attribute. */
bool rp_infer_axis(const struct rp_infer *in, int64_t missing, unsigned rank, unsigned *axis);
/* Broadcasts two shapes to each other; into is one of them and gets the result. */
bool rp_infer_broadcast(struct rp_infer_shape *into, const struct rp_infer_shape *other);
/* The product of dims[first] to dims[end - 1]; false when one is variable or it is too large. */
bool rp_infer_product(const struct rp_infer_shape *shape, unsigned first, unsigned end,
                      int64_t *product);
/* The elements start, start + step, ... before end, as Slice counts. */
struct rp_infer_range {
    int64_t start, end, step;
};
bool rp_infer_clamp(struct rp_infer_range *range, int64_t dim, int64_t *length);

#endif
