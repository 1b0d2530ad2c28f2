/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/ops: verdicts, fusing, MACs, summaries, tables. */
#include "tests/unit/unit.h"

#include "base/buf.h"
#include "tests/unit/ops_graphs.h"
#include "toolchain/ops/summary.h"
#include "toolchain/ops/tables.h"

static void judge(struct rp_ops *ops, struct unit *u, const char *text) {
    ops_judge(ops, &u->arena, text);
}

/* ---- verdicts ---- */

static const struct {
    const char *text;
    size_t node;
    enum rp_ops_place place;
} verdicts[] = {
    {PLAIN, 0, RP_OPS_HW},
    {"onnx x:i8 z:i8 y:i8 ; Div x z > y", 0, RP_OPS_SW_INT},
    {"onnx x:i8 z:i8* y:i8 ; Div x z > y", 0, RP_OPS_HW},
    {"onnx x:f32 z:f32* y:f32 ; Div x z > y", 0, RP_OPS_SW_FLOAT},
    {"tflite x:u8 y:i8 ; QUANTIZE x > y", 0, RP_OPS_HW},
    {"tflite x:i8 y:f32 ; DEQUANTIZE x > y", 0, RP_OPS_SW_FLOAT},
    {"tflite x:i8 y:i8 ; SOFTMAX x > y", 0, RP_OPS_SW_INT},
    {"onnx x:f32 y:f32 ; Softmax x > y", 0, RP_OPS_SW_FLOAT},
    {"tflite x:i8 y:i8 ; !CONV_2D x > y", 0, RP_OPS_UNSUPPORTED},
    {"onnx x:i8@4 y:i8 ; Abs x > y", 0, RP_OPS_SW_FLOAT},
    {POOL("AveragePool", "1x16x1x1", "kernel_shape=32,32"), 0, RP_OPS_CONDITIONAL},
    {POOL("AveragePool", "1x16x1x1", "kernel_shape=30,32"), 0, RP_OPS_SW_INT},
    {POOL("MaxPool", "1x16x28x28", "kernel_shape=5,5"), 0, RP_OPS_HW},
    {"onnx x:i8 y:i8 ; Resize x > y mode=linear", 0, RP_OPS_SW_INT},
    {"onnx x:i8 y:i8 ; DepthToSpace x > y mode=CRD", 0, RP_OPS_SW_INT},
    {"tflite x:f32:1x8 w:i8*:4x8 y:f32:1x4 ; FULLY_CONNECTED x w > y", 0, RP_OPS_UNSUPPORTED},
    /* types between operators may be missing: they are floats unless something quantises them */
    {"onnx x:f32 a:any y:f32 ; Relu x > a ; Exp a > y", 1, RP_OPS_SW_FLOAT},
    {"onnx x:i64 a:i64 b:i64 ; Unsqueeze x > a ; Concat a x > b", 1, RP_OPS_CONDITIONAL},
    {"onnx x:f32:2x-1 s:i64 ; Shape x > s", 0, RP_OPS_UNSUPPORTED},
    {"tflite x:f32 s:i32 ; SHAPE x > s", 0, RP_OPS_HW},
    /* layout in floats is software */
    {"onnx x:f32 a:f32 s:f32* q:i8 ; Transpose x > a ; QuantizeLinear a s > q", 0, RP_OPS_SW_FLOAT},
    /* a replaced verdict can get worse again */
    {"tflite x:f32:1x7x7x16 a:i32*=1,2 y:f32:1x16 ; MEAN x a > y", 0, RP_OPS_SW_FLOAT},
    {"tflite x:i8:1x7x7x16 a:i32*=1,2 y:i8:1x16 ; MEAN x a > y", 0, RP_OPS_CONDITIONAL},
    {"tflite x:i8:1x7x7x16 a:i32*=3 y:i8:1x7x7 ; MEAN x a > y", 0, RP_OPS_SW_FLOAT},
    /* a reader in floats counts, whatever the order */
    {"onnx x:i8 a:f32 s:f32* e:f32 q:i8 ; Relu x > a ; Exp a > e ; QuantizeLinear a s > q", 0,
     RP_OPS_SW_FLOAT},
    {"onnx x:f32 y:f32 ; Dropout x > y", 0, RP_OPS_SW_FLOAT},
    {"onnx x:i8:1x4x8x8 s:f32*:4x1x1 y:i8 ; PRelu x s > y", 0, RP_OPS_SW_FLOAT},
    {"onnx x:i8:-1 y:i8:-1 ; Relu x > y", 0, RP_OPS_HW},
    {"tflite s:i32* w:f32*:8x2x2x16 x:f32:1x4x4x16 y:f32 ; TRANSPOSE_CONV s w x > y", 0,
     RP_OPS_SW_FLOAT},
    {"tflite s:i32* w:i8*:8x2x2x16 x:f32:1x4x4x16 y:f32 ; TRANSPOSE_CONV s w x > y", 0,
     RP_OPS_UNSUPPORTED},
    {"onnx x:i8 w:i8* c:i8* a:i8 b:i8 s:f32* y:i8 ; Conv x w > a ; Add c a > b ; "
     "BatchNormalization b s > y",
     2, RP_OPS_HW},
    {"onnx x:i8 w:i8* c:i8* z:i8 a:i8 b:i8 s:f32* y:i8 ; Conv x w > a ; Sum a c z > b ; "
     "BatchNormalization b s > y",
     2, RP_OPS_SW_FLOAT},
    /* what is bad for a part is bad for the whole */
    {"onnx q:i8 s:f32* z:i16*=0 x:f32 v:i8* w:f32 a:f32 b:f32 r:i16 ; DequantizeLinear q s > x ; "
     "DequantizeLinear v s > w ; Conv x w > a ; Relu a > b ; QuantizeLinear b s z > r",
     2, RP_OPS_UNSUPPORTED},
    {"tflite x:i8 w:i8* a:i8 y:i16 ; CONV_2D x w > a ; RELU a > y", 1, RP_OPS_UNSUPPORTED},
    {"tflite x:i8 w:i8* a:i8 y:u8 ; CONV_2D x w > a ; RELU a > y", 0, RP_OPS_HW},
    {"tflite x:i8 w:i8* a:i8 y:u8 ; CONV_2D x w > a ; RELU a > y", 1, RP_OPS_CONDITIONAL},
    {"tflite x:i8 w:i8* a:i8 _y:i8 ; CONV_2D x w > a ; RELU a > _y", 1, RP_OPS_UNSUPPORTED},
    {"onnx x:i8 w:i8* a:i8 s:f32* y:i8 ; Conv x w > a ; BatchNormalization a s > y training_mode=1",
     0, RP_OPS_UNSUPPORTED},
    {"onnx x:i8 w:i8* a:i8 s:f32* y:i8 ; Conv x w > a ; BatchNormalization a s > y", 0, RP_OPS_HW},
    {"onnx x:i8 w:i8*@3 a:i8 s:f32* y:i8 ; Conv x w > a ; BatchNormalization a s > y", 0,
     RP_OPS_UNSUPPORTED},
    {"onnx x:i8 s:i8 _y:i8 ; Sigmoid x > s ; Mul s x > _y", 0, RP_OPS_UNSUPPORTED},
    {"onnx x:i8 s:i8 y:i16 ; Sigmoid x > s ; Mul s x > y", 0, RP_OPS_UNSUPPORTED},
    {"onnx x:i8 s:i8 y:i8 ; Sigmoid x > s ; Mul s x > y", 0, RP_OPS_HW},
};

