/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs of one node, as text, for tests of the rules. See ops_text.h. */
#ifndef RP_TESTS_UNIT_OPS_GRAPHS_H
#define RP_TESTS_UNIT_OPS_GRAPHS_H

#include "tests/unit/ops_text.h"

#define CONV(dims, kernel, result, more)                                                           \
    "tflite x:i8:" dims " w:i8*:" kernel " y:i8:" result " ; CONV_2D x w > y " more
#define ONNX_CONV(dims, kernel, result, more)                                                      \
    "onnx x:i8:" dims " w:i8*:" kernel " y:i8:" result " ; Conv x w > y " more
#define PLAIN                  CONV("1x9x9x16", "32x3x3x16", "1x9x9x32", "padding=SAME")
#define TWO(f, op, a, b, c)    f " x:i8:" a " z:i8:" b " y:i8:" c " ; " op " x z > y"
#define ONE(f, op, a, b, more) f " x:i8:" a " y:i8:" b " ; " op " x > y " more
#define POOL(op, result, more) ONE("onnx", op, "1x16x32x32", result, more)

#endif
