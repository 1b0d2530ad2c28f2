/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the fields of the messages of an ONNX file. */
#ifndef RP_TOOLCHAIN_GRAPH_ONNX_FIELD_H
#define RP_TOOLCHAIN_GRAPH_ONNX_FIELD_H

#include "toolchain/graph/protobuf.h"
#include "toolchain/graph/reader.h"

/* The next field of a message; false at its end. A broken field sets the reader's error. */
bool rp_onnx_next(struct rp_graph_reader *reader, struct rp_pb *rest, struct rp_pb_field *field);
/* Is it this field, of the kind in the schema? Others have to be skipped, as protobuf requires. */
bool rp_onnx_is(const struct rp_pb_field *field, uint32_t number, enum rp_pb_kind kind);
/* The last field with this number and kind in a message; its number is 0 if there is none. */
struct rp_pb_field rp_onnx_find(struct rp_graph_reader *reader, struct rp_pb body, uint32_t number,
                                enum rp_pb_kind kind);
const char *rp_onnx_text(struct rp_graph_reader *reader, const struct rp_pb *bytes);

#endif