static void gives_verdicts(void **state) {
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(verdicts); i++) {
        struct rp_ops ops;
        judge(&ops, u, verdicts[i].text);
        if (ops.nodes[verdicts[i].node].place != verdicts[i].place)
            fail_msg("%s: %s (%s)", verdicts[i].text,
                     rp_ops_place_name(ops.nodes[verdicts[i].node].place),
                     ops.nodes[verdicts[i].node].reason);
        if (verdicts[i].place != RP_OPS_HW)
            assert_string_not_equal(ops.nodes[verdicts[i].node].reason, "");
    }
}

/* ---- fusing ---- */

static void joins_quantisers(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    judge(&ops, u,
          "onnx i:f32 s:f32* z:i8*=0 q:i8 x:f32 wq:i8* w:f32 a:f32 b:f32 r:i8 o:f32 ; "
          "QuantizeLinear i s z > q ; DequantizeLinear q s z > x ; DequantizeLinear wq s z > w ; "
          "Conv x w > a ; Relu a > b ; QuantizeLinear b s z > r ; DequantizeLinear r s z > o");
    static const int32_t part_of[] = {-1, 3, 3, -1, 3, 3, -1};
    for (size_t i = 0; i < COUNT(part_of); i++)
        assert_int_equal(ops.nodes[i].part_of, part_of[i]);
    assert_int_equal(ops.nodes[3].place, RP_OPS_HW);
    assert_int_equal(ops.nodes[4].place, RP_OPS_HW);
    assert_int_equal(ops.nodes[0].place, RP_OPS_SW_FLOAT);
    assert_int_equal(ops.nodes[6].place, RP_OPS_SW_FLOAT);
    assert_int_equal(ops.parts, 4);
    assert_int_equal(ops.totals[RP_OPS_SW_FLOAT].nodes, 2);
}

