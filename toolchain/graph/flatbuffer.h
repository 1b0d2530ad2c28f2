/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading FlatBuffers by field number, without a schema compiler. Every offset is checked against
 * the file before it is followed. A wrong one sets reader->failed and its error; then, and for a
 * field that is not there, the answer is empty or the default, so that callers test once. What is
 * visited counts against reader->left: parts that are shared a thousand times cost no more time or
 * memory than a file that is twice as large.
 * Layout: FlatBuffers documentation, "FlatBuffer Internals".
 */
#ifndef RP_TOOLCHAIN_GRAPH_FLATBUFFER_H
#define RP_TOOLCHAIN_GRAPH_FLATBUFFER_H

#include "toolchain/graph/reader.h"

struct rp_fb_table {
    size_t at;          /* 0: there is none */
    size_t vtable;      /* where it lies */
    size_t vtable_size; /* bytes of it, in the file */
    size_t size;        /* bytes of the table, in the file */
};

struct rp_fb_vector {
    const uint8_t *data; /* of the first element */
    size_t count;
};

struct rp_fb_table rp_fb_root(struct rp_graph_reader *reader);
bool rp_fb_has(struct rp_graph_reader *reader, const struct rp_fb_table *table, unsigned field);
/* width bytes (1, 2, 4, 8), little-endian, zero-extended. */
uint64_t rp_fb_scalar(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                      unsigned field, size_t width);
struct rp_fb_table rp_fb_child(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                               unsigned field);
/* A vector of scalars of width bytes, or of tables: width 4. */
struct rp_fb_vector rp_fb_list(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                               unsigned field, size_t width);
/* Bytes that are pointed at and not read: they count nothing. */
struct rp_fb_vector rp_fb_bytes(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                                unsigned field);
/* Element index, less than count, of a vector of tables. */
struct rp_fb_table rp_fb_item(struct rp_graph_reader *reader, const struct rp_fb_vector *vector,
                              size_t index);
/* A string, made safe for printing; "" when it is not there. */
const char *rp_fb_text(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                       unsigned field);
uint64_t rp_get_le(const uint8_t *bytes, size_t width);

#endif
