/* SPDX-License-Identifier: Apache-2.0 */
/* A TFLite file as a graph. */
#ifndef RP_TOOLCHAIN_GRAPH_TFLITE_H
#define RP_TOOLCHAIN_GRAPH_TFLITE_H

#include "toolchain/graph/reader.h"

/* After a failure, reader->err says why. */
bool rp_tflite_read(struct rp_graph_reader *reader);

#endif
