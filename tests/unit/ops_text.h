/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes graphs from a line of text, for tests of the rules:
 *   "tflite x:i8:1x8x8x16 w:i8*:32x3x3x16 y:i8:1x8x8x32 ; CONV_2D x w > y stride_w=1 padding=SAME"
 * The format comes first; ONNX may have an opset ("onnx10"), which is 17 otherwise. Then come
 * tensors NAME:TYPE[*][~][/][^][@ZERO][:DIMS][=VALUES]: * is a constant, ~ has one scale, / is
 * sparse, ^ has half the scale of others, @ gives the zero point. A dimension of -1 is variable,
 * and without dims the shape is not known. Then come nodes, each behind a ";". "!OP" is a custom
 * one, "-" an input that is left out. A tensor that nothing reads is an output of the model, unless
 * its name starts with _. A name with + is an output even if something reads it.
 */
#ifndef RP_TESTS_UNIT_OPS_TEXT_H
#define RP_TESTS_UNIT_OPS_TEXT_H

#include "toolchain/ops/ops.h"

void ops_text(struct rp_graph *graph, struct rp_arena *arena, const char *text);
/* Makes the graph and judges it. */
void ops_judge(struct rp_ops *ops, struct rp_arena *arena, const char *text);
/* Does a rule apply to the node? */
bool ops_follow(const struct rp_ops_node *node, const char *id);

#endif
