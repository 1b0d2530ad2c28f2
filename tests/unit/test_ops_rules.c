/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/ops/rules*: each rule with graphs to which it applies, graphs to which it
 * does not, and the verdict on each.
 */
#include "tests/unit/unit.h"

#include "base/buf.h"
#include "tests/unit/ops_graphs.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/rules.h"

static const struct {
    const char *id;
    const char *yes;
    const char *no;
} pairs[] = {
    {"batchnorm-behind-conv",
     "onnx x:i8 w:i8* a:i8 c:i8* b:i8 s:f32* y:i8 ; ConvTranspose x w > a ; Add a c > b ; "
     "BatchNormalization b s > y",
     "onnx x:i8 w:i8* a:i8 c:i8 b:i8 s:f32* y:i8 ; Conv x w > a ; Add a c > b ; "
     "BatchNormalization b s > y"},
    {"batchnorm-behind-conv",
     "onnx x:i8 w:i8* a:i8 s:f32* y:i8 z:i8 ; Conv x w > a ; Relu a > z ; BatchNormalization a s > "
     "y",
     "onnx x:i8 a:i8 s:f32* y:i8 ; Relu x > a ; BatchNormalization a s > y"},
    {"div-by-constant", "onnx x:i8 z:i8* y:i8 ; Div x z > y", "onnx x:i8 z:i8 y:i8 ; Div x z > y"},
    {"requantise", "tflite x:u8 y:i8 ; QUANTIZE x > y", "tflite x:f32 y:i8 ; QUANTIZE x > y"},
    {"resize-nearest",
     ONE("onnx", "Resize", "1x4x4x4", "1x4x8x8",
         "mode=nearest coordinate_transformation_mode=asymmetric nearest_mode=floor"),
     ONE("onnx", "Resize", "1x4x4x4", "1x4x8x8",
         "mode=linear coordinate_transformation_mode=asymmetric nearest_mode=floor")},
    {"depth-to-space-dcr", ONE("onnx", "DepthToSpace", "1x4x4x4", "1x1x8x8", "blocksize=2"),
     ONE("onnx", "DepthToSpace", "1x4x4x4", "1x1x8x8", "mode=CRD")},
    {"mean-pooling", "tflite x:i8:-1x7x7x16 a:i32*=1,2 y:i8:-1x16 ; MEAN x a > y",
     "tflite x:i8:1x7x7x16 a:i32*=3 y:i8:1x7x7 ; MEAN x a > y"},
    {"mean-pooling", "tflite x:i8:1x7x7x16 a:i32*=-2,-3 y:i8:1x16 ; MEAN x a > y",
     "tflite x:i8:2x7x7x16 a:i32*=1,2 y:i8:2x16 ; MEAN x a > y"},
    {"mean-pooling", "tflite x:i8:1x7x7x16 a:i32*=2,1 y:i8:1x16 ; MEAN x a > y",
     "tflite x:i8:1x7x7x16 a:i32*=1 y:i8:1x7x16 ; MEAN x a > y"},
    {"swish", "onnx x:i8 s:i8 y:i8 ; Sigmoid x > s ; Mul s x > y",
     "onnx x:i8 z:i8 s:i8 y:i8 ; Sigmoid x > s ; Mul s z > y"},
    {"abs-offset", "onnx x:i8@5 y:i8 ; Abs x > y", "onnx x:i8 y:i8@5 ; Abs x > y"},
    {"batchnorm-alone", "onnx x:i8 a:i8 s:f32* y:i8 ; Relu x > a ; BatchNormalization a s > y",
     "onnx x:i8 w:i8* a:i8 s:f32* y:i8 z:i8 ; Conv x w > a ; Relu a > z ; BatchNormalization a s > "
     "y"},
    {"concat-batch", "onnx x:i8 z:i8 y:i8 ; Concat x z > y axis=0",
     "onnx x:i8 z:i8 y:i8:1x8x4x4 ; Concat x z > y axis=-3"},
    {"split-axis", "tflite a:i32* x:i8 y:i8 z:i8 ; SPLIT a x > y z",
     "onnx x:i8 y:i8 z:i8 ; Split x > y z"},
    {"cast", "onnx x:i8 y:i8 ; Cast x > y", "tflite x:i8 y:i8 ; CAST x > y"},
    {"partial", "tflite x:i8 p:i32* y:i8 ; TRANSPOSE x p > y", "onnx x:i8 y:i8 ; Transpose x > y"},
    {"pad-others", "tflite x:i8 p:i32*=0,0,1,1,1,1,0,3 y:i8 ; PAD x p > y",
     "tflite x:i8 p:i32*=0,0,1,1,2,1,0,0 y:i8 ; PAD x p > y"},
    {"pad-others", "onnx x:i8 p:i64*=0,0,1,1,0,3,1,1 y:i8 ; Pad x p > y",
     "onnx x:i8 p:i64*=0,0,1,1,0,0,1,1 y:i8 ; Pad x p > y"},
    {"pad-others", "onnx x:i8:1x4x8x8 p:i64*=0,0,3,0,0,0 a:i64*=2,3,1 y:i8 ; Pad x p - a > y",
     "onnx x:i8:1x4x8x8 p:i64*=1,1,1,1 a:i64*=2,3 y:i8 ; Pad x p - a > y"},
    {"pad-others", "onnx x:i8:1x4x8x8 p:i64*=1,1 a:i64*=-4 y:i8 ; Pad x p - a > y",
     "onnx x:i8:1x4x8x8 p:i64*=1,1 a:i64*=-1 y:i8 ; Pad x p - a > y"},
    {"pad-others", "onnx x:i8:1x4x8x8 p:i64*=1,1,1,1 a:i64 y:i8 ; Pad x p - a > y",
     "onnx x:i8 p:i64*=1,1,0,0,1,1,0,0 a:i64*=3,2,1,0 y:i8:1x4x8x8 ; Pad x p - a > y"},
    {"pad-others", "onnx x:i8 p:i64*=0,0,1,1,0,0,1,1 y:i8 ; Pad x p > y mode=reflect",
     "onnx x:i8 y:i8 ; Pad x > y pads=0,0,1,0,0,0,1,0"},
    {"resize-nearest-mode", "onnx x:i8 y:i8 ; Resize x > y mode=nearest",
     "onnx x:i8 y:i8 ; Resize x > y mode=linear"},
    {"resize-nearest-tflite",
     "tflite x:i8 s:i32* y:i8 ; RESIZE_NEAREST_NEIGHBOR x s > y half_pixel_centers=1",
     "tflite x:i8 s:i32* y:i8 ; RESIZE_NEAREST_NEIGHBOR x s > y half_pixel_centers=0"},
    {"resize-smooth", "tflite x:i8 s:i32* y:i8 ; RESIZE_BILINEAR x s > y",
     "tflite x:i8 s:i32* y:i8 ; RESIZE_NEAREST_NEIGHBOR x s > y"},
    {"space-to-depth", "tflite x:i8@3 y:i8 ; SPACE_TO_DEPTH x > y",
     "tflite x:i8@3 y:i8@3 ; SPACE_TO_DEPTH x > y"},
    {"fused-activation", TWO("tflite", "ADD", "4", "4", "4") " fused_activation_function=SIGN_BIT",
     TWO("tflite", "ADD", "4", "4", "4") " fused_activation_function=RELU6"},
    {"fused-activation",
     CONV("1x9x9x16", "32x3x3x16", "1x9x9x32", "fused_activation_function=RELU_N1_TO_1"),
     CONV("1x9x9x16", "32x3x3x16", "1x9x9x32", "fused_activation_function=RELU")},
    {"reduce-batch", "onnx x:i8:2x8x4x4 y:i8 ; ReduceMean x > y",
     "onnx x:i8:1x8x4x4 y:i8 ; ReduceMean x > y axes=2,3"},
    {"reduce-batch", "onnx x:i8:2x8x4x4 y:i8 ; ReduceMean x > y axes=0,2,3",
     "onnx x:i8:1x8x4x4 y:i8 ; ReduceMean x > y axes=0,2,3"},
    {"reduce-axes", "onnx x:i8:1x8x4x4 y:i8 ; ReduceMean x > y",
     "onnx x:i8:1x8x4x4 y:i8 ; ReduceMean x > y axes=0,2,3"},
    {"reduce-window", "onnx x:i8:1x8x65x32 y:i8 ; ReduceMean x > y axes=2,3",
     "onnx x:i8:1x8x64x32 y:i8 ; ReduceMean x > y axes=2,3"},
    {"reduce-window", "onnx x:i8:1x8x2049 a:i64*=2 y:i8 ; ReduceMax x a > y",
     "onnx x:i8:1x8x2049 a:i64*=1 y:i8 ; ReduceMax x a > y"},
    {"reduce-axes", "onnx x:i8:1x8x4x4 y:i8 ; ReduceMax x > y axes=1",
     "onnx x:i8:1x8x4x4 a:i64*=-1,-2 y:i8 ; ReduceMax x a > y"},

    {"post-processing", "tflite x:i8 y:f32 ; !TFLite_Detection_PostProcess x > y",
     "tflite x:i8 y:f32 ; !Other x > y"},
    {"post-processing", "onnx x:f32 s:f32 y:i64 ; NonMaxSuppression x s > y",
     "onnx x:f32 s:f32 y:f32 ; Max x s > y"},
    {"post-processing", "onnx x:f32 y:i64 ; !EfficientNMS_TRT x > y",
     "onnx x:f32 y:f32 ; !Other x > y"},
    {"custom-operator", "tflite x:i8 y:f32 ; !Other x > y", "tflite x:i8 y:i8 ; FOREIGN x > y"},
    {"dropout", "onnx x:i8 y:i8 _m:bool ; Dropout x > y _m",
     "onnx x:i8 r:f32* t:bool* y:i8 ; Dropout x r t > y"},
    {"dropout", "onnx x:i8 r:f32* y:i8 ; Dropout x r > y",
     "onnx x:i8 y:i8 m:bool z:bool ; Dropout x > y m ; Not m > z"},
    {"not-listed", "onnx x:i8 r:f32* t:bool* y:i8 ; Dropout x r t > y",
     "onnx x:i8 y:i8 ; Dropout x > y"},
    {"not-listed", "tflite x:i8 y:i8 ; DEPTH_TO_SPACE x > y", "tflite x:i8 y:i8 ; RELU x > y"},
    {"training-mode", "onnx x:i8 s:f32* y:i8 ; BatchNormalization x s > y training_mode=1",
     "onnx x:i8 s:f32* y:i8 ; BatchNormalization x s > y"},
    {"static-shape", "onnx x:i8:1x-1 y:i8 ; Relu x > y", "onnx x:i8:-1x4 y:i8 ; Relu x > y"},
    {"variable-batch", "onnx x:i8:-1x4 y:i8 ; Relu x > y", "onnx x:i8:1x4 y:i8 ; Relu x > y"},
    {"batch-one", "onnx x:i8:2x3x4x4 y:i8 ; Relu x > y", "onnx x:i8:1x3x4x4 y:i8 ; Relu x > y"},
    {"unconnected-output", "tflite a:i32* x:i8 y:i8 _z:i8 ; SPLIT a x > y _z",
     "tflite a:i32* x:i8 y:i8 z:i8 ; SPLIT a x > y z"},
    {"hybrid", "tflite x:f32:1x8 w:i8*:4x8 y:f32:1x4 ; FULLY_CONNECTED x w > y",
     "tflite x:f32:1x8 w:f32*:4x8 y:f32:1x4 ; FULLY_CONNECTED x w > y"},
    {"float-constant", "onnx x:i8:1x4x8x8 s:f32*:4x1x1 y:i8 ; PRelu x s > y",
     "onnx x:i8:1x4x8x8 s:i8*:4x1x1 y:i8 ; PRelu x s > y"},
    {"float-constant", "onnx x:i8 s:f32* y:i8 ; Sub s x > y",
     "onnx x:f32 s:f32* y:f32 ; Sub s x > y"},
    {"float", "tflite x:f32 y:f32 ; RELU x > y", "tflite x:i8 y:i8 ; RELU x > y"},
    {"float", "onnx x:f32 y:f32 ; Relu x > y",
     "onnx q:i8 s:f32* x:f32 y:f32 r:i8 ; DequantizeLinear q s > x ; Relu x > y ; "
     "QuantizeLinear y s > r"},
    {"data-type", "tflite x:i16 y:i16 ; RELU x > y", "tflite x:i8 y:i8 ; RELU x > y"},
    {"sparse-constant", "tflite x:i8:1x8 w:i8*/:4x8 y:i8:1x4 ; FULLY_CONNECTED x w > y",
     "tflite x:i8:1x8 w:i8*:4x8 y:i8:1x4 ; FULLY_CONNECTED x w > y"},
    {"data-type", "onnx x:i8 y:str ; Relu x > y", "onnx x:i8 y:any ; Relu x > y"},
    {"wide-integers", "tflite x:i32 z:i32 y:i32 ; ADD x z > y",
     "tflite x:i8 n:i32 y:i8 ; RESHAPE x n > y"},
    {"wide-integers", "onnx x:i64 a:i64 ; Unsqueeze x > a", "onnx x:i8 s:i64 ; Shape x > s"},
    {"unsigned-activations", "tflite x:u8 y:u8 ; RELU x > y", "tflite x:u8 y:i8 ; QUANTIZE x > y"},
    {"symmetric-weights", "tflite x:i8 w:i8*@3:4x8 y:i8 ; FULLY_CONNECTED x w > y",
     "tflite x:i8@3 w:i8*:4x8 y:i8 ; FULLY_CONNECTED x w > y"},
    {"symmetric-weights", "tflite x:i8 w:u8*:4x8 y:i8 ; FULLY_CONNECTED x w > y",
     "tflite x:i8 w:i8@3:4x8 y:i8 ; FULLY_CONNECTED x w > y"},
    {"per-channel-weights", "tflite x:i8 w:i8*~:32x3x3x16 y:i8 ; CONV_2D x w > y", PLAIN},
    {"zero-weights", "tflite x:i8:1x4 w:i8*:1x4=0,5,0,-9 y:i8:1x1 ; FULLY_CONNECTED x w > y",
     "tflite x:i8:1x4 w:i8*:1x4=0,5,1,-9 y:i8:1x1 ; FULLY_CONNECTED x w > y"},
    {"zero-weights",
     "onnx q:i8*:4x1=0,5,0,-9 s:f32* x:i8:1x4 w:i8:4x1 y:i8:1x1 ; DequantizeLinear q s > w ; "
     "MatMul x w > y",
     "onnx x:i8:1x4 w:i8:4x1 y:i8:1x1 ; MatMul x w > y"},
    {"near-zero-weights", "tflite x:i8:1x4 w:i8*:1x4=1,5,-1,0 y:i8:1x1 ; FULLY_CONNECTED x w > y",
     "tflite x:i8:1x4 w:i8*:1x4=1,5,-2,0 y:i8:1x1 ; FULLY_CONNECTED x w > y"},
    {"edge-quantiser", "tflite x:f32 y:i8 ; QUANTIZE x > y", "tflite x:u8 y:i8 ; QUANTIZE x > y"},
    {"table-integer", "onnx x:i8 z:i8 y:i8 ; Div x z > y", "onnx x:i8 z:i8* y:i8 ; Div x z > y"},
    {"table-float", "tflite x:i8 y:i8 ; ELU x > y", "tflite x:f32 y:f32 ; ELU x > y"},

    {"broadcast-two-way", TWO("onnx", "Add", "1x8x1x4", "1x1x4x4", "1x8x4x4"),
     TWO("onnx", "Add", "1x8x4x4", "1x1x4x4", "1x8x4x4")},
    {"broadcast-two-way", "onnx a:i8:1x8x1x4 b:i8:1x1x4x4 c:i8:1x1x1x1 y:i8 ; Sum a b c > y",
     "onnx a:i8:1x8x4x4 b:i8:1x1x4x4 c:i8:1x8x1x1 y:i8 ; Sum a b c > y"},
    {"broadcast-two-way", TWO("onnx", "Add", "1x8x4x4", "8", "1x8x4x8"),
     TWO("tflite", "ADD", "1x8x4x8", "8", "1x8x4x8")},
    {"broadcast-kind", "onnx a:i8:2x8x4x4 b:i8:2x1x1x1 c:i8:1x1x1x1 y:i8 ; Max a b c > y",
     "onnx a:i8:1x8x4x4 b:i8:4 c:i8 y:i8 ; Max a b c > y"},
    {"broadcast-kind", "onnx a:i8:2x8x4x4 b:i8:2x1x1x1 c:i8:1x8x4x1 y:i8 ; Max a b c > y",
     "onnx a:i8:2x8x4x4 b:i8:1x1x1x4 c:i8:1x8x4x1 y:i8 ; Max a b c > y"},
    {"broadcast-kind", TWO("onnx", "Mul", "2x8x4x4", "2x1x1x1", "2x8x4x4"),
     TWO("onnx", "Mul", "1x8x4x4", "1x8x1x1", "1x8x4x4")},
    {"broadcast-dma", TWO("onnx", "Mul", "1x8x4x4", "1x8x1x4", "1x8x4x4"),
     TWO("onnx", "Mul", "1x8x4x4", "1x1x4x4", "1x8x4x4")},
    {"broadcast-size", TWO("onnx", "Mul", "1x8x32x32", "1x1x32x32", "1x8x32x32"),
     TWO("onnx", "Mul", "1x8x32x16", "1x1x32x16", "1x8x32x16")},
    {"broadcast-order", TWO("onnx", "Sub", "1x8x4x4", "1x8x1x4", "1x8x4x4"),
     TWO("onnx", "Sub", "1x8x4x4", "1x8x4x4", "1x8x4x4")},
    {"mul-broadcast", TWO("tflite", "MUL", "1x4x4x8", "8", "1x4x4x8"),
     TWO("tflite", "MUL", "1x4x4x8", "1x4x4x8", "1x4x4x8")},
    {"mul-dimensions", TWO("tflite", "MUL", "1x1x4x4x8", "1x1x4x4x8", "1x1x4x4x8"),
     TWO("tflite", "MUL", "1x4x4x8", "1x4x4x8", "1x4x4x8")},

    {"kernel-width", CONV("1x9x9x16", "32x1x7x16", "1x9x9x32", "stride_w=1"),
     CONV("1x9x9x16", "32x1x12x16", "1x9x9x32", "stride_w=2")},
    {"kernel-width", CONV("1x9x9x16", "32x1x13x16", "1x9x9x32", "stride_w=2"),
     CONV("1x9x9x16", "32x1x6x16", "1x9x9x32", "stride_w=1")},
    {"kernel-height", CONV("1x9x9x16", "32x4x3x16", "1x9x9x32", ""), PLAIN},
    {"kernel-height-use", CONV("1x9x9x16", "32x2x3x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x2x1x16", "1x9x9x32", "")},
    {"kernel-width-use", CONV("1x9x9x16", "32x3x4x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x1x4x16", "1x9x9x32", "")},
    {"stride-width", CONV("1x9x9x16", "32x3x3x16", "1x9x3x32", "stride_w=3"),
     CONV("1x9x9x16", "32x3x3x16", "1x9x3x32", "stride_h=3")},
    {"stride-height", CONV("1x9x9x16", "32x3x3x16", "1x3x9x32", "stride_h=3"),
     CONV("1x9x9x16", "32x3x3x16", "1x3x9x32", "stride_w=3")},
    {"stride-reuse", ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x5x5", "strides=2,2"), PLAIN},
    {"stride-over-kernel", CONV("1x9x9x16", "32x1x1x16", "1x5x5x32", "stride_w=2 stride_h=2"),
     CONV("1x9x9x16", "32x2x2x16", "1x5x5x32", "stride_w=2 stride_h=2")},
    {"stride-over-kernel", CONV("1x1x9x16", "32x1x3x16", "1x1x3x32", "stride_w=4 stride_h=1"),
     CONV("1x1x9x16", "32x1x3x16", "1x1x3x32", "stride_w=3 stride_h=3")},
    {"stride-height", CONV("1x2x9x16", "32x2x3x16", "1x1x9x32", "stride_h=3"),
     CONV("1x1x9x16", "32x1x3x16", "1x1x9x32", "stride_h=3")},
    {"stride-reuse", CONV("1x2x9x16", "32x2x3x16", "1x1x9x32", "stride_h=2"),
     CONV("1x1x9x16", "32x1x3x16", "1x1x9x32", "stride_h=2")},
    {"one-by-one-channels", CONV("1x9x9x129", "24x1x1x129", "1x9x9x24", ""),
     CONV("1x9x9x256", "48x1x1x256", "1x9x9x48", "")},
    {"one-by-one-channels", CONV("1x9x9x128", "25x1x1x128", "1x9x9x25", ""),
     CONV("1x9x9x72", "16x1x1x72", "1x9x9x16", "")},
    {"one-by-one-passes", CONV("1x9x9x512", "25x1x1x512", "1x9x9x25", ""),
     CONV("1x9x9x512", "24x1x1x512", "1x9x9x24", "")},
    {"one-by-one-passes", CONV("1x9x9x257", "48x1x1x257", "1x9x9x48", ""),
     CONV("1x9x9x256", "48x1x1x256", "1x9x9x48", "")},
    {"one-by-one-passes", CONV("1x9x9x128", "97x1x1x128", "1x9x9x97", ""),
     CONV("1x9x9x128", "96x1x1x128", "1x9x9x96", "")},
    {"feature-width", ONNX_CONV("1x64x64x64", "64x64x3x3", "1x64x62x62", ""),
     ONNX_CONV("1x64x64x64", "64x1x3x3", "1x64x62x62", "group=64")},
    {"feature-width", CONV("1x9x513x4", "32x3x3x4", "1x9x513x32", ""),
     CONV("1x9x512x4", "32x3x3x4", "1x9x512x32", "")},
    {"feature-width-limit", ONNX_CONV("1x1x65536", "8x1x3", "1x8x65536", ""),
     ONNX_CONV("1x1x65535", "8x1x3", "1x8x65535", "")},
    {"dilation", ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "dilations=4,4"),
     ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "dilations=2,2")},
    {"prime-channels", CONV("1x9x9x16", "31x3x3x16", "1x9x9x31", ""),
     CONV("1x9x9x3", "33x3x3x3", "1x9x9x33", "")},
    {"large-kernel", CONV("1x9x9x16", "32x5x5x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x9x9x16", "1x9x9x32", "")},
    {"padding", CONV("1x9x9x16", "32x7x7x16", "1x9x9x32", "padding=SAME"),
     CONV("1x9x9x16", "32x7x7x16", "1x3x3x32", "padding=VALID")},
    {"channel-ratio", CONV("1x9x9x8", "32x3x3x8", "1x9x9x32", ""),
     CONV("1x9x9x3", "32x3x3x3", "1x9x9x32", "")},
    {"single-input", CONV("-1x1x1x1", "16x1x1x1", "-1x1x1x16", ""),
     CONV("-1x1x1x2", "16x1x1x2", "-1x1x1x16", "")},
    {"single-input", ONNX_CONV("1x1x1x1", "16x1x1x1", "1x16x1x1", ""),
     ONNX_CONV("1x1x2x1", "16x1x1x1", "1x16x2x1", "")},
    {"dimensions", ONNX_CONV("1x4x8x8x8", "8x4x3x3x3", "1x8x6x6x6", ""),
     ONNX_CONV("1x4x8", "8x4x3", "1x8x6", "")},
    {"dimensions", ONE("onnx", "MaxPool", "1x4x8x8x8", "1x4x7x7x7", "kernel_shape=2,2,2"),
     POOL("MaxPool", "1x16x31x31", "kernel_shape=2,2")},
    {"pool-window", POOL("MaxPool", "1x16x28x28", "kernel_shape=5,5"),
     POOL("MaxPool", "1x16x30x30", "kernel_shape=3,3")},
    {"average-window", POOL("AveragePool", "1x16x29x31", "kernel_shape=4,2"),
     POOL("AveragePool", "1x16x30x31", "kernel_shape=3,2")},
    {"average-window", POOL("AveragePool", "1x16x1x2", "kernel_shape=32,31"),
     POOL("AveragePool", "1x16x1x1", "kernel_shape=32,32 strides=32,32")},
    {"average-padding", POOL("AveragePool", "1x16x33x30", "kernel_shape=3,3 pads=0,0,3,0"),
     POOL("AveragePool", "1x16x33x30", "kernel_shape=3,3 pads=2,0,2,0")},
    {"average-dimensions",
     ONE("onnx", "AveragePool", "1x4x8x8x8", "1x4x4x4x4", "kernel_shape=2,2,2"),
     POOL("AveragePool", "1x16x30x31", "kernel_shape=3,2")},
    {"pool-stride", POOL("MaxPool", "1x16x2x2", "kernel_shape=3,3 strides=16,1"),
     POOL("MaxPool", "1x16x2x2", "kernel_shape=3,3 strides=15,15")},
    {"pool-width", ONE("onnx", "MaxPool", "1x65x32x32", "1x65x31x31", "kernel_shape=2,2"),
     ONE("onnx", "MaxPool", "1x64x32x32", "1x64x31x31", "kernel_shape=2,2")},
    {"pool-chain",
     "onnx x:i8:1x8x9x9 w:i8*:16x8x3x3 a:i8:1x16x7x7 b:i8:1x16x7x7 y:i8:1x16x5x5 ; Conv x w > a ; "
     "Relu a > b ; MaxPool b > y kernel_shape=3,3",
     "onnx x:i8:1x16x9x9 w:i8*:16x16x3x3 a:i8:1x16x7x7 b:i8:1x16x7x7 y:i8:1x16x5x5 ; Conv x w > a "
     "; "
     "Relu a > b ; MaxPool b > y kernel_shape=3,3"},
    {"global-pool-window", ONE("onnx", "GlobalAveragePool", "1x16x64x33", "1x16x1x1", ""),
     ONE("onnx", "GlobalAveragePool", "1x16x64x32", "1x16x1x1", "")},
    {"global-pool-window", ONE("onnx", "GlobalMaxPool", "1x16x2049", "1x16x1", ""),
     ONE("onnx", "GlobalMaxPool", "1x16x2048", "1x16x1", "")},
    {"dimensions", ONE("onnx", "GlobalAveragePool", "1x16x2x2x2", "1x16x1x1x1", ""),
     ONE("onnx", "GlobalAveragePool", "1x16x2x2", "1x16x1x1", "")},
    {"average-whole", POOL("AveragePool", "1x16x1x1", "kernel_shape=32,32 strides=32,32"),
     POOL("AveragePool", "1x16x1x1", "kernel_shape=32,32 pads=0,0,1,0")},

    /* ---- at the limits, and one for each clause ---- */
    {"batchnorm-behind-conv",
     "onnx x:i8 w:i8* c:i8* a:i8 b:i8 s:f32* y:i8 ; Conv x w > a ; Add c a > b ; "
     "BatchNormalization b s > y",
     "onnx x:i8 w:i8* c:i8* z:i8 a:i8 b:i8 s:f32* y:i8 ; Conv x w > a ; Sum a c z > b ; "
     "BatchNormalization b s > y"},
    {"batchnorm-behind-conv",
     "onnx x:i8 w:i8* s:f32* a:f32 q:i8 b:f32 y:i8 ; Conv x w > a ; QuantizeLinear a s > q ; "
     "DequantizeLinear q s > b ; BatchNormalization b s > y",
     "onnx x:i8 w:i8* s:f32* y:i8 ; BatchNormalization x s > y"},
    {"resize-nearest", "onnx10 x:i8 y:i8 ; Resize x > y mode=nearest",
     "onnx11 x:i8 y:i8 ; Resize x > y mode=nearest"},
    {"resize-nearest", "onnx10 x:i8 y:i8 ; Resize x > y",
     "onnx0 x:i8 y:i8 ; Resize x > y mode=nearest"},
    {"resize-nearest",
     "onnx x:i8 y:i8 ; Resize x > y coordinate_transformation_mode=asymmetric nearest_mode=floor",
     "onnx x:i8 y:i8 ; Resize x > y coordinate_transformation_mode=asymmetric nearest_mode=ceil"},
    {"resize-nearest-tflite",
     "tflite x:i8 s:i32* y:i8 ; RESIZE_NEAREST_NEIGHBOR x s > y align_corners=1",
     "tflite x:i8 s:i32* y:i8 ; RESIZE_BILINEAR x s > y align_corners=1"},
    {"concat-batch", "onnx x:i8 z:i8 y:i8:1x8x4x4 ; Concat x z > y axis=-4",
     "onnx x:i8 z:i8 y:i8 ; Concat x z > y axis=-4"},
    {"concat-batch", "onnx x:i8 z:i8 y:i8:2x8x4x4 ; Concat x z > y axis=1",
     "onnx x:i8 z:i8 y:i8:2x8x4 ; Concat x z > y axis=1"},
    {"space-to-depth", "tflite x:i8^ y:i8 ; SPACE_TO_DEPTH x > y",
     "tflite x:i8^ y:i8^ ; SPACE_TO_DEPTH x > y"},
    {"fused-activation", TWO("tflite", "ADD", "4", "4", "4") " fused_activation_function=OTHER",
     TWO("tflite", "ADD", "4", "4", "4") " fused_activation_function=TANH"},
    {"fused-activation", TWO("tflite", "ADD", "4", "4", "4") " fused_activation_function=OTHER",
     TWO("tflite", "ADD", "4", "4", "4") " fused_activation_function=NONE"},
    {"reduce-axes", "onnx x:i8:4x4 y:i8 ; ReduceMean x > y axes=1",
     "onnx x:i8:1x8x4 y:i8 ; ReduceMean x > y axes=2"},
    {"post-processing", "tflite x:i8 y:f32 ; NON_MAX_SUPPRESSION_V4 x > y",
     "tflite x:i8 y:i8 ; ABS x > y"},
    {"batch-one", "onnx x:i8:2x3x4x4 y:i8 ; Relu x > y", "onnx x:i8:2x3x4 y:i8 ; Relu x > y"},
    {"variable-batch", "onnx x:i8:-1 y:i8:-1 ; Relu x > y", "onnx x:i8:1 y:i8:1 ; Relu x > y"},
    {"static-shape", "onnx x:i8:1x4x-1 y:i8 ; Relu x > y", "onnx x:i8:-1 y:i8:-1 ; Relu x > y"},
    {"static-shape", "onnx x:i8 y:i8:1x-1 ; Relu x > y", "onnx x:i8 y:i8:-1x1 ; Relu x > y"},
    {"unconnected-output", "onnx x:i8 _y:i8 ; Dropout x > _y",
     "onnx x:i8 y:i8 _m:bool ; Dropout x > y _m"},
    {"data-type", "tflite x:u16 y:i8 ; RELU x > y", "tflite x:i8 y:u8 ; RELU x > y"},
    {"data-type", "tflite x:i8 y:i4 ; RELU x > y", "tflite x:i8 y:i32 ; RELU x > y"},
    {"data-type", "onnx s:f32* z:i8* a:i8 b:i16 y:i8 ; QLinearConcat s z a s z b s > y",
     "onnx s:f32* z:i8* a:i8 b:i8 y:i8 ; QLinearConcat s z a s z b s > y"},
    {"data-type", "onnx s:f32* z:i8* a:i8 b:i16 y:i8 ; QLinearAdd a s z b s z s > y",
     "onnx s:f32* z:i8* a:i8 b:i8 y:i8 ; QLinearAdd a s z b s z s > y"},
    {"unsigned-activations", "tflite x:i8 z:u8 y:i8 ; ADD x z > y",
     "tflite x:i8 z:u8* y:i8 ; ADD x z > y"},
    {"unsigned-activations", "onnx x:i8 a:f32 s:f32* q:any ; Relu x > a ; QuantizeLinear a s > q",
     "onnx x:i8 a:f32 s:f32* z:i8*=0 q:any ; Relu x > a ; QuantizeLinear a s z > q"},
    {"unsigned-activations", "tflite x:i8 y:u8 ; RELU x > y", "tflite x:u8 y:i8 ; QUANTIZE x > y"},
    {"abs-offset",
     "onnx s:f32* z:i8*=5 n:i8*=0 a:i8 t:i8 y:i8 ; QLinearConcat s z a s n > t ; Abs t > y",
     "onnx s:f32* z:i8*=5 n:i8*=0 a:i8 t:i8 y:i8 ; QLinearConcat s n a s z > t ; Abs t > y"},
    {"symmetric-weights",
     "onnx x:i8 v:i8* s:f32* z:i8*=3,0 w:f32 y:i8 ; DequantizeLinear v s z > w ; MatMul x w > y",
     "onnx x:i8 v:i8* s:f32* z:i8*=0,0 w:f32 y:i8 ; DequantizeLinear v s z > w ; MatMul x w > y"},
    {"per-channel-weights", "tflite x:i8 w:i8*~:2x3x3x16 y:i8:1x9x9x2 ; CONV_2D x w > y",
     "tflite x:i8 w:i8*~:1x3x3x16 y:i8:1x9x9x1 ; CONV_2D x w > y"},
    {"float", "onnx x:i8 +a:f32 s:f32* q:i8 ; Relu x > +a ; QuantizeLinear +a s > q",
     "onnx x:i8 a:f32 s:f32* q:i8 ; Relu x > a ; QuantizeLinear a s > q"},
    {"float", "onnx x:i8 w:i8* b:f32 y:i8 ; Conv x w b > y",
     "onnx x:i8 w:i8* b:f32* y:i8 ; Conv x w b > y"},

    {"broadcast-kind", TWO("onnx", "Mul", "1x1x4x4x8", "1x1x1x1x8", "1x1x4x4x8"),
     TWO("onnx", "Mul", "8", "1", "8")},
    {"broadcast-kind", TWO("onnx", "Mul", "2x8x4x4", "1x8x4x4", "2x8x4x4"),
     TWO("onnx", "Mul", "2x8x4x4", "1x8x4x1", "2x8x4x4")},
    {"broadcast-dma", TWO("tflite", "ADD", "2x4x8", "1x4x8", "2x4x8"),
     TWO("tflite", "ADD", "2x4x8", "1x1x8", "2x4x8")},
    {"broadcast-dma", TWO("onnx", "Mul", "1x8x4x4", "1x8x4x1", "1x8x4x4"),
     TWO("onnx", "Mul", "1x8x4x4", "1x8x1x1", "1x8x4x4")},
    {"broadcast-dma", "onnx a:i8:1x8x4x4 b:i8:1x8x1x4 c:i8:1x8x1x1 y:i8:1x8x4x4 ; Sum a b c > y",
     "onnx a:i8:1x8x4x4 b:i8:1x1x4x4 c:i8:1x8x1x1 y:i8:1x8x4x4 ; Sum a b c > y"},
    {"broadcast-size", TWO("onnx", "Mul", "1x8x27x19", "1x1x27x19", "1x8x27x19"),
     TWO("onnx", "Mul", "1x8x27x18", "1x1x27x18", "1x8x27x18")},

    {"kernel-width", CONV("1x9x9x16", "32x1x7x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x1x6x16", "1x9x9x32", "")},
    {"kernel-width-use", CONV("1x9x9x16", "32x3x2x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x3x6x16", "1x9x9x32", "")},
    {"kernel-width-use", CONV("1x9x9x16", "32x3x7x16", "1x9x9x32", "stride_w=2"),
     CONV("1x9x9x16", "32x3x7x16", "1x9x9x32", "")},
    {"kernel-width-use", CONV("1x9x9x16", "32x3x11x16", "1x9x9x32", "stride_w=2"),
     CONV("1x9x9x16", "32x3x12x16", "1x9x9x32", "stride_w=2")},
    {"kernel-width-use", CONV("1x9x9x16", "32x2x4x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x4x4x16", "1x9x9x32", "")},
    {"kernel-width-use", CONV("1x9x9x16", "32x3x5x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x3x1x16", "1x9x9x32", "")},
    {"stride-width", CONV("1x9x9x16", "32x3x3x16", "1x9x3x32", "stride_w=5"),
     CONV("1x9x9x16", "32x3x3x16", "1x9x3x32", "stride_w=4")},
    {"stride-reuse", CONV("1x9x9x16", "32x3x3x16", "1x5x9x32", "stride_h=2"), PLAIN},
    {"stride-reuse", CONV("1x9x9x16", "32x3x3x16", "1x3x9x32", "stride_h=4"),
     CONV("1x9x9x16", "32x3x3x16", "1x3x9x32", "stride_h=3")},
    {"stride-reuse", CONV("1x9x9x16", "32x3x3x16", "1x9x5x32", "stride_w=2"),
     CONV("1x9x9x16", "32x3x3x16", "1x9x3x32", "stride_w=3")},
    {"stride-reuse", CONV("1x9x9x16", "32x3x3x16", "1x9x3x32", "stride_w=4"), PLAIN},
    {"stride-over-kernel", CONV("1x9x9x16", "32x3x1x16", "1x9x5x32", "stride_w=2"),
     CONV("1x9x9x16", "32x3x2x16", "1x9x5x32", "stride_w=2")},
    {"stride-over-kernel", CONV("1x9x9x16", "32x1x3x16", "1x5x9x32", "stride_h=2"),
     "onnx x:i8 w:i8* y:i8 ; Conv x w > y strides=2,2"},
    {"one-by-one-channels", CONV("1x9x9x71", "24x1x1x71", "1x9x9x24", ""),
     CONV("1x9x9x128", "24x1x1x128", "1x9x9x24", "")},
    {"one-by-one-channels", CONV("1x9x9x143", "24x1x1x143", "1x9x9x24", ""),
     CONV("1x9x9x144", "24x1x1x144", "1x9x9x24", "")},
    {"one-by-one-channels", CONV("1x9x9x72", "15x1x1x72", "1x9x9x15", ""),
     CONV("1x9x9x72", "32x1x1x72", "1x9x9x32", "")},
    {"one-by-one-channels", CONV("1x9x9x72", "31x1x1x72", "1x9x9x31", ""),
     ONNX_CONV("1x8x9x9", "8x4x1x1", "1x8x9x9", "group=2")},
    {"one-by-one-channels", CONV("1x9x9x8", "8x1x1x8", "1x9x9x8", ""),
     "onnx x:i8 w:i8* y:i8 ; Conv x w > y kernel_shape=1,1"},
    {"one-by-one-channels", CONV("1x9x9x8", "8x1x1x8", "1x9x9x8", ""),
     CONV("1x9x9x8", "8x1x2x8", "1x9x9x8", "")},
    {"feature-width", CONV("1x9x683x3", "32x3x3x3", "1x9x683x32", ""),
     CONV("1x9x682x3", "32x3x3x3", "1x9x682x32", "")},
    {"feature-width", CONV("1x9x513x4", "32x2x1x4", "1x9x513x32", ""),
     CONV("1x9x513x4", "32x1x3x4", "1x9x513x32", "")},
    {"feature-width-limit", ONNX_CONV("1x1x4x65536", "8x1x1x3", "1x8x4x65536", ""),
     ONNX_CONV("1x1x4x65536", "8x1x3x3", "1x8x4x65536", "")},
    {"dilation", ONNX_CONV("1x16x9x9", "32x16x3x1", "1x32x9x9", "dilations=3,3"),
     ONNX_CONV("1x16x9x9", "32x16x1x1", "1x32x9x9", "dilations=3,3")},
    {"dilation", ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "dilations=3,1"),
     ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "dilations=1,1")},
    {"dilation", ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "dilations=1,3"),
     ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "dilations=1,2")},
    {"prime-channels", CONV("1x9x9x5", "32x3x3x5", "1x9x9x32", ""), PLAIN},
    {"prime-channels", CONV("1x9x9x16", "29x3x3x16", "1x9x9x29", ""),
     CONV("1x9x9x16", "25x3x3x16", "1x9x9x25", "")},
    {"prime-channels", CONV("1x9x9x16", "65521x1x1x16", "1x9x9x65521", ""),
     CONV("1x9x9x16", "65537x1x1x16", "1x9x9x65537", "")},
    {"prime-channels", CONV("1x9x9x16", "7x3x3x16", "1x9x9x7", ""),
     "onnx x:i8 w:i8*:32x5x3x3 y:i8 ; Conv x w > y group=2"},
    {"large-kernel", CONV("1x9x9x16", "32x5x1x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x9x1x16", "1x9x9x32", "")},
    {"large-kernel", CONV("1x9x9x16", "32x1x7x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x1x9x16", "1x9x9x32", "")},
    {"large-kernel", CONV("1x9x9x16", "32x4x3x16", "1x9x9x32", ""),
     CONV("1x9x9x16", "32x3x4x16", "1x9x9x32", "")},
    {"padding", ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "pads=3,0,0,0"),
     ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "pads=2,2,2,2")},
    {"padding", ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "pads=0,3,0,0"), PLAIN},
    {"padding", ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "pads=0,0,3,0"), PLAIN},
    {"padding", ONNX_CONV("1x16x9x9", "32x16x3x3", "1x32x9x9", "pads=0,0,0,3"), PLAIN},
    {"padding", ONNX_CONV("1x16x9", "32x16x3", "1x32x10", "pads=0,3"), PLAIN},
    {"padding", CONV("1x9x9x16", "32x1x6x16", "1x9x9x32", "padding=SAME"),
     CONV("1x9x9x16", "32x1x5x16", "1x9x9x32", "padding=SAME")},
    {"channel-ratio", CONV("1x9x9x5", "20x3x3x5", "1x9x9x20", ""),
     CONV("1x9x9x5", "19x3x3x5", "1x9x9x19", "")},
    {"channel-ratio", CONV("1x9x9x8", "33x3x3x8", "1x9x9x33", ""),
     CONV("1x9x9x4", "16x3x3x4", "1x9x9x16", "")},
    {"channel-ratio", ONNX_CONV("1x8x9x9", "32x8x3x3", "1x32x9x9", ""),
     ONNX_CONV("1x8x9x9", "32x1x3x3", "1x32x9x9", "group=8")},
    {"single-input", CONV("1x1x1x1", "16x1x1x1", "1x1x1x16", ""),
     ONNX_CONV("1x1x1x2", "16x1x1x1", "1x16x1x2", "")},

    {"pool-window", POOL("MaxPool", "1x16x29x30", "kernel_shape=4,3"),
     POOL("MaxPool", "1x16x30x30", "kernel_shape=3,3")},
    {"pool-window", POOL("MaxPool", "1x16x30x29", "kernel_shape=3,4"),
     POOL("MaxPool", "1x16x32x32", "kernel_shape=1,1")},
    {"average-window", POOL("AveragePool", "1x16x30x29", "kernel_shape=3,4"),
     POOL("AveragePool", "1x16x30x30", "kernel_shape=3,3")},
    {"average-window", POOL("AveragePool", "1x16x2x1", "kernel_shape=31,32"),
     ONE("onnx", "AveragePool", "1x16x4x2", "1x16x1x1", "kernel_shape=4,2")},
    {"average-window", POOL("AveragePool", "1x16x2x1", "kernel_shape=32,32 pads=1,0,0,0"),
     ONE("onnx", "AveragePool", "1x16x2x4", "1x16x1x1", "kernel_shape=2,4")},
    {"average-window", POOL("AveragePool", "1x16x1x2", "kernel_shape=32,32 pads=0,1,0,0"),
     POOL("AveragePool", "1x16x1x1", "kernel_shape=32,32 pads=0,0,0,0")},
    {"average-window", POOL("AveragePool", "1x16x2x1", "kernel_shape=32,32 pads=0,0,1,0"),
     POOL("AveragePool", "1x16x30x30", "kernel_shape=3,3")},
    {"average-window", POOL("AveragePool", "1x16x1x2", "kernel_shape=32,32 pads=0,0,0,1"),
     POOL("AveragePool", "1x16x30x30", "kernel_shape=3,3")},
    {"average-whole", ONE("onnx", "AveragePool", "1x16x4x2", "1x16x1x1", "kernel_shape=4,2"),
     ONE("onnx", "AveragePool", "1x16x3x3", "1x16x1x1", "kernel_shape=3,3")},
    {"average-whole", ONE("onnx", "AveragePool", "1x16x2x4", "1x16x1x1", "kernel_shape=2,4"),
     ONE("onnx", "AveragePool", "1x16x2x5", "1x16x1x2", "kernel_shape=2,4")},
    {"average-padding", POOL("AveragePool", "1x16x38x30", "kernel_shape=3,3 pads=8,0,0,0"),
     POOL("AveragePool", "1x16x39x44", "kernel_shape=3,3 pads=7,7,2,7")},
    {"average-padding", POOL("AveragePool", "1x16x30x38", "kernel_shape=3,3 pads=0,8,0,0"),
     POOL("AveragePool", "1x16x30x30", "kernel_shape=3,3")},
    {"average-padding", POOL("AveragePool", "1x16x30x38", "kernel_shape=3,3 pads=0,0,0,8"),
     "onnx x:i8:1x16x32x32 y:i8 ; AveragePool x > y pads=0,0,3,0"},
    {"average-padding", POOL("AveragePool", "1x16x32x32", "kernel_shape=16,1 auto_pad=SAME_LOWER"),
     POOL("AveragePool", "1x16x32x32", "kernel_shape=16,1 auto_pad=SAME_UPPER")},
    {"pool-stride", POOL("MaxPool", "1x16x2x30", "kernel_shape=3,3 strides=16,1"),
     POOL("MaxPool", "1x16x1x1", "kernel_shape=32,32 strides=16,16")},
    {"pool-stride", POOL("AveragePool", "1x16x30x2", "kernel_shape=3,3 strides=1,16"),
     POOL("AveragePool", "1x16x2x2", "kernel_shape=3,3 strides=15,15")},
    {"pool-width", ONE("onnx", "MaxPool", "1x3x2x683", "1x3x1x682", "kernel_shape=2,2"),
     ONE("onnx", "MaxPool", "1x3x2x682", "1x3x1x681", "kernel_shape=2,2")},
    {"global-pool-window", ONE("onnx", "GlobalAveragePool", "1x16x1x2049", "1x16x1x1", ""),
     "onnx x:i8 y:i8 ; GlobalAveragePool x > y"},
};

