/* SPDX-License-Identifier: Apache-2.0 */
/* The quantisation of a model that the vendor's front end wrote. */
#ifndef RP_TOOLCHAIN_GRAPH_QUANTISATION_H
#define RP_TOOLCHAIN_GRAPH_QUANTISATION_H

#include "base/error.h"
#include "base/file.h"
#include "toolchain/graph/graph.h"

/*
 * Takes types, scales and zero points from the _Q.json of a model that the vendor's front end
 * wrote; path is its. RP_E_INPUT, or RP_E_MANIFEST, when it is none or is of another model.
 */
bool rp_graph_quantise(struct rp_graph *graph, struct rp_arena *arena, const char *path,
                       const struct rp_bytes *text, struct rp_error *err);

#endif
