/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a TFLite file. */
#ifndef RP_TOOLCHAIN_GRAPH_TFLITE_H
#define RP_TOOLCHAIN_GRAPH_TFLITE_H

#include "toolchain/graph/reader.h"

/* Fills reader->graph; false with reader->err set. */
bool rp_tflite_read(struct rp_graph_reader *reader);

#endif