static const struct rp_ops_rule *rule_of(const char *id) {
    for (size_t i = 0; rp_ops_rule_at(i) != NULL; i++)
        if (strcmp(rp_ops_rule_at(i)->id, id) == 0)
            return rp_ops_rule_at(i);
    fail_msg("no rule '%s'", id);
    return NULL;
}

/* A graph without the rule's operators would prove nothing. */
static bool has_its_kind(const struct rp_ops *ops, const struct rp_ops_rule *rule) {
    for (size_t i = 0; i < ops->count; i++)
        if (rule->kinds == NULL || rp_ops_kind_is(&ops->nodes[i], rule->kinds))
            return true;
    return false;
}

/* The node to which a rule applies, or NULL. */
static const struct rp_ops_node *find_node(const struct rp_ops *ops, const char *id) {
    for (size_t i = 0; i < ops->count; i++)
        if (ops_follow(&ops->nodes[i], id))
            return &ops->nodes[i];
    return NULL;
}

/* What is wrong with a pair of graphs, or NULL. */
static const char *fault_of_pair(struct unit *u, const struct rp_ops_rule *rule, const char *yes,
                                 const char *no) {
    struct rp_ops ops;
    ops_judge(&ops, &u->arena, yes);
    const struct rp_ops_node *node = find_node(&ops, rule->id);
    if (node == NULL)
        return "does not apply to the first";
    if (rule->place < RP_OPS_PLACES && node->place != rule->place)
        return "does not give the first its place";
    ops_judge(&ops, &u->arena, no);
    if (find_node(&ops, rule->id) != NULL)
        return "applies to the second";
    return has_its_kind(&ops, rule) ? NULL : "finds none of its operators in the second";
}

