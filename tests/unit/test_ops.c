/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/ops*: each rule with a graph that it is for and one that it is not for.
 */
#include "tests/unit/unit.h"

#include "tests/unit/ops_text.h"

#define CONV(dims, kernel, result, more)                                                           \
    "tflite x:i8:" dims " w:i8*:" kernel " y:i8:" result " ; CONV_2D x w > y " more
#define ONNX_CONV(dims, kernel, result, more)                                                      \
    "onnx x:i8:" dims " w:i8*:" kernel " y:i8:" result " ; Conv x w > y " more
#define PLAIN                  CONV("1x9x9x16", "32x3x3x16", "1x9x9x32", "padding=SAME")
#define TWO(f, op, a, b, c)    f " x:i8:" a " z:i8:" b " y:i8:" c " ; " op " x z > y"
#define ONE(f, op, a, b, more) f " x:i8:" a " y:i8:" b " ; " op " x > y " more
#define POOL(op, result, more) ONE("onnx", op, "1x16x32x32", result, more)

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
    {"global-pool-window", ONE("onnx", "GlobalAveragePool", "1x16x64x33", "1x16x1x1", ""),
     ONE("onnx", "GlobalAveragePool", "1x16x64x32", "1x16x1x1", "")},
    {"global-pool-window", ONE("onnx", "GlobalMaxPool", "1x16x2049", "1x16x1", ""),
     ONE("onnx", "GlobalMaxPool", "1x16x2048", "1x16x1", "")},
    {"dimensions", ONE("onnx", "GlobalAveragePool", "1x16x2x2x2", "1x16x1x1x1", ""),
     ONE("onnx", "GlobalAveragePool", "1x16x2x2", "1x16x1x1", "")},
    {"average-whole", POOL("AveragePool", "1x16x1x1", "kernel_shape=32,32 strides=32,32"),
     POOL("AveragePool", "1x16x1x1", "kernel_shape=32,32 pads=0,0,1,0")},
};

static void judge(struct rp_ops *ops, struct unit *u, const char *text) {
    struct rp_graph *graph = rp_alloc(&u->arena, 1, sizeof *graph);
    ops_text(graph, &u->arena, text);
    rp_ops_judge(ops, &u->arena, graph);
}

static bool follows(const struct rp_ops *ops, const char *id) {
    for (size_t i = 0; i < ops->count; i++)
        for (size_t k = 0; k < ops->nodes[i].rules.count; k++)
            if (strcmp(ops->nodes[i].rules.items[k]->id, id) == 0)
                return true;
    return false;
}

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

static void applies_each_rule(void **state) {
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(pairs); i++) {
        const struct rp_ops_rule *rule = rule_of(pairs[i].id);
        struct rp_ops ops;
        judge(&ops, u, pairs[i].yes);
        if (!follows(&ops, rule->id))
            fail_msg("%s does not apply to %s", rule->id, pairs[i].yes);
        judge(&ops, u, pairs[i].no);
        if (follows(&ops, rule->id))
            fail_msg("%s applies to %s", rule->id, pairs[i].no);
        if (!has_its_kind(&ops, rule))
            fail_msg("%s: no operator of its own in %s", rule->id, pairs[i].no);
    }
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
    /* types between operators need not be said: floats, unless something quantises them */
    {"onnx x:f32 a:any y:f32 ; Relu x > a ; Exp a > y", 1, RP_OPS_SW_FLOAT},
    {"onnx x:i64 a:i64 b:i64 ; Unsqueeze x > a ; Concat a x > b", 1, RP_OPS_CONDITIONAL},
    {"onnx x:f32:2x-1 s:i64 ; Shape x > s", 0, RP_OPS_UNSUPPORTED},
    {"tflite x:f32 s:i32 ; SHAPE x > s", 0, RP_OPS_HW},
    /* layout in floats is software */
    {"onnx x:f32 a:f32 s:f32* q:i8 ; Transpose x > a ; QuantizeLinear a s > q", 0, RP_OPS_SW_FLOAT},
    /* a replaced word can get worse again */
    {"tflite x:f32:1x7x7x16 a:i32*=1,2 y:f32:1x16 ; MEAN x a > y", 0, RP_OPS_SW_FLOAT},
    {"tflite x:i8:1x7x7x16 a:i32*=1,2 y:i8:1x16 ; MEAN x a > y", 0, RP_OPS_CONDITIONAL},
    {"tflite x:i8:1x7x7x16 a:i32*=3 y:i8:1x7x7 ; MEAN x a > y", 0, RP_OPS_SW_FLOAT},
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
    /* a part is as bad for the whole as for itself */
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

