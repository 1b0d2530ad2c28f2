/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a model file of either format, and a tensor in a file of its own. */
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
/*
 * Reads a file that holds one tensor of ONNX (a TensorProto), such as the input_0.pb of a model's
 * test data. Its shape is known, and it has whole numbers of 1 to 8 bytes each, little-endian;
 * those of float16 and bfloat16 are widened to float32. The bytes have to outlive the tensor.
 * RP_E_INPUT when it is damaged, has another type, or its data are another number than its shape
 * says.
 */
bool rp_graph_read_tensor(struct rp_graph_tensor *tensor, struct rp_arena *arena,
                          const struct rp_bytes *file, const char *path, struct rp_error *err);

#endif
