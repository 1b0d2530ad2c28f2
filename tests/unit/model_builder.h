/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Small model files for tests. Both protobuf and FlatBuffers are written forwards: a table's vtable
 * stands in front of it and the data that it refers to behind it; a reference is filled in when its
 * target is written.
 */
#ifndef RP_TESTS_UNIT_MODEL_BUILDER_H
#define RP_TESTS_UNIT_MODEL_BUILDER_H

#include "base/buf.h"

/* ---- FlatBuffers ---- */

/* A table with fields 0 to count - 1 of width bytes each; width 0: absent. Values are 0. */
struct fb_table {
    size_t at;
    size_t fields[16]; /* where each lies */
};

/* Starts a file: the root's reference and the identifier. */
void fb_begin(struct rp_buf *out);
/* The reference at place leads to the next byte, aligned to 4. */
void fb_point(struct rp_buf *out, size_t place);
/* Widths as digits, "0148". place: the reference to the table. */
struct fb_table fb_table(struct rp_buf *out, size_t place, const char *widths);
void fb_set(struct rp_buf *out, size_t place, uint64_t value, size_t width);
void fb_real(struct rp_buf *out, size_t place, float value);
void fb_string(struct rp_buf *out, size_t place, const char *text);
/* A vector of count zeros of width bytes; returns the position of the first. */
size_t fb_vector(struct rp_buf *out, size_t place, size_t count, size_t width);
void fb_ints(struct rp_buf *out, size_t place, const int32_t *values, size_t count);

/* An int8 model: a convolution with fused ReLU6, and a custom operator behind it. */
void tflite_sample(struct rp_buf *out);

/* ---- protobuf ---- */

void pb_number(struct rp_buf *out, unsigned field, uint64_t value);
void pb_float(struct rp_buf *out, unsigned field, float value);
void pb_bytes(struct rp_buf *out, unsigned field, const void *bytes, size_t len);
void pb_text(struct rp_buf *out, unsigned field, const char *text);
/* Appends the part as a message and empties the part. */
void pb_message(struct rp_buf *out, unsigned field, struct rp_buf *part);
void pb_varint(struct rp_buf *out, uint64_t value);

/* A value with a type: dimensions -1 have a name, -2 have nothing. */
void onnx_value(struct rp_buf *out, unsigned field, const char *name, unsigned type,
                const char *dims);
/* inputs and outputs: names separated by blanks; "-" is left out. */
struct rp_buf onnx_node(struct rp_arena *arena, const char *op, const char *inputs,
                        const char *outputs);
/* Appends the graph as a whole file and empties the graph. */
void onnx_model(struct rp_buf *out, struct rp_buf *graph);
/* A quantised convolution, and an operator of another domain. */
void onnx_sample(struct rp_buf *out);

#endif
