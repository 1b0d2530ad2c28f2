/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads FlatBuffers by field number, without a schema compiler. Every offset is checked against the
 * file before it is followed. A wrong one sets reader->failed and the error (RP_E_INPUT). After
 * that, and for a missing field, results are empty or 0, so callers need to test only once. Each
 * visit counts against reader->left, so a file that shares parts a thousand times costs no more
 * than one twice its size. Layout: FlatBuffers documentation, "FlatBuffer Internals".
 */
#ifndef RP_TOOLCHAIN_GRAPH_FLATBUFFER_H
#define RP_TOOLCHAIN_GRAPH_FLATBUFFER_H

#include "toolchain/graph/reader.h"

struct rp_fb_table {
    size_t at;          /* 0: there is no table */
    size_t vtable;      /* offset in the file */
    size_t vtable_size; /* in bytes */
    size_t size;        /* in bytes */
};

struct rp_fb_vector {
    const uint8_t *data; /* of the first element */
    size_t count;
};

struct rp_fb_table rp_fb_root(struct rp_graph_reader *reader);
bool rp_fb_has(struct rp_graph_reader *reader, const struct rp_fb_table *table, unsigned field);
/* A scalar of width bytes (1, 2, 4 or 8), little-endian, zero-extended. */
uint64_t rp_fb_scalar(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                      unsigned field, size_t width);
struct rp_fb_table rp_fb_child(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                               unsigned field);
/* A vector of scalars of width bytes, or of tables, whose width is 4. */
struct rp_fb_vector rp_fb_list(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                               unsigned field, size_t width);
/* Points to bytes without reading them, so that they do not count against reader->left. */
struct rp_fb_vector rp_fb_bytes(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                                unsigned field);
/* The element at index, less than count, of a vector of tables. */
struct rp_fb_table rp_fb_item(struct rp_graph_reader *reader, const struct rp_fb_vector *vector,
                              size_t index);
/* A string, safe to print; "" if it is missing. */
const char *rp_fb_text(struct rp_graph_reader *reader, const struct rp_fb_table *table,
                       unsigned field);
uint64_t rp_get_le(const uint8_t *bytes, size_t width);

#endif
