/* SPDX-License-Identifier: Apache-2.0 */
/* Multiply-accumulates of a node. */
#ifndef RP_TOOLCHAIN_OPS_MACS_H
#define RP_TOOLCHAIN_OPS_MACS_H

#include "toolchain/ops/ops.h"

/* Sets macs and macs_known. */
void rp_ops_count_macs(const struct rp_ops *ops, struct rp_ops_node *node);
/* Adds to a sum, which saturates. */
void rp_ops_add_macs(uint64_t *sum, uint64_t macs);

#endif
