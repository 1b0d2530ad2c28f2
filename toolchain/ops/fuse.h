/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the patterns that the compiler turns into one operator. */
#ifndef RP_TOOLCHAIN_OPS_FUSE_H
#define RP_TOOLCHAIN_OPS_FUSE_H

#include "toolchain/ops/ops.h"

/* Sets part_of, is_swish, is_float and is_folded of all nodes. */
void rp_ops_fuse(struct rp_ops *ops);

#endif
