/* SPDX-License-Identifier: Apache-2.0 */
/* Answers questions of rules about a node: operands, producers, attributes, kind. */
#ifndef RP_TOOLCHAIN_OPS_QUERY_H
#define RP_TOOLCHAIN_OPS_QUERY_H

#include "toolchain/ops/ops.h"

/* The tensor with this index, or NULL. */
const struct rp_graph_tensor *rp_ops_tensor(const struct rp_ops *ops, int32_t index);
/* The index of one of the graph's tensors. */
size_t rp_ops_index(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
/* Operand n. The scales and zero points of QLinear operators are not operands. */
const struct rp_graph_tensor *rp_ops_operand(const struct rp_ops *ops,
                                             const struct rp_ops_node *node, size_t n);
size_t rp_ops_operands(const struct rp_ops_node *node);
/*
 * The index of the input that is operand 0; operand n is n steps after it. A step is 3 for QLinear
 * operators, whose inputs include scales and zero points, else 1.
 */
size_t rp_ops_first_operand(const struct rp_ops_node *node, size_t *step);
const struct rp_graph_tensor *rp_ops_result(const struct rp_ops *ops,
                                            const struct rp_ops_node *node, size_t n);
/* The tensor that an operator computes on: operand 0, but operand 2 of TFLite's TRANSPOSE_CONV. */
const struct rp_graph_tensor *rp_ops_data(const struct rp_ops *ops, const struct rp_ops_node *node);
/* The node that makes a tensor; NULL: none does, or tensor is NULL. */
struct rp_ops_node *rp_ops_producer(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
/* The node that makes operand n, ignoring quantisation nodes; NULL: none does. */
struct rp_ops_node *rp_ops_in_front(const struct rp_ops *ops, const struct rp_ops_node *node,
                                    size_t n);
/* The node that this one is fused into, perhaps indirectly; itself if it is not fused. */
struct rp_ops_node *rp_ops_whole(const struct rp_ops *ops, struct rp_ops_node *node);
/* An attribute's value, or `missing` if the node does not have it. */
int64_t rp_ops_integer(const struct rp_ops_node *node, const char *name, int64_t missing);
int64_t rp_ops_item(const struct rp_ops_node *node, const char *name, size_t index,
                    int64_t missing);
const char *rp_ops_text(const struct rp_ops_node *node, const char *name, const char *missing);
bool rp_ops_kind_is(const struct rp_ops_node *node, const char *kinds);
/* Is word among the words, such as "Conv Gemm"? */
bool rp_ops_is_word(const char *words, const char *word);

/* Is the node neither fused into another one nor folded? */
bool rp_ops_is_standalone(const struct rp_ops_node *node);

#endif
