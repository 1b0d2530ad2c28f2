/* SPDX-License-Identifier: Apache-2.0 */
/* What the rules ask of a graph: operands, producers, attributes, kinds. */
#ifndef RP_TOOLCHAIN_OPS_QUERY_H
#define RP_TOOLCHAIN_OPS_QUERY_H

#include "toolchain/ops/ops.h"

const struct rp_graph_tensor *rp_ops_tensor(const struct rp_ops *ops, int32_t index);
/* The n-th operand: of QLinear operators, scales and zero points do not count. */
const struct rp_graph_tensor *rp_ops_operand(const struct rp_ops *ops,
                                             const struct rp_ops_node *node, size_t n);
size_t rp_ops_operands(const struct rp_ops_node *node);
/*
 * The input that is operand 0; operand n is n steps behind it. QLinear operators have scales and
 * zero points among their inputs: there a step is 3.
 */
size_t rp_ops_first_operand(const struct rp_ops_node *node, size_t *step);
const struct rp_graph_tensor *rp_ops_result(const struct rp_ops *ops,
                                            const struct rp_ops_node *node, size_t n);
/* What an operator computes on: operand 0, but 2 of TFLite's TRANSPOSE_CONV. */
const struct rp_graph_tensor *rp_ops_data(const struct rp_ops *ops, const struct rp_ops_node *node);
/* The node that makes a tensor; NULL: none does, or tensor is NULL. */
struct rp_ops_node *rp_ops_producer(const struct rp_ops *ops, const struct rp_graph_tensor *tensor);
/* What a node is a part of, in the end; a node that stands for itself is its own. */
struct rp_ops_node *rp_ops_whole(const struct rp_ops *ops, struct rp_ops_node *node);
/* An attribute's integer or text; when it is not there, missing. */
int64_t rp_ops_integer(const struct rp_ops_node *node, const char *name, int64_t missing);
/* A number of an attribute that is a list. */
int64_t rp_ops_item(const struct rp_ops_node *node, const char *name, size_t index,
                    int64_t missing);
const char *rp_ops_text(const struct rp_ops_node *node, const char *name, const char *missing);
bool rp_ops_kind_is(const struct rp_ops_node *node, const char *kinds);
/* Is it a word of "Conv Gemm"? */
bool rp_ops_is_word(const char *words, const char *word);

/* Is it neither a part of another node nor folded? */
bool rp_ops_is_standalone(const struct rp_ops_node *node);

#endif
