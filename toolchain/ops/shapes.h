/* SPDX-License-Identifier: Apache-2.0 */
/* Infers shapes, types and small integers that an ONNX file leaves out between operators. */
#ifndef RP_TOOLCHAIN_OPS_SHAPES_H
#define RP_TOOLCHAIN_OPS_SHAPES_H

#include "toolchain/ops/ops.h"

/* Fills in what is not known in the tensors, which are those of ops->graph. */
void rp_ops_infer_shapes(struct rp_ops *ops, struct rp_graph_tensor *tensors);

#endif