/* A tensor that is also read in floats stays in floats, and so does its DequantizeLinear. */
static void leaves_floats_alone(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    judge(&ops, u,
          "onnx q:i8 s:f32* z:i8*=0 x:f32 a:f32 r:i8 e:f32 ; DequantizeLinear q s z > x ; "
          "Relu x > a ; QuantizeLinear a s z > r ; Exp x > e");
    assert_int_equal(ops.nodes[0].part_of, RP_GRAPH_NONE);
    assert_int_equal(ops.nodes[0].place, RP_OPS_SW_FLOAT);
    assert_int_equal(ops.nodes[1].place, RP_OPS_HW);
    assert_int_equal(ops.nodes[2].part_of, 1);
    assert_int_equal(ops.nodes[3].place, RP_OPS_SW_FLOAT);
    assert_true(ops.nodes[3].is_float);
}

static void joins_others(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    judge(&ops, u,
          "onnx q:i8 s:f32* z:i8*=0 x:f32 g:f32 gq:i8 gx:f32 y:f32 r:i8 ; "
          "DequantizeLinear q s z > x ; Sigmoid x > g ; QuantizeLinear g s z > gq ; "
          "DequantizeLinear gq s z > gx ; Mul x gx > y ; QuantizeLinear y s z > r");
    assert_int_equal(ops.nodes[4].part_of, 1);
    assert_int_equal(ops.totals[RP_OPS_HW].nodes, 1);
    assert_int_equal(ops.parts, 5);
    judge(&ops, u, "tflite x:f32 w:f32* a:f32 y:f32 ; CONV_2D x w > a ; RELU a > y");
    assert_int_equal(ops.nodes[1].part_of, 0);
    /* the tensor between them has a scale of its own */
    judge(&ops, u, "tflite x:i8 w:i8* a:i8 y:i8 ; CONV_2D x w > a ; RELU a > y");
    assert_int_equal(ops.nodes[1].part_of, RP_GRAPH_NONE);
    judge(&ops, u,
          "tflite x:f32 w:f32* a:f32 y:f32 z:f32 ; CONV_2D x w > a ; RELU a > y ; ABS a > z");
    assert_int_equal(ops.nodes[1].part_of, RP_GRAPH_NONE);
    judge(&ops, u, "tflite x:i8 y:i8 z:i8 ; UNPACK x > y z");
    assert_int_equal(ops.nodes[0].place, RP_OPS_HW);
    judge(&ops, u,
          "onnx x:f32:1x4 s:i64 i:i64*=0 n:i64 y:i8 q:i8 ; Shape x > s ; Gather s i > n ; "
          "Reshape q n > y");
    assert_true(ops.nodes[0].is_folded && ops.nodes[1].is_folded && !ops.nodes[2].is_folded);
    assert_int_equal(ops.folded, 2);
    /* a variable batch is 1 */
    judge(&ops, u,
          "tflite x:i8:-1x4 s:i32 c:i8* y:i8:-1x4 z:i8:-1x4 ; SHAPE x > s ; FILL s c > y ; "
          "ADD x y > z");
    assert_true(ops.nodes[0].is_folded && ops.nodes[1].is_folded && !ops.nodes[2].is_folded);
    assert_true(ops_follow(&ops.nodes[2], "variable-batch"));
}

