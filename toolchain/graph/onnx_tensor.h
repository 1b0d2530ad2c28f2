/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the tensors of an ONNX file: types, shapes and constants. */
#ifndef RP_TOOLCHAIN_GRAPH_ONNX_TENSOR_H
#define RP_TOOLCHAIN_GRAPH_ONNX_TENSOR_H

#include "toolchain/graph/protobuf.h"
#include "toolchain/graph/reader.h"

/* The element type with this number in ONNX. */
enum rp_element rp_onnx_element(uint64_t type);
/* A repeated field of numbers, packed or not, to be read as little-endian words of width bytes. */
struct rp_onnx_numbers {
    uint32_t field;
    enum rp_pb_kind kind;
    size_t width;
};
/* The memory in bytes that lists read from a file of this size may take. */
size_t rp_onnx_memory(size_t file_size);
/*
 * Counts the memory for count items of width bytes that a part of the file requests. RP_E_INPUT:
 * the total would exceed a small multiple of the file's size, because its numbers are short.
 */
bool rp_onnx_pay(struct rp_graph_reader *reader, struct rp_pb body, size_t count, size_t width);
/* The number of items of a repeated field. */
size_t rp_onnx_count(struct rp_graph_reader *reader, struct rp_pb body, uint32_t field,
                     enum rp_pb_kind kind);
/* The numbers of a repeated field; none after a failure. */
const uint8_t *rp_onnx_numbers(struct rp_graph_reader *reader, struct rp_pb body,
                               struct rp_onnx_numbers what, size_t *count);
/* The same, as int64. */
const int64_t *rp_onnx_ints(struct rp_graph_reader *reader, struct rp_pb body, uint32_t field,
                            size_t *count);
/* Reads a TensorProto as a constant: type, shape and value, but not its name. */
bool rp_onnx_tensor(struct rp_graph_reader *reader, struct rp_pb body,
                    struct rp_graph_tensor *tensor);
/* Reads a whole file as a TensorProto: see rp_graph_read_tensor. */
bool rp_onnx_tensor_file(struct rp_graph_reader *reader, struct rp_graph_tensor *tensor);
/* Reads the element type and the shape from a TypeProto. */
bool rp_onnx_type(struct rp_graph_reader *reader, struct rp_pb body,
                  struct rp_graph_tensor *tensor);

#endif
