/* SPDX-License-Identifier: Apache-2.0 */
/* Types, scales and zero points of tensors, seen through quantisation nodes; constants' values. */
#ifndef RP_TOOLCHAIN_OPS_VALUE_H
#define RP_TOOLCHAIN_OPS_VALUE_H

#include "toolchain/ops/ops.h"

/* A tensor's properties, taking QuantizeLinear and DequantizeLinear around it into account. */
struct rp_ops_value {
    enum rp_element element;
    bool is_quantised; /* has scales, or is an integer whose operator has them as inputs */
    size_t scales;     /* how many; 1: per tensor; 0: not known */
    double scale;      /* the first one, if there are any */
    bool zero_known;
    int64_t zero; /* the one that is farthest from 0 */
};

/* The zero point of a QLinear operator's result, or NULL. */
const struct rp_graph_tensor *rp_ops_result_zero(const struct rp_ops *ops,
                                                 const struct rp_ops_node *node);
/* Is it a constant, directly or after a DequantizeLinear? */
bool rp_ops_is_constant(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
/*
 * The tensor with a constant's numbers: itself, or what a DequantizeLinear reads. NULL: its value
 * is computed.
 */
const struct rp_graph_tensor *rp_ops_numbers(const struct rp_ops *ops,
                                             const struct rp_graph_tensor *tensor);
struct rp_ops_value rp_ops_value(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
bool rp_ops_is_float(enum rp_element element);
/* Does the operator compute with a constant in floats? Weights do not count. */
bool rp_ops_has_float_constant(const struct rp_ops *ops, const struct rp_ops_node *node);
/* Are the rank and all dimensions known and static? */
bool rp_ops_is_static(const struct rp_graph_tensor *tensor);
/*
 * The number of integers of a constant int32 or int64 tensor; 0 when they cannot be read. At most
 * max are stored.
 */
size_t rp_ops_integers(const struct rp_graph_tensor *tensor, int64_t *out, size_t max);

#endif
