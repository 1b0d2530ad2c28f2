/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about kernels, strides, padding, channels and pooling windows. */
#ifndef RP_TOOLCHAIN_OPS_RULES_WINDOW_H
#define RP_TOOLCHAIN_OPS_RULES_WINDOW_H

#include "toolchain/ops/ops.h"

/* Ends with a row without an id. */
extern const struct rp_ops_rule rp_ops_window_rules[];

#endif