/* Graphs in which a node is, or is not, fused into another one. */
static const struct {
    const char *text;
    size_t node;
    int32_t part_of;
} parts[] = {
    {"tflite x:i8 w:i8* a:i8 y:i8 z:i8 ; CONV_2D x w > a ; ABS a > z ; RELU a > y", 2, -1},
    {"tflite x:i8 w:i8* +a:i8 y:i8 ; CONV_2D x w > +a ; RELU +a > y", 1, -1},
    {"onnx x:i8 w:i8* a:i8 b:i8 y:i8 ; Conv x w > a b ; Relu a > y", 1, -1},
    {"onnx x:i8 w:i8* a:i8 s:f32* y:i8 ; Conv x w > a ; BatchNormalization a s > y", 1, 0},
    {"onnx x:i8 w:i8* a:i8 s:f32* y:i8 ; Gemm x w > a ; BatchNormalization a s > y", 1, -1},
    {"onnx x:i8 w:i8* a:i8 y:i8 ; Gemm x w > a ; Relu a > y", 1, 0},
    {"onnx x:i8 w:i8* a:i8 y:i8 ; Conv x w > a ; !Relu a > y", 1, -1},
    {"onnx x:i8 s:i8 y:i8 ; Sigmoid x > s ; Mul x s > y", 1, 0},
    {"onnx x:i8 s:i8 y:i8 z:i8 ; Sigmoid x > s ; Mul s x > y ; Abs s > z", 1, -1},
    {"onnx x:i8 s:i8 y:i8 ; !Sigmoid x > s ; Mul s x > y", 1, -1},
    /* a value that leaves the model in floats is converted */
    {"onnx q:i8 s:f32* +x:f32 y:f32 r:i8 ; DequantizeLinear q s > +x ; Relu +x > y ; "
     "QuantizeLinear y s > r",
     0, -1},
    /* integer weights belong to their reader, whatever that computes in */
    {"onnx x:f32 v:i8* s:f32* w:f32 y:f32 ; DequantizeLinear v s > w ; Conv x w > y", 0, 1},
    {"onnx q:i8 s:f32* x:f32 r:i8 ; DequantizeLinear q s > x ; QuantizeLinear x s > r", 1, -1},
    {"onnx x:f32 a:f32 s:f32* q:i8 ; Exp x > a ; QuantizeLinear a s > q", 1, -1},
};

static void joins_and_leaves(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    for (size_t i = 0; i < COUNT(parts); i++) {
        judge(&ops, u, parts[i].text);
        if (ops.nodes[parts[i].node].part_of != parts[i].part_of)
            fail_msg("%s: part of %d", parts[i].text, (int)ops.nodes[parts[i].node].part_of);
    }
    judge(&ops, u, "onnx c:f32* a:f32 b:f32 ; !Other c > a ; Exp c > b");
    assert_true(!ops.nodes[0].is_folded && ops.nodes[1].is_folded);
}

/* Of two rules with the same verdict, the first one gives the reason. */
static void keeps_the_first_reason(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    judge(&ops, u, "tflite a:i32* x:i8:2x4x4x4 y:i8 z:i8 ; SPLIT a x > y z");
    assert_true(ops_follow(&ops.nodes[0], "split-axis") && ops_follow(&ops.nodes[0], "batch-one"));
    assert_string_equal(ops.nodes[0].reason, ops.nodes[0].rules.items[0]->when);
    judge(&ops, u, "tflite x:u8 w:i8*:2x3x3x4 a:u8 y:u8 ; CONV_2D x w > a ; RELU a > y");
    assert_int_equal(ops.nodes[0].rules.count, 1); /* once, though for the part as well */
    judge(&ops, u, "onnx x:i8 w:i8* y:i8 ; Conv x w > y");
    assert_int_equal(ops.macs_unknown, 1);
}

