/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the quantisation of a model that the vendor's front end wrote. */
#ifndef RP_TOOLCHAIN_GRAPH_QUANTISATION_H
#define RP_TOOLCHAIN_GRAPH_QUANTISATION_H

#include "base/error.h"
#include "base/file.h"
#include "toolchain/graph/graph.h"

/*
 * Sets types, scales and zero points from the _Q.json file of a model that the vendor's front end
 * wrote. text: its contents, path: its name. RP_E_INPUT, RP_E_MANIFEST: it is not such a file, or
 * of another model.
 */
bool rp_graph_quantise(struct rp_graph *graph, struct rp_arena *arena, const char *path,
                       const struct rp_bytes *text, struct rp_error *err);

#endif
