/* SPDX-License-Identifier: Apache-2.0 */
/* Gives each node of a graph a verdict with its reason. */
#ifndef RP_TOOLCHAIN_OPS_JUDGE_H
#define RP_TOOLCHAIN_OPS_JUDGE_H

#include "toolchain/ops/ops.h"

/*
 * Judges every node. The graph must be as valid as one of rp_graph_read: all indexes are in range,
 * and at most one node writes each tensor.
 */
void rp_ops_judge(struct rp_ops *ops, struct rp_arena *arena, const struct rp_graph *graph);

#endif
