/* SPDX-License-Identifier: Apache-2.0 */
/* Reads an ONNX file. */
#ifndef RP_TOOLCHAIN_GRAPH_ONNX_H
#define RP_TOOLCHAIN_GRAPH_ONNX_H

#include "toolchain/graph/reader.h"

/* Fills reader->graph. RP_E_INPUT: the file is wrong. */
bool rp_onnx_read(struct rp_graph_reader *reader);

#endif