/* Puts two QuantizeLinear and DequantizeLinear around the given nodes. */
#define IN  "DequantizeLinear q s z > x ; "
#define OUT " ; QuantizeLinear y s z > r"
#define NAMES                                                                                      \
    "onnx q:i8 s:f32* z:i8*=0 w:f32* wq:i8* x:f32 c:f32 g:f32 gq:i8 gx:f32 y:f32 r:i8 u:f32 v:i8 " \
    "n:i64 "

static void joins_swish(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    /* behind a convolution, without quantisation nodes between them */
    judge(&ops, u,
          NAMES "; " IN
                "DequantizeLinear wq s z > w ; Conv x w > c ; Sigmoid c > g ; Mul c g > y" OUT);
    assert_int_equal(ops.nodes[3].part_of, 2);
    assert_int_equal(ops.nodes[4].part_of, 3);
    assert_true(ops.totals[RP_OPS_HW].nodes == 1 && ops.parts == 5);
    /* a third node reads the convolution */
    judge(&ops, u,
          NAMES "; " IN
                "DequantizeLinear wq s z > w ; Conv x w > c ; Sigmoid c > g ; Mul c g > y ; "
                "QuantizeLinear c s z > v" OUT);
    assert_int_equal(ops.nodes[3].part_of, RP_GRAPH_NONE);
    /* the Sigmoid has another reader: itself, its quantised value, the value behind that */
    judge(&ops, u, NAMES "; " IN "Sigmoid x > g ; Mul x g > y ; Abs g > u" OUT);
    assert_int_equal(ops.nodes[2].part_of, RP_GRAPH_NONE);
    judge(&ops, u,
          NAMES "; " IN
                "Sigmoid x > g ; QuantizeLinear g s z > gq ; DequantizeLinear gq s z > gx ; "
                "Mul x gx > y ; DequantizeLinear gq s z > u" OUT);
    assert_int_equal(ops.nodes[4].part_of, RP_GRAPH_NONE);
    judge(&ops, u,
          NAMES "; " IN
                "Sigmoid x > g ; QuantizeLinear g s z > gq ; DequantizeLinear gq s z > gx ; "
                "Mul x gx > y ; Abs gx > u" OUT);
    assert_int_equal(ops.nodes[4].part_of, RP_GRAPH_NONE);
}

/* When only a Shape reads a tensor, nothing of it is computed. */
static void folds_unread(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    judge(&ops, u,
          "onnx q:i8:1x4 s:f32* z:i8*=0 x:f32:1x4 n:i64 y:i8 ; DequantizeLinear q s z > x ; Shape "
          "x > n ; "
          "Reshape q n > y");
    assert_true(ops.nodes[0].is_folded && ops.nodes[1].is_folded);
    assert_int_equal(ops.totals[RP_OPS_HW].nodes, 1);
    judge(&ops, u,
          "onnx q:i8:1x4 s:f32* z:i8*=0 x:f32:1x4 n:i64 y:f32 ; DequantizeLinear q s z > x ; Shape "
          "x > n ; "
          "Abs x > y");
    assert_true(!ops.nodes[0].is_folded && ops.nodes[1].is_folded);
}

/* Any graph may come: here a Mul that reads itself, and a circle of quantisers. */
static void ends_in_circles(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    judge(&ops, u, "onnx a:i8 b:i8 ; Sigmoid b > a ; Mul a b > b");
    judge(&ops, u, "onnx a:f32 q:i8 s:f32* ; QuantizeLinear a s > q ; DequantizeLinear q s > a");
    judge(&ops, u, "onnx a:f32 w:f32* ; Conv a w > a");
    judge(&ops, u, "onnx a:i8 ; Relu");
    assert_int_equal(ops.count, 1);
}

