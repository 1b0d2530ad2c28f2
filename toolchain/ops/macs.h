/* SPDX-License-Identifier: Apache-2.0 */
/* Multiply-accumulates of a node. */
#ifndef RP_TOOLCHAIN_OPS_MACS_H
#define RP_TOOLCHAIN_OPS_MACS_H

#include "toolchain/ops/ops.h"

/* Sets macs. */
void rp_ops_count_macs(const struct rp_ops *ops, struct rp_ops_node *node);
/* Adds to a sum, which stays at the largest number. */
void rp_ops_add_macs(uint64_t *sum, uint64_t macs);

#endif