static void applies_each_rule(void **state) {
    size_t faults = 0;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        const char *fault = fault_of_pair(*state, rule_of(pairs[i].id), pairs[i].yes, pairs[i].no);
        if (fault != NULL)
            print_error("%s %s: %s / %s\n", pairs[i].id, fault, pairs[i].yes, pairs[i].no);
        faults += fault != NULL;
    }
    assert_int_equal(faults, 0);
}

static void has_a_pair_for_each_rule(void **state) {
    (void)state;
    for (size_t i = 0; rp_ops_rule_at(i) != NULL; i++) {
        const struct rp_ops_rule *rule = rp_ops_rule_at(i);
        bool found = false;
        for (size_t k = 0; k < COUNT(pairs); k++)
            found = found || strcmp(pairs[k].id, rule->id) == 0;
        if (!found)
            fail_msg("rule '%s' has no pair of graphs", rule->id);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(rp_ops_rule_at(k)->id, rule->id);
        assert_non_null(rule->section);
    }
}

/* ---- places ---- */

static const struct {
    enum rp_ops_place place;
    const char *rules;
} rule_places[] = {
    {RP_OPS_HW,
     " batchnorm-behind-conv div-by-constant requantise resize-nearest depth-to-space-dcr"},
    {RP_OPS_CONDITIONAL,
     " mean-pooling concat-batch split-axis cast partial pad-others fused-activation reduce-axes"
     " reduce-window dropout batch-one sparse-constant wide-integers unsigned-activations"
     " broadcast-order mul-broadcast feature-width-limit single-input dimensions average-whole"
     " global-pool-window"},
    {RP_OPS_SW_INT,
     " resize-nearest-mode resize-nearest-tflite space-to-depth reduce-batch table-integer"
     " broadcast-two-way broadcast-kind mul-dimensions average-window average-padding"
     " average-dimensions pool-stride"},
    {RP_OPS_SW_FLOAT,
     " abs-offset batchnorm-alone float-constant float edge-quantiser table-float"},
    {RP_OPS_UNSUPPORTED,
     " post-processing custom-operator not-listed training-mode static-shape unconnected-output"
     " hybrid data-type symmetric-weights"},
    {RP_OPS_KEEP,
     " swish resize-smooth variable-batch per-channel-weights zero-weights near-zero-weights"
     " broadcast-dma broadcast-size"
     " kernel-width kernel-height kernel-height-use kernel-width-use stride-width stride-height"
     " stride-reuse stride-over-kernel one-by-one-channels one-by-one-passes feature-width"
     " dilation prime-channels large-kernel padding channel-ratio pool-window pool-width "
     "pool-chain"},
};

static void has_each_rules_place(void **state) {
    struct unit *u = *state;
    struct rp_buf replacing = {.arena = &u->arena};
    for (size_t i = 0; i < COUNT(rule_places); i++) {
        struct rp_buf text = {.arena = &u->arena};
        for (size_t k = 0; rp_ops_rule_at(k) != NULL; k++)
            if (rp_ops_rule_at(k)->place == rule_places[i].place)
                rp_buf_printf(&text, " %s", rp_ops_rule_at(k)->id);
        assert_string_equal((char *)text.data, rule_places[i].rules);
    }
    for (size_t k = 0; rp_ops_rule_at(k) != NULL; k++)
        if (rp_ops_rule_at(k)->replaces)
            rp_buf_printf(&replacing, " %s", rp_ops_rule_at(k)->id);
    assert_string_equal((char *)replacing.data,
                        " batchnorm-behind-conv div-by-constant requantise resize-nearest"
                        " depth-to-space-dcr mean-pooling dropout");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(applies_each_rule),
        UNIT(has_a_pair_for_each_rule),
        UNIT(has_each_rules_place),
    };
    return RUN(tests);
}