/* ---- multiply-accumulates ---- */

static const struct {
    const char *text;
    bool known;
    uint64_t macs;
} products[] = {
    {PLAIN, true, 9ULL * 9 * 32 * 3 * 3 * 16},
    {"tflite x:i8:1x9x9x16 w:i8*:1x3x3x16 y:i8:1x9x9x16 ; DEPTHWISE_CONV_2D x w > y", true,
     9ULL * 9 * 16 * 9},
    {ONNX_CONV("1x16x9x9", "32x4x3x3", "1x32x9x9", "group=4"), true, 9ULL * 9 * 32 * 9 * 4},
    {CONV("1x9x9x16", "32x3x3x4", "1x9x9x32", ""), true, 9ULL * 9 * 32 * 9 * 4},
    {"tflite x:i8:1x9x9x8 w:i8*:1x3x3x16 y:i8:1x9x9x16 ; DEPTHWISE_CONV_2D x w > y", true,
     9ULL * 9 * 16 * 9},
    {ONNX_CONV("2x16x9x9", "32x4x3x3", "2x32x9x9", "group=4"), true, 2ULL * 9 * 9 * 32 * 9 * 4},
    {ONNX_CONV("-1x16x9x9", "32x4x3x3", "-1x32x9x9", "group=4"), true, 9ULL * 9 * 32 * 9 * 4},
    {ONNX_CONV("1x16x9", "32x16x3", "1x32x7", ""), true, 7ULL * 32 * 3 * 16},
    {ONNX_CONV("1x4x8x8x8", "8x4x3x3x3", "1x8x6x6x6", ""), true, 6ULL * 6 * 6 * 8 * 27 * 4},
    {"onnx x:i8:1x4x8x8 w:i8*:4x3x2x2 y:i8:1x6x16x16 ; ConvTranspose x w > y group=2 strides=2,2",
     true, 8ULL * 8 * 4 * 3 * 2 * 2},
    {"tflite x:i8:1x8 w:i8*:4x8 y:i8:1x4 ; FULLY_CONNECTED x w > y", true, 32},
    {"onnx x:i8:1x8 w:i8*:8x4 y:i8:1x4 ; Gemm x w > y", true, 32},
    {"onnx x:i8:1x8 w:i8*:4x8 y:i8 ; Gemm x w > y transB=1", true, 32},
    /* shapes between operators are inferred from earlier ones */
    {"onnx x:i8:1x16x9x9 w:i8*:32x16x3x3 y:i8 ; Conv x w > y strides=2,2 pads=1,1,1,1", true,
     5ULL * 5 * 32 * 9 * 16},
    {"onnx x:i8:1x16x9x9 w:i8*:32x16x3x3 y:i8 ; Conv x w > y strides=0,1", false, 0},
    {"tflite x:i8:-1x8 w:i8*:4x8 y:i8:-1x4 ; FULLY_CONNECTED x w > y", true, 32},
    {"onnx x:i8:2x3x8 w:i8:2x8x5 y:i8:2x3x5 ; MatMul x w > y", true, 240},
    {"tflite s:i32* w:i8*:8x2x2x16 x:i8:1x4x4x16 y:i8:1x8x8x8 ; TRANSPOSE_CONV s w x > y "
     "stride_h=2 stride_w=2",
     true, 4ULL * 4 * 8 * 2 * 2 * 16},
    {"tflite x:i8:1x3x8 w:i8:1x5x8 y:i8:1x3x5 ; BATCH_MATMUL x w > y adj_y=1", true, 120},
    {"tflite x:i8:1x3x8 w:i8:1x8x5 y:i8 ; BATCH_MATMUL x w > y", false, 0},
    {"tflite x:i8:1x8 w:i8*:4x8 y:i8 ; FULLY_CONNECTED x w > y", true, 32},
    {"onnx x:i8:2x8 w:i8*:8 y:i8:2 ; MatMul x w > y", true, 16},
    {"tflite x:i8:1x8 y:i8:1x8 ; RELU x > y", true, 0},
    {"onnx x:i8 w:i8* y:i8 ; Conv x w > y", false, 0},
    {ONNX_CONV("1x2147483647x2147483647x2147483647", "2147483647x2147483647x3x3",
               "1x2147483647x2147483647x2147483647", ""),
     false, 0},
};

