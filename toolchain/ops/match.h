/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which node of a model became which node of the compiler. */
#ifndef RP_TOOLCHAIN_OPS_MATCH_H
#define RP_TOOLCHAIN_OPS_MATCH_H

#include "toolchain/ops/compiled.h"

/* Sets the node of each compiled one that has one. False when there are too many nodes. */
bool rp_ops_match(struct rp_ops_compiled *compiled, const struct rp_ops *ops);

#endif
