/* SPDX-License-Identifier: Apache-2.0 */
/* What the generated code of networks for the vendor's runtime calls its nodes. */
#ifndef RP_TOOLCHAIN_DIALECTS_NODES_H
#define RP_TOOLCHAIN_DIALECTS_NODES_H

#include "toolchain/dialect.h"

/* struct rp_dialect.name_nodes for the two C APIs. Nodes that the code does not name have none. */
void rp_st_ai_name_nodes(const struct rp_model *model, struct rp_arena *arena,
                         struct rp_node *nodes, size_t count);
void rp_stai_name_nodes(const struct rp_model *model, struct rp_arena *arena, struct rp_node *nodes,
                        size_t count);

#endif