static void counts_macs(void **state) {
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(products); i++) {
        struct rp_ops ops;
        judge(&ops, u, products[i].text);
        if (ops.nodes[0].macs_known != products[i].known || ops.nodes[0].macs != products[i].macs)
            fail_msg("%s: %llu", products[i].text, (unsigned long long)ops.nodes[0].macs);
    }
}

static void sums_up(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    struct rp_ops_groups groups;
    struct rp_ops_advices advices;
    judge(&ops, u,
          "tflite x:i8:1x9x9x16 w:i8*:32x3x5x16 a:i8:1x9x9x32 v:i8*:32x3x5x32 b:i8:1x9x9x32 y:i8 ; "
          "CONV_2D x w > a ; CONV_2D a v > b ; SOFTMAX b > y");
    rp_ops_group(&groups, &ops);
    assert_int_equal(groups.count, 2);
    assert_string_equal(groups.items[0].op, "CONV_2D");
    assert_int_equal(groups.items[0].places[RP_OPS_HW], 2);
    assert_int_equal(groups.items[0].macs, 9 * 9 * 32 * 15 * 48);
    assert_int_equal(groups.items[0].macs, ops.totals[RP_OPS_HW].macs);
    rp_ops_advise(&advices, &ops);
    assert_int_equal(advices.count, 2);
    assert_string_equal(advices.items[1].rule->id, "kernel-width-use");
    assert_int_equal(advices.items[1].nodes.count, 2);
    assert_int_equal(advices.items[1].nodes.items[1], 1);
    assert_int_equal(advices.items[1].macs, groups.items[0].macs);
    assert_string_equal(advices.items[0].rule->id, "table-integer");
    /* a rule of a part, which precedes those of the node itself in the table */
    judge(&ops, u,
          "onnx x:i8:1x4x9x9 w:i8*:4x4x3x3 a:i8:1x4x9x9 s:f32* y:i8 ; Conv x w > a dilations=3,3 ; "
          "BatchNormalization a s > y training_mode=1");
    rp_ops_advise(&advices, &ops);
    assert_true(advices.count >= 2 && advices.items[0].nodes.count == 1);
    assert_string_equal(advices.items[0].rule->id, "training-mode");
    assert_string_equal(advices.items[advices.count - 1].rule->id, "dilation");
    /* operators in order of appearance, not by name */
    judge(&ops, u, "tflite x:i8 a:i8 b:i8 y:i8 ; TANH x > a ; ADD a a > b ; TANH b > y");
    rp_ops_group(&groups, &ops);
    assert_int_equal(groups.count, 2);
    assert_string_equal(groups.items[0].op, "TANH");
    assert_int_equal(groups.items[0].nodes, 2);
    /* the worst verdict first, then the most MACs */
    judge(
        &ops, u,
        "tflite x:i8:1x8x8x16 w:i8*:16x3x3x16 a:i8:1x4x4x16 v:i8*:19x1x1x16 b:i8:1x4x4x19 y:f32 ; "
        "CONV_2D x w > a stride_w=2 stride_h=2 ; CONV_2D a v > b ; DEQUANTIZE b > y");
    rp_ops_advise(&advices, &ops);
    static const char *const order[] = {"edge-quantiser", "stride-reuse", "one-by-one-channels",
                                        "prime-channels"};
    assert_int_equal(advices.count, COUNT(order));
    for (size_t i = 0; i < COUNT(order); i++)
        assert_string_equal(advices.items[i].rule->id, order[i]);
}

/* ---- tables ---- */

