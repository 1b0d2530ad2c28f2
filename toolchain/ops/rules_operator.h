/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about single operators. */
#ifndef RP_TOOLCHAIN_OPS_RULES_OPERATOR_H
#define RP_TOOLCHAIN_OPS_RULES_OPERATOR_H

#include "toolchain/ops/ops.h"

/* Ends with a row without an id. */
extern const struct rp_ops_rule rp_ops_operator_rules[];

#endif
