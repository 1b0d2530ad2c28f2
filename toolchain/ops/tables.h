/* SPDX-License-Identifier: Apache-2.0 */
/* The page's two tables of operators, TFLite's and ONNX's. */
#ifndef RP_TOOLCHAIN_OPS_TABLES_H
#define RP_TOOLCHAIN_OPS_TABLES_H

#include "toolchain/ops/ops.h"

/* "HW", "conditional", "SW_INT", "SW_FLOAT", "unsupported". */
const char *rp_ops_place_name(enum rp_ops_place place);

/* The row at a position; NULL past the end. */
const struct rp_ops_operator *rp_ops_operator_at(size_t index);
/* The row of a node's operator; NULL when the page does not list it. */
const struct rp_ops_operator *rp_ops_operator_of(enum rp_graph_format format,
                                                 const struct rp_graph_node *node);

#endif