static const struct {
    enum rp_graph_format format;
    enum rp_ops_place place;
    const char *operators;
} operator_places[] = {
    {RP_GRAPH_TFLITE, RP_OPS_HW,
     " ABS ADD AVERAGE_POOL_2D BATCH_MATMUL CAST CEIL CONCATENATION CONV_2D DEPTHWISE_CONV_2D"
     " EQUAL EXPAND_DIMS FULLY_CONNECTED HARD_SWISH LEAKY_RELU LOGICAL_AND LOGICAL_NOT"
     " LOGICAL_OR LOGISTIC MAX_POOL_2D MAXIMUM MINIMUM MUL NEG PACK PAD PRELU (RE) QUANTIZE"
     " RELU RELU6 RESHAPE RESIZE_NEAREST_NEIGHBOR SHAPE SLICE SPACE_TO_DEPTH SPLIT SPLIT_V"
     " STRIDED_SLICE SQUEEZE SUB TANH TRANSPOSE TRANSPOSE_CONV UNPACK"},
    {RP_GRAPH_TFLITE, RP_OPS_SW_FLOAT,
     " ARG_MAX ARG_MIN COS COSH DEQUANTIZE ELU EXP FLOOR GATHER GREATER GREATER_EQUAL"
     " L2_NORMALIZATION LESS LESS_EQUAL LOCAL_RESPONSE_NORMALIZATION LOG MEAN POW QUANTIZE"
     " REDUCE_MAX REDUCE_MIN REDUCE_PROD RESIZE_BILINEAR ROUND SIN SQRT SUM"},
    {RP_GRAPH_TFLITE, RP_OPS_SW_INT, " DIV SOFTMAX"},
    {RP_GRAPH_ONNX, RP_OPS_HW,
     " Abs Acos Acosh Add Sum And Asin Asinh Atan Atanh AveragePool Cast Clip Concat Conv"
     " ConvTranspose Cos Cosh Equal Erf Exp Flatten Gemm GlobalAveragePool GlobalMaxPool"
     " HardSigmoid HardSwish Identity LeakyRelu MatMul MaxPool Max Min Mul Neg Not Or Pad"
     " PRelu QLinearAdd QLinearAveragePool QLinearConcat QLinearConv QLinearGlobalAveragePool"
     " QLinearMatMul QLinearMul ReduceMax ReduceMean Relu Reshape Shape Sin Sinh Sigmoid"
     " Slice Split Squeeze Sqrt Sub Tan Tanh ThresholdedRelu Transpose Unsqueeze"},
    {RP_GRAPH_ONNX, RP_OPS_SW_FLOAT,
     " ArgMax ArgMin BatchNormalization Ceil DequantizeLinear Elu Floor Gather Greater"
     " GreaterOrEqual Hardmax InstanceNormalization LpNormalization Less LessOrEqual LRN Log"
     " Mod Pow QuantizeLinear Reciprocal ReduceLogSumExp ReduceMin ReduceProd ReduceSum Round"
     " Selu Softplus Softsign Tile Upsample"},
    {RP_GRAPH_ONNX, RP_OPS_SW_INT, " DepthToSpace Div Resize Softmax"},
};

static void has_both_tables(void **state) {
    struct unit *u = *state;
    size_t rows = 0;
    for (size_t i = 0; i < COUNT(operator_places); i++) {
        struct rp_buf text = {.arena = &u->arena};
        for (size_t k = 0; rp_ops_operator_at(k) != NULL; k++) {
            const struct rp_ops_operator *row = rp_ops_operator_at(k);
            if (row->format != operator_places[i].format || row->place != operator_places[i].place)
                continue;
            rp_buf_printf(&text, " %s", row->op);
            assert_true(row->kind[0] != '\0');
            rows++;
        }
        assert_string_equal((char *)text.data, operator_places[i].operators);
    }
    assert_int_equal(rows, 72 + 99);
    assert_null(rp_ops_operator_at(rows));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(gives_verdicts), UNIT(joins_quantisers), UNIT(leaves_floats_alone),
        UNIT(joins_others),   UNIT(joins_and_leaves), UNIT(keeps_the_first_reason),
        UNIT(joins_swish),    UNIT(folds_unread),     UNIT(ends_in_circles),
        UNIT(counts_macs),    UNIT(sums_up),          UNIT(has_both_tables),
    };
    return RUN(tests);
}