/* What is read in floats as well stays in floats, and so does its DequantizeLinear. */
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
    /* a scale of its own between them */
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
    /* a batch that varies is 1 */
    judge(&ops, u,
          "tflite x:i8:-1x4 s:i32 c:i8* y:i8:-1x4 z:i8:-1x4 ; SHAPE x > s ; FILL s c > y ; "
          "ADD x y > z");
    assert_true(ops.nodes[0].is_folded && ops.nodes[1].is_folded && !ops.nodes[2].is_folded);
    assert_true(follows(&ops, "variable-batch"));
}

/* Two QuantizeLinear and DequantizeLinear around the nodes that stand for more. */
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
    /* the convolution is read by a third node */
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

/* Of what only a Shape reads nothing is computed. */
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

/* A graph may be any: here a Mul that reads itself, and a circle of quantisers. */
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
    /* shapes between operators are told from those in front */
    {"onnx x:i8:1x16x9x9 w:i8*:32x16x3x3 y:i8 ; Conv x w > y strides=2,2 pads=1,1,1,1", true,
     5ULL * 5 * 32 * 9 * 16},
    {"onnx x:i8:1x16x9x9 w:i8*:32x16x3x3 y:i8 ; Conv x w > y strides=0,1", false, 0},
    {"tflite x:i8:-1x8 w:i8*:4x8 y:i8:-1x4 ; FULLY_CONNECTED x w > y", true, 32},
    {"onnx x:i8:2x3x8 w:i8:2x8x5 y:i8:2x3x5 ; MatMul x w > y", true, 240},
    {"tflite s:i32* w:i8*:8x2x2x16 x:i8:1x4x4x16 y:i8:1x8x8x8 ; TRANSPOSE_CONV s w x > y "
     "stride_h=2 stride_w=2",
     true, 4ULL * 4 * 8 * 2 * 2 * 16},
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
    /* operators as they stand, not by name */
    judge(&ops, u, "tflite x:i8 a:i8 b:i8 y:i8 ; TANH x > a ; ADD a a > b ; TANH b > y");
    rp_ops_group(&groups, &ops);
    assert_int_equal(groups.count, 2);
    assert_string_equal(groups.items[0].op, "TANH");
    assert_int_equal(groups.items[0].nodes, 2);
    /* the worst verdict first, then what costs the most */
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

static void has_both_tables(void **state) {
    (void)state;
    size_t count[2] = {0};
    for (size_t i = 0; rp_ops_operator_at(i) != NULL; i++) {
        const struct rp_ops_operator *row = rp_ops_operator_at(i);
        count[row->format]++;
        assert_true(row->place < RP_OPS_PLACES && row->kind[0] != '\0');
        for (size_t k = 0; k < i; k++)
            assert_false(rp_ops_operator_at(k)->format == row->format &&
                         strcmp(rp_ops_operator_at(k)->op, row->op) == 0);
    }
    assert_int_equal(count[RP_GRAPH_TFLITE], 72);
    assert_int_equal(count[RP_GRAPH_ONNX], 99);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(applies_each_rule),
        UNIT(has_a_pair_for_each_rule),
        UNIT(gives_verdicts),
        UNIT(joins_quantisers),
        UNIT(leaves_floats_alone),
        UNIT(joins_others),
        UNIT(joins_swish),
        UNIT(folds_unread),
        UNIT(ends_in_circles),
        UNIT(counts_macs),
        UNIT(sums_up),
        UNIT(has_both_tables),
    };
    return RUN(tests);
}
