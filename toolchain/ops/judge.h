/* SPDX-License-Identifier: Apache-2.0 */
/* A verdict with its reason for each node of a graph. */
#ifndef RP_TOOLCHAIN_OPS_JUDGE_H
#define RP_TOOLCHAIN_OPS_JUDGE_H

#include "toolchain/ops/ops.h"

/*
 * Judges every node. The graph is from rp_graph_read, or is as sound: indexes in range, each tensor
 * written by one node at most.
 */
void rp_ops_judge(struct rp_ops *ops, struct rp_arena *arena, const struct rp_graph *graph);

#endif
