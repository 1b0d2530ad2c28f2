/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of an ONNX file: types, shapes and constants. */
#ifndef RP_TOOLCHAIN_GRAPH_ONNX_TENSOR_H
#define RP_TOOLCHAIN_GRAPH_ONNX_TENSOR_H

#include "toolchain/graph/protobuf.h"
#include "toolchain/graph/reader.h"

/* The type of which ONNX has that number. */
enum rp_element rp_onnx_element(uint64_t type);
/* A repeated field of numbers of a kind, packed or not, as little-endian words of width bytes. */
struct rp_onnx_numbers {
    uint32_t field;
    enum rp_pb_kind kind;
    size_t width;
};
/*
 * Counts memory for count items of width bytes that a part of the file asks for: all of it has to
 * stay a small multiple of the file, however short its numbers are. False: an error.
 */
bool rp_onnx_pay(struct rp_graph_reader *reader, struct rp_pb body, size_t count, size_t width);
/* How many numbers a repeated field has. */
size_t rp_onnx_count(struct rp_graph_reader *reader, struct rp_pb body, uint32_t field,
                     enum rp_pb_kind kind);
/* After a failure there are none. */
const uint8_t *rp_onnx_numbers(struct rp_graph_reader *reader, struct rp_pb body,
                               struct rp_onnx_numbers what, size_t *count);
/* The same, of int64. */
const int64_t *rp_onnx_ints(struct rp_graph_reader *reader, struct rp_pb body, uint32_t field,
                            size_t *count);
/* A TensorProto as a constant: type, shape and value; its name is left to the caller. */
bool rp_onnx_tensor(struct rp_graph_reader *reader, struct rp_pb body,
                    struct rp_graph_tensor *tensor);
/* A TypeProto: element type and shape. */
bool rp_onnx_type(struct rp_graph_reader *reader, struct rp_pb body,
                  struct rp_graph_tensor *tensor);

#endif
