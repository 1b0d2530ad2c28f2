/* SPDX-License-Identifier: Apache-2.0 */
/* An ONNX file as a graph. */
#ifndef RP_TOOLCHAIN_GRAPH_ONNX_H
#define RP_TOOLCHAIN_GRAPH_ONNX_H

#include "toolchain/graph/reader.h"

/* After a failure, reader->err says why. */
bool rp_onnx_read(struct rp_graph_reader *reader);

#endif
