/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a model file of either format. */
#ifndef RP_TOOLCHAIN_GRAPH_READ_H
#define RP_TOOLCHAIN_GRAPH_READ_H

#include "base/error.h"
#include "base/file.h"
#include "toolchain/graph/graph.h"

/*
 * Reads a model file from memory, which has to outlive the graph. A file with "TFL3" at offset 4 is
 * TFLite; any other is read as ONNX. RP_E_INPUT (exit 9) says what is wrong with path and, where it
 * can, at which offset. Nothing outside the file's bytes is read.
 */
bool rp_graph_read(struct rp_graph *graph, struct rp_arena *arena, const struct rp_bytes *file,
                   const char *path, struct rp_error *err);

#endif
