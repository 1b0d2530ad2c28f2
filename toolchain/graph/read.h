/* SPDX-License-Identifier: Apache-2.0 */
/* A model file, whatever its format, as a graph. */
#ifndef RP_TOOLCHAIN_GRAPH_READ_H
#define RP_TOOLCHAIN_GRAPH_READ_H

#include "base/error.h"
#include "base/file.h"
#include "toolchain/graph/graph.h"

/*
 * Reads a model file from memory, which has to stay. The format is told by the bytes ("TFL3" at 4),
 * else ONNX is tried. RP_E_INPUT (exit 9) names path, what is wrong and, where there is one, the
 * offset; nothing outside the file's bytes is read.
 */
bool rp_graph_read(struct rp_graph *graph, struct rp_arena *arena, const struct rp_bytes *file,
                   const char *path, struct rp_error *err);

#endif
