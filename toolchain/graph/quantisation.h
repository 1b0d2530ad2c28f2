/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the quantisation of a model that the vendor's front end wrote. */
#ifndef RP_TOOLCHAIN_GRAPH_QUANTISATION_H
#define RP_TOOLCHAIN_GRAPH_QUANTISATION_H

#include "base/error.h"
#include "base/file.h"
#include "toolchain/graph/graph.h"

/*
 * Takes types, scales and zero points from the _Q.json file of a model that the vendor's front end
 * wrote; text is that file and path its name. RP_E_INPUT or RP_E_MANIFEST when it is no such file,
 * or that of another model.
 */
bool rp_graph_quantise(struct rp_graph *graph, struct rp_arena *arena, const char *path,
                       const struct rp_bytes *text, struct rp_error *err);

#endif
