/* SPDX-License-Identifier: Apache-2.0 */
/* What the epochs of a Neural-ART network are called. */
#ifndef RP_TOOLCHAIN_NPU_EPOCHS_H
#define RP_TOOLCHAIN_NPU_EPOCHS_H

#include "toolchain/dialect.h"

/* struct rp_dialect.name_nodes: the vendor's names, from an epoch block's flags and numbers. */
void rp_npu_name_epochs(const struct rp_model *model, struct rp_arena *arena, struct rp_node *nodes,
                        size_t count);

#endif
