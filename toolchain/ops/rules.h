/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of all files, in the order in which they are applied. */
#ifndef RP_TOOLCHAIN_OPS_RULES_H
#define RP_TOOLCHAIN_OPS_RULES_H

#include "toolchain/ops/ops.h"

/* The rule at a position; NULL past the end. */
const struct rp_ops_rule *rp_ops_rule_at(size_t index);

#endif
