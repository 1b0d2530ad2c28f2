/* SPDX-License-Identifier: Apache-2.0 */
/* What tensors are once the quantisation nodes around them are taken away; values of constants. */
#ifndef RP_TOOLCHAIN_OPS_VALUE_H
#define RP_TOOLCHAIN_OPS_VALUE_H

#include "toolchain/ops/ops.h"

/* What a tensor is, with the QuantizeLinear and DequantizeLinear around it taken away. */
struct rp_ops_value {
    enum rp_element element;
    bool is_quantised; /* with scales, or an integer in an operator that has them as inputs */
    size_t scales;     /* 1: per tensor; 0: not known */
    double scale;      /* the first one, with scales */
    bool zero_known;
    int64_t zero; /* the one that is farthest from 0 */
};

/* The zero point of a QLinear operator's result; NULL: it has none. */
const struct rp_graph_tensor *rp_ops_result_zero(const struct rp_ops *ops,
                                                 const struct rp_ops_node *node);
/* A constant, also behind a DequantizeLinear. */
bool rp_ops_is_constant(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
struct rp_ops_value rp_ops_value(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
bool rp_ops_is_float(enum rp_element element);
/* A constant operand of an operator that computes with it (weights aside) is in floats. */
bool rp_ops_has_float_constant(const struct rp_ops *ops, const struct rp_ops_node *node);
/* The rank and all dims are known and static. */
bool rp_ops_is_static(const struct rp_graph_tensor *tensor);
/* How many integers a constant int32 or int64 tensor has, at most max are stored; 0: not readable.
 */
size_t rp_ops_integers(const struct rp_graph_tensor *tensor, int64_t *out, size_t max);

#endif
