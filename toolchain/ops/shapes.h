/* SPDX-License-Identifier: Apache-2.0 */
/* Shapes, types and small integers that an ONNX file leaves out between operators. */
#ifndef RP_TOOLCHAIN_OPS_SHAPES_H
#define RP_TOOLCHAIN_OPS_SHAPES_H

#include "toolchain/ops/ops.h"

/* Fills in shapes and types that are not known, and small integers; tensors: of ops->graph. */
void rp_ops_infer_shapes(struct rp_ops *ops, struct rp_graph_tensor *tensors);

#endif
