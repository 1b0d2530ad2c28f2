/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/ops/shapes, infer* and value: shapes, types and scales that an ONNX file
 * leaves out. The graphs' tensors y and z are those that are checked.
 */
#include "tests/unit/unit.h"

#include "tests/unit/ops_text.h"
#include "toolchain/ops/judge.h"
#include "toolchain/ops/value.h"

#define X(dims, op)        "onnx x:f32:" dims " y:any ; " op " x > y "
#define XA(dims, ints, op) "onnx x:f32:" dims " a:i64*" ints " y:any ; " op " x a > y "
#define XW(x, w, op)       "onnx x:f32:" x " w:f32:" w " y:any ; " op " x w > y "

/* "?" is not known, "" is a scalar, -1 is variable. */
static const struct {
    const char *text;
    const char *y;
    const char *z; /* of a second output, or NULL */
} shapes[] = {
    /* as the operand; a variable batch counts as 1 */
    {X("1x2x3", "Softmax"), "1x2x3", NULL},
    {X("-1x2x3", "Relu"), "1x2x3", NULL},
    {X("1x-1x3", "Relu"), "1x-1x3", NULL},
    {"onnx x:f32 y:any ; Relu x > y", "?", NULL},
    {X("1x2x3", "!Relu"), "?", NULL},
    {X("1x2x3", "Unheard"), "?", NULL},
    {X("1x2147483648", "Relu"), "?", NULL},
    {"onnx x:f32:2x3 y:any z:any ; Dropout x > y z", "2x3", "2x3"},
    {"onnx x:f32:2x3 y:any z:any ; BatchNormalization x > y z", "2x3", "?"},
    {"onnx x:f32:2x3 y:any z:any ; DynamicQuantizeLinear x > y z", "2x3", ""},

    /* broadcasting */
    {XW("2x1x4", "3x1", "Add"), "2x3x4", NULL},
    {XW("4", "2x3x4", "Mul"), "2x3x4", NULL},
    {XW("2x3", "4", "Add"), "?", NULL},
    {XW("2x-1", "5", "Add"), "2x5", NULL},
    {XW("2x-1", "1", "Add"), "2x-1", NULL},
    {XW("2x0", "1", "Add"), "2x0", NULL},
    {XW("2x3x4", "3", "Add") "broadcast=1 axis=1", "2x3x4", NULL},
    {XW("2x1", "3", "Greater"), "2x3", NULL},
    {"onnx c:bool:2x1 x:f32:3 w:f32:4x1x1 y:any ; Where c x w > y", "4x2x3", NULL},
    {"onnx x:f32:2x1 w:f32:3 v:f32:4x1x1 y:any ; Max x w v > y", "4x2x3", NULL},

    /* windows */
    {XW("1x3x9x9", "8x3x3x3", "Conv"), "1x8x7x7", NULL},
    {XW("1x3x9x9", "8x3x3x3", "Conv") "pads=1,1,1,1 strides=2,2", "1x8x5x5", NULL},
    {XW("1x3x9x9", "8x3x3x3", "Conv") "pads=0,1,0,1 dilations=2,1", "1x8x5x9", NULL},
    {XW("1x3x9x9", "8x3x3x3", "Conv") "auto_pad=SAME_UPPER strides=2,2", "1x8x5x5", NULL},
    {XW("1x3x9x9", "8x3x3x3", "Conv") "auto_pad=VALID pads=1,1,1,1", "1x8x7x7", NULL},
    {XW("1x3x9", "8x3x3", "Conv"), "1x8x7", NULL},
    {XW("1x3x4x5x6", "8x3x2x2x2", "Conv"), "1x8x3x4x5", NULL},
    {XW("1x3x-1x9", "8x3x3x3", "Conv"), "1x8x-1x7", NULL},
    {XW("1x3x2x9", "8x3x3x3", "Conv"), "?", NULL},
    {XW("1x3x9x9", "8x3x3", "Conv"), "?", NULL},
    {XW("1x3x9x9", "8x3x3x3", "Conv") "strides=0,1", "?", NULL},
    {XW("1x3x9x9", "8x3x3x3", "Conv") "dilations=2147483647,2147483647", "?", NULL},
    {XW("1x3x9x9", "8x3x3x3", "Conv") "pads=9223372036854775807,0,0,0", "?", NULL},
    {XW("1x3x9x9", "8x3x3x3", "ConvInteger"), "1x8x7x7", NULL},
    {"onnx x:i8:1x3x9x9 s:f32* n:i8*=0 w:i8*:8x3x3x3 y:any ; QLinearConv x s n w s n s n > y",
     "1x8x7x7", NULL},
    {"onnx x:f32:1x4x9x9 y:any z:any ; MaxPool x > y z kernel_shape=2,2 strides=2,2", "1x4x4x4",
     "1x4x4x4"},
    {X("1x4x9x9", "MaxPool") "kernel_shape=2,2 strides=2,2 ceil_mode=1", "1x4x5x5", NULL},
    /* a window that starts in the padding at the end does not count */
    {X("1x4x4x4", "MaxPool") "kernel_shape=1,1 strides=3,3 pads=0,0,2,2 ceil_mode=1", "1x4x2x2",
     NULL},
    {X("1x4x3x3", "MaxPool") "kernel_shape=2,2 strides=3,3 pads=0,0,2,2 ceil_mode=1", "1x4x2x2",
     NULL},
    {X("1x4x9x9", "AveragePool"), "?", NULL},
    {X("1x4x9x9", "GlobalAveragePool"), "1x4x1x1", NULL},
    {X("1x4", "GlobalAveragePool"), "?", NULL},
    {"onnx x:i8:1x9x9x4 s:f32* n:i8*=0 y:any ; QLinearGlobalAveragePool x s n s n > y "
     "channels_last=1",
     "?", NULL},
    {XW("1x8x4x4", "8x3x2x2", "ConvTranspose") "strides=2,2", "1x3x8x8", NULL},
    {XW("1x8x4x4", "8x3x3x3",
        "ConvTranspose") "strides=2,2 pads=1,1,1,1 output_padding=1,1 group=2",
     "1x6x8x8", NULL},
    {XW("1x8x4x4", "8x3x3x3", "ConvTranspose") "strides=2,2 auto_pad=SAME_UPPER", "1x3x8x8", NULL},
    {XW("1x8x4x4", "8x3x3x3", "ConvTranspose") "strides=2,2 output_shape=9,10", "1x3x9x10", NULL},
    {XW("1x8x4x4", "8x3x3x3", "ConvTranspose") "output_shape=9", "?", NULL},
    {XW("1x8x4x4", "8x3x3x3", "ConvTranspose") "output_shape=9,10,11", "?", NULL},
    {XW("1x8x4x-1", "8x3x2x2", "ConvTranspose") "strides=2,2", "1x3x8x-1", NULL},
    {XW("1x8x4x4", "8x2147483647x2x2", "ConvTranspose") "group=2147483647", "?", NULL},

    /* resizing */
    {"onnx x:f32:1x4x5x6 s:f32*:4=1,1,2,3 y:any ; Resize x - s > y", "1x4x10x18", NULL},
    {"onnx x:f32:1x4x5x6 e:f32*:0 n:i64*:4=1,4,7,8 y:any ; Resize x e e n > y", "1x4x7x8", NULL},
    {"onnx x:f32:1x4x5x6 n:i64*:2=7,8 y:any ; Resize x - - n > y axes=2,-1", "1x4x7x8", NULL},
    {"onnx x:f32:1x4x5x6 n:i64*:2=7,8 y:any ; Resize x - - n > y", "?", NULL},
    {"onnx x:f32:1x4x5x6 n:i64*:2=7,8 y:any ; Resize x - - n > y axes=2,9", "?", NULL},
    {"onnx x:f32:1x4x5x6 n:i64*:4=1,4,7,8 y:any ; Resize x - - n > y "
     "keep_aspect_ratio_policy=not_larger",
     "?", NULL},
    {"onnx x:f32:1x4x5x6 s:f32:4 y:any ; Resize x - s > y", "?", NULL},
    {"onnx x:f32:1x4x5x6 s:f32*:4=1,1,2147483647,1 y:any ; Resize x - s > y", "?", NULL},
    {"onnx x:f32:1x4x5x6 s:f32*:4=1,1,-1,1 y:any ; Resize x - s > y", "?", NULL},
    {"onnx x:f32:1x4x5x6 s:f32*:4=1,1,2,2 y:any ; Upsample x s > y", "1x4x10x12", NULL},

    /* products */
    {XW("2x3", "3x4", "Gemm"), "2x4", NULL},
    {XW("3x2", "4x3", "Gemm") "transA=1 transB=1", "2x4", NULL},
    {XW("2x3", "4x4", "Gemm"), "?", NULL},
    {XW("2x3", "1x4", "Gemm"), "?", NULL},
    {XW("1x2x3", "3x4", "Gemm"), "?", NULL},
    {XW("5x1x2x3", "6x3x4", "MatMul"), "5x6x2x4", NULL},
    {XW("3", "3x4", "MatMul"), "4", NULL},
    {XW("2x3", "3", "MatMul"), "2", NULL},
    {XW("3", "3", "MatMul"), "", NULL},
    {XW("2x3", "4x4", "MatMul"), "?", NULL},
    {XW("2x2x3", "3x3x4", "MatMul"), "?", NULL},
    {XW("2x3", "3x4", "MatMulInteger"), "2x4", NULL},
    {"onnx x:f32:7x1x5 w:f32*:2x12x5 r:f32*:2x12x3 y:any z:any ; LSTM x w r > y z", "7x2x1x3",
     "2x1x3"},
    {"onnx x:f32:1x7x5 w:f32*:1x9x5 r:f32*:1x9x3 y:any z:any ; GRU x w r > y z layout=1", "1x7x1x3",
     "1x1x3"},

    /* the same data in another shape */
    {XA("1x2x3x4", "=1,24", "Reshape"), "1x24", NULL},
    {XA("1x2x3x4", "=0,-1", "Reshape"), "1x24", NULL},
    {XA("1x2x3x4", "=0,0,-1", "Reshape"), "1x2x12", NULL},
    {XA("1x2x3x4", "=-1,5", "Reshape"), "?", NULL},
    {XA("1x2x3x4", "=-1,-1", "Reshape"), "?", NULL},
    {XA("1x2x3x4", "=1,-2", "Reshape"), "?", NULL},
    {XA("2x0", "=0,3", "Reshape") "allowzero=1", "0x3", NULL},
    {XA("2x0", "=0,-1", "Reshape") "allowzero=1", "?", NULL},
    {XA("1x2", "=1,1,0", "Reshape"), "?", NULL},
    {XA("-1x2x3", "=-1,6", "Reshape"), "1x6", NULL},
    {XA("1x-1x6", "=1,-1,2", "Reshape"), "1x-1x2", NULL},
    {XA("1x-1x6", "=0,0,-1,2", "Reshape"), "1x-1x3x2", NULL},
    {XA("1x2147483647x2147483647x2147483647", "=-1", "Reshape"), "?", NULL},
    {"onnx x:f32 a:i64*=1,24 y:any ; Reshape x a > y", "1x24", NULL},
    {"onnx x:f32 a:i64*=0,24 y:any ; Reshape x a > y", "?", NULL},
    {XW("1x24", "2", "Reshape"), "?", NULL},
    {X("1x2x3x4", "Reshape") "shape=2,-1", "2x12", NULL},
    {X("1x2x3x4", "Flatten"), "1x24", NULL},
    {X("2x3x4", "Flatten") "axis=-1", "6x4", NULL},
    {X("2x3", "Flatten") "axis=0", "1x6", NULL},
    {X("2x3", "Flatten") "axis=3", "?", NULL},
    {X("2x-1x3", "Flatten"), "2x-1", NULL},
    {X("1x2x1x3", "Squeeze"), "2x3", NULL},
    {X("1x2x1x3", "Squeeze") "axes=-2", "1x2x3", NULL},
    {XA("1x2x1x3", "=0", "Squeeze"), "2x1x3", NULL},
    {X("1x2", "Squeeze") "axes=1", "?", NULL},
    {X("1x-1", "Squeeze"), "?", NULL},
    {XW("1x2", "1", "Squeeze"), "?", NULL},
    {X("2x3", "Unsqueeze") "axes=0,3", "1x2x3x1", NULL},
    {XA("2x3", "=-1", "Unsqueeze"), "2x3x1", NULL},
    {XA("2x3", "=0,0", "Unsqueeze"), "?", NULL},
    {XA("1x1x1x1x1x1x1x1", "=0", "Unsqueeze"), "?", NULL},
    {X("2x3x4", "Transpose"), "4x3x2", NULL},
    {X("2x3x4", "Transpose") "perm=0,2,1", "2x4x3", NULL},
    {X("2x3x4", "Transpose") "perm=0,2,2", "?", NULL},
    {X("2x3x4", "Transpose") "perm=0,2,3", "?", NULL},
    {X("1x8x3x4", "DepthToSpace") "blocksize=2", "1x2x6x8", NULL},
    {X("1x6x3x4", "DepthToSpace") "blocksize=2", "?", NULL},
    {X("1x2x6x8", "SpaceToDepth") "blocksize=2", "1x8x3x4", NULL},
    {X("1x2x6x8", "SpaceToDepth"), "?", NULL},

    /* joining and cutting */
    {XW("1x2x3", "1x5x3", "Concat") "axis=1", "1x7x3", NULL},
    {XW("1x2x3", "1x2x5", "Concat") "axis=-1", "1x2x8", NULL},
    {XW("1x2x3", "1x2x4", "Concat") "axis=1", "?", NULL},
    {XW("1x2x-1", "1x5x3", "Concat") "axis=1", "1x7x3", NULL},
    {XW("1x2x3", "1x-1x3", "Concat") "axis=1", "1x-1x3", NULL},
    {XW("1x2x3", "1x2x3", "Concat") "axis=3", "?", NULL},
    {XW("1x2147483647", "1x2147483647", "Concat") "axis=1", "?", NULL},
    {"onnx x:i8:1x2x3 s:f32* n:i8*=0 y:any ; QLinearConcat s n x s n x s n > y axis=1", "1x4x3",
     NULL},
    {"onnx x:f32:2x6 y:any z:any ; Split x > y z axis=1", "2x3", "2x3"},
    {"onnx x:f32:2x6 y:any z:any ; Split x > y z axis=1 split=2,4", "2x2", "2x4"},
    {"onnx x:f32:2x6 a:i64*=5,1 y:any z:any ; Split x a > y z axis=-1", "2x5", "2x1"},
    {"onnx x:f32:2x6 a:i64 y:any z:any ; Split x a > y z axis=-1", "?", "?"},
    {"onnx x:f32:2x7 y:any z:any ; Split x > y z axis=1", "?", "?"},
    {"onnx x:f32:2x6 y:any z:any ; Split x > y z axis=1 split=6", "?", "?"},
    {"onnx x:f32:2x9 a:i64*=1 b:i64*=-1 s:i64*=3 y:any ; Slice x a b a s > y", "2x3", NULL},
    {"onnx x:f32:2x9 a:i64*=-1 b:i64*=-100 s:i64*=-2 y:any ; Slice x a b a s > y", "2x5", NULL},
    {"onnx x:f32:2x9 a:i64*=-1 b:i64*=-3 y:any ; Slice x a b a a > y", "2x2", NULL},
    {"onnx x:f32:9x9 a:i64*=1,1 b:i64*=5,6 y:any ; Slice x a b a > y", "?", NULL},
    {"onnx x:f32:2x9 a:i64*=3 b:i64*=9223372036854775807 c:i64*=1 y:any ; Slice x a b c > y", "2x6",
     NULL},
    {"onnx x:f32:2x9 a:i64*=7 b:i64*=2 c:i64*=1 y:any ; Slice x a b c > y", "2x0", NULL},
    {"onnx x:f32:2x9 a:i64*=1 s:i64*=0 y:any ; Slice x a a a s > y", "?", NULL},
    {"onnx x:f32:2x9 a:i64*=1 c:i64*=2 y:any ; Slice x a a c > y", "?", NULL},
    {"onnx x:f32:2x9 a:i64*=1 c:i64 y:any ; Slice x a c > y", "?", NULL},
    {"onnx x:f32:2x-1 a:i64*=1 b:i64*=4 y:any ; Slice x a b a > y", "2x-1", NULL},
    {X("4x9", "Slice") "starts=1,0 ends=3,5", "2x5", NULL},
    {XW("2x3x4", "5x6", "Gather") "axis=1", "2x5x6x4", NULL},
    {XW("2x3x4", "", "Gather") "axis=-1", "2x3", NULL},
    {XW("2x3", "4", "Gather") "axis=2", "?", NULL},
    {XW("1x1x1x1x1x1x1x1", "1x1", "Gather"), "?", NULL},
    {XW("2x3", "2x5", "GatherElements") "axis=1", "2x5", NULL},
    {"onnx x:f32:2x9 a:i64*:1=4 y:any z:any ; TopK x a > y z", "2x4", "2x4"},

    /* more, or less, data */
    {X("1x2x3x4", "Pad") "pads=0,0,1,2,0,0,1,0", "1x2x5x6", NULL},
    {XA("1x2x3x4", "=0,0,0,-1,0,0,0,-1", "Pad"), "1x2x3x2", NULL},
    {XA("1x2", "=0,0,0,-3", "Pad"), "?", NULL},
    {XA("1x2", "=0,0,0", "Pad"), "?", NULL},
    {"onnx x:f32:1x2x3 p:i64*=1,2 a:i64*=-1 y:any ; Pad x p - a > y", "1x2x6", NULL},
    {XW("1x2", "4", "Pad"), "?", NULL},
    {XA("2x1x3", "=4,1", "Expand"), "2x4x3", NULL},
    {XA("3", "=2,-1", "Expand"), "?", NULL},
    {XA("2x3", "=1,4", "Tile"), "2x12", NULL},
    {XA("2x3", "=1,2147483647", "Tile"), "?", NULL},
    {XA("2x3", "=4", "Tile"), "?", NULL},

    /* reductions */
    {X("2x3x4", "ReduceMean"), "1x1x1", NULL},
    {X("2x3x4", "ReduceMean") "keepdims=0", "", NULL},
    {X("2x3x4", "ReduceMax") "axes=-1,1 keepdims=0", "2", NULL},
    {XA("2x3x4", "=1", "ReduceSum"), "2x1x4", NULL},
    {X("2x3", "ReduceSum") "noop_with_empty_axes=1", "2x3", NULL},
    {XW("2x3", "1", "ReduceSum"), "?", NULL},
    {X("2x3", "ReduceMean") "axes=2", "?", NULL},
    {X("2x3x4", "ReduceMean") "axes=1,-2", "?", NULL},
    {X("2x3x4", "ArgMax") "axis=1", "2x1x4", NULL},
    {X("2x3x4", "ArgMin") "axis=-1 keepdims=0", "2x3", NULL},
    {X("2x3x4", "ArgMin") "axis=3", "?", NULL},

    /* integers on the way to a shape */
    {X("2x3x4", "Shape"), "3", NULL},
    {X("2x3x4", "Shape") "start=1", "2", NULL},
    {X("2x3x4", "Shape") "start=-1 end=-2", "0", NULL},
    {X("2x3x4", "Size"), "", NULL},
    {"onnx a:i64*=2,3 y:any ; ConstantOfShape a > y", "2x3", NULL},
    {"onnx a:i64 y:any ; ConstantOfShape a > y", "?", NULL},
    {"onnx x:f32:-1x8x1x2 i:i64*:=0 m:i64*:1=-1 a:any n:any u:any c:any y:any ; Shape x > a ; "
     "Gather a i > n ; Unsqueeze n > u axes=0 ; Concat u m > c axis=0 ; Reshape x c > y",
     "1x16", NULL},
    /* a variable dimension is passed on, not computed with */
    {"onnx x:f32:1x-1x6 a:any n:any m:i64*:1=6 c:any y:any ; Shape x > a end=2 ; "
     "Concat a m > c axis=0 ; Reshape x c > y",
     "1x-1x6", NULL},
    {"onnx x:f32:1x-1x6 a:any c:any m:i64*:1=-1 y:any ; Shape x > a end=2 ; "
     "Concat a m > c axis=0 ; Reshape x c > y",
     "?", NULL},
    {"onnx x:f32:1x-1x6 t:i64*:1=2 a:any c:any y:any ; Shape x > a start=1 end=2 ; "
     "Mul a t > c ; Reshape x c > y",
     "?", NULL},
    {"onnx x:f32:4x6 t:i64*:1=2 a:any b:any c:any y:any ; Shape x > a ; Mul a t > b ; "
     "Div b a > c ; Tile x c > y",
     "8x12", NULL},
    {"onnx x:f32:4x6 t:i64*:1=0 a:any c:any y:any ; Shape x > a ; Div a t > c ; Tile x c > y", "?",
     NULL},
    {"onnx x:f32:4x6 t:i64*:1=9223372036854775807 a:any c:any y:any ; Shape x > a ; Mul a t > c ; "
     "Tile x c > y",
     "?", NULL},
    /* nor compared with */
    {"onnx x:f32:4x-1 t:i64*:2=1,1 u:i64*:2=2,2 a:any c:any y:any ; Shape x > a ; Where a t u > c "
     "; Tile x c > y",
     "?", NULL},
    {"onnx x:f32:4x5 t:i64*:2=1,1 u:i64*:2=2,2 a:any c:any y:any ; Shape x > a ; Where a t u > c "
     "; Tile x c > y",
     "4x5", NULL},
    /* a Cast to bool changes the numbers */
    {"onnx x:f32:4x6 a:any b:any c:any y:any ; Shape x > a ; Cast a > b to=9 ; Cast b > c to=7 ; "
     "Tile x c > y",
     "?", NULL},
    /* only cut along the first dimension */
    {"onnx x:f32:3x3 l:i64*:2x2=1,2,3,4 o:i64*:1=0 e:i64*:1=1 a:i64*:1=-2 f:i64*:1=-1 b:any c:any "
     "y:any ; Slice l o e a > b ; Reshape b f > c ; Tile x c > y",
     "3x6", NULL},
    {"onnx x:f32:3x3 l:i64*:2x2=1,2,3,4 o:i64*:1=0 e:i64*:1=1 a:i64*:1=1 f:i64*:1=-1 b:any c:any "
     "y:any ; Slice l o e a > b ; Reshape b f > c ; Tile x c > y",
     "?", NULL},
    /* equal numbers: 0 when no value is given */
    {"onnx x:f32:2x3 n:i64*:1=4 p:i64 y:any ; ConstantOfShape n > p ; Pad x p > y", "2x3", NULL},
    {"onnx x:f32:2x3 n:i64*:2=2,2 p:i64 y:any ; ConstantOfShape n > p ; Pad x p > y", "?", NULL},
    {"onnx x:f32:2x3 n:i64*:1=17 p:i64 y:any ; ConstantOfShape n > p ; Pad x p > y", "?", NULL},
    {"onnx x:f32:2x3 n:i64*:1=-4 p:i64 y:any ; ConstantOfShape n > p ; Pad x p > y", "?", NULL},
    /* expand(-1, 4) as PyTorch writes it: -1 becomes 1 and is broadcast */
    {"onnx x:f32:3x1 s:i64*:2=-1,4 m:i64*:1=-1 o:i64*:1=1 c:any e:any w:any y:any ; "
     "Mul o m > c ; Equal s c > e ; Where e o s > w ; Expand x w > y",
     "3x4", NULL},
    /* pads as PyTorch writes them: pairs from the last dimension on, reversed */
    {"onnx x:f32:1x2x3x4 l:i64*:8=3,1,2,0,0,0,0,0 r:i64*:2=-1,2 m:i64*:1=-1 e:i64*:1=-99 "
     "o:i64*:1=0 f:i64*:1=-1 a:any b:any c:any d:any p:any y:any ; Reshape l r > a ; "
     "Slice a m e o m > b ; Transpose b > c perm=1,0 ; Reshape c f > d ; Cast d > p to=7 ; "
     "Pad x p > y",
     "1x2x5x8", NULL},
};

static void judge(struct rp_ops *ops, struct unit *u, const char *text) {
    struct rp_graph *graph = rp_alloc(&u->arena, 1, sizeof *graph);
    ops_text(graph, &u->arena, text);
    rp_ops_judge(ops, &u->arena, graph);
}

static const struct rp_graph_tensor *named(const struct rp_ops *ops, const char *name) {
    for (size_t i = 0; i < ops->graph->tensors.count; i++)
        if (strcmp(ops->graph->tensors.items[i].name, name) == 0)
            return &ops->graph->tensors.items[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

static const char *shape_text(struct unit *u, const struct rp_graph_tensor *tensor) {
    const char *text = "";
    for (unsigned i = 0; i < tensor->rank; i++)
        text = rp_format(&u->arena, "%s%s%lld", text, i > 0 ? "x" : "", (long long)tensor->dims[i]);
    return tensor->shape_known ? text : "?";
}

static void tells_shapes(void **state) {
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        struct rp_ops ops;
        judge(&ops, u, shapes[i].text);
        const char *y = shape_text(u, named(&ops, "y"));
        if (strcmp(y, shapes[i].y) != 0)
            fail_msg("%s: y is %s, not %s", shapes[i].text, y, shapes[i].y);
        const char *z = shapes[i].z != NULL ? shape_text(u, named(&ops, "z")) : NULL;
        if (z != NULL && strcmp(z, shapes[i].z) != 0)
            fail_msg("%s: z is %s, not %s", shapes[i].text, z, shapes[i].z);
    }
}

/* The value of a ConstantOfShape, which has to be one number. */
static void fills(void **state) {
    struct unit *u = *state;
    static const uint8_t two[16] = {2};
    struct rp_graph_tensor tensor = {
        .constant = true, .element = RP_ELEMENT_INT64, .data = two, .size_bytes = 8};
    struct rp_attribute value = {.name = "value", .tensor = &tensor};
    for (size_t count = 1; count <= 2; count++) {
        struct rp_graph graph;
        struct rp_ops ops;
        ops_text(&graph, &u->arena,
                 "onnx x:f32:2x3 n:i64*:1=2 t:any y:any ; ConstantOfShape n > t ; Tile x t > y");
        graph.nodes.items[0].attributes = &value;
        graph.nodes.items[0].attribute_count = 1;
        tensor.size_bytes = count * 8;
        tensor.shape_known = true;
        tensor.rank = 1;
        tensor.dims[0] = (int64_t)count;
        rp_ops_judge(&ops, &u->arena, &graph);
        assert_string_equal(shape_text(u, named(&ops, "y")), count == 1 ? "4x6" : "?");
    }
}

/* Lists of a wrong length: the output shape of a transposed convolution, and joined lists. */
static void stays_within_lists(void **state) {
    enum { MANY = 100000 };
    struct unit *u = *state;
    struct rp_graph graph;
    struct rp_ops ops;
    ops_text(&graph, &u->arena,
             XW("1x8x4x4", "8x3x3x3", "ConvTranspose") "output_shape=9 strides=1,1");
    int64_t *list = unit_exact(&(int64_t){9}, sizeof *list);
    struct rp_attribute sizes = {.name = "output_shape", .list = list, .count = 1};
    graph.nodes.items[0].attributes = &sizes;
    graph.nodes.items[0].attribute_count = 1;
    rp_ops_judge(&ops, &u->arena, &graph);
    assert_false(named(&ops, "y")->shape_known);
    free(list);
    ops_text(&graph, &u->arena,
             "onnx x:f32:2x3 a:i64*:16=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 c:any y:any ; "
             "Concat a > c axis=0 ; Tile x c > y");
    int32_t *inputs = rp_alloc(&u->arena, MANY, sizeof *inputs);
    for (size_t i = 0; i < MANY; i++)
        inputs[i] = 1;
    graph.nodes.items[0].inputs = inputs;
    graph.nodes.items[0].input_count = MANY;
    rp_ops_judge(&ops, &u->arena, &graph);
    assert_false(named(&ops, "y")->shape_known);
}

/* What the file says stays. What it calls variable, though it is not, is filled in. */
static void leaves_said_alone(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    judge(&ops, u, "onnx x:f32:1x4 y:i32:-1x4 ; Relu x > y");
    assert_string_equal(shape_text(u, named(&ops, "y")), "1x4");
    assert_int_equal(named(&ops, "y")->element, RP_ELEMENT_INT32);
    judge(&ops, u, "onnx x:f32:1x4x5 y:f32:-1x-1x5 ; Relu x > y");
    assert_string_equal(shape_text(u, named(&ops, "y")), "1x4x5");
    judge(&ops, u, "onnx x:f32:1x4x5 y:f32:-1x-1x6 ; Relu x > y");
    assert_string_equal(shape_text(u, named(&ops, "y")), "1x-1x6");
    judge(&ops, u, "onnx x:f32:1x4x5 y:f32:-1x-1 ; Relu x > y");
    assert_string_equal(shape_text(u, named(&ops, "y")), "1x-1");
}

/* ---- types ---- */

static const struct {
    const char *text;
    enum rp_element y;
} types[] = {
    {X("2", "Relu"), RP_ELEMENT_FLOAT32},
    {"onnx x:i8 y:any ; MaxPool x > y", RP_ELEMENT_INT8},
    {XW("2", "2", "Less"), RP_ELEMENT_BOOL},
    {X("2", "ArgMax"), RP_ELEMENT_INT64},
    {X("2", "Cast") "to=3", RP_ELEMENT_INT8},
    {X("2", "Cast") "to=-1", RP_ELEMENT_FOREIGN},
    {X("2", "Cast") "to=16", RP_ELEMENT_FLOAT16},
    {X("2", "Cast") "to=17", RP_ELEMENT_FOREIGN},
    {X("2", "Cast") "to=21", RP_ELEMENT_INT4},
    {X("2", "Unheard"), RP_ELEMENT_OTHER},
    {"onnx c:bool x:i8 y:any ; Where c x x > y", RP_ELEMENT_INT8},
    {"onnx x:f32 s:f32* y:any ; QuantizeLinear x s > y", RP_ELEMENT_UINT8},
    {"onnx x:f32 s:f32* y:any ; QuantizeLinear x s > y output_dtype=3", RP_ELEMENT_INT8},
    {"onnx x:f32 s:f32* n:i8*=0 y:any ; QuantizeLinear x s n > y", RP_ELEMENT_INT8},
    {"onnx x:i8 s:f32* y:any ; DequantizeLinear x s > y", RP_ELEMENT_FLOAT32},
    {"onnx x:f32 y:any ; DynamicQuantizeLinear x > y", RP_ELEMENT_UINT8},
    {"onnx x:u8 w:i8 y:any ; MatMulInteger x w > y", RP_ELEMENT_INT32},
    {"onnx x:u8 w:i8 y:any ; ConvInteger x w > y", RP_ELEMENT_INT32},
    {"onnx x:i8 s:f32* n:i8*=0 m:u8*=0 y:any ; QLinearConv x s n x s n s m > y", RP_ELEMENT_UINT8},
    {"onnx x:i8 s:f32* n:i8*=0 y:any ; QLinearAdd x s n x s n s > y", RP_ELEMENT_INT8},
    {"onnx x:i8 s:f32* m:u8*=0 y:any ; QLinearConcat s m x s m > y", RP_ELEMENT_UINT8},
    {"onnx x:i8 s:f32* m:u8*=0 y:any ; QLinearSigmoid x s m s m > y", RP_ELEMENT_UINT8},
    {"onnx a:i64*=3 y:any ; ConstantOfShape a > y", RP_ELEMENT_FLOAT32},
};

static void tells_types(void **state) {
    struct unit *u = *state;
    for (size_t i = 0; i < COUNT(types); i++) {
        struct rp_ops ops;
        judge(&ops, u, types[i].text);
        if (named(&ops, "y")->element != types[i].y)
            fail_msg("%s: %d", types[i].text, (int)named(&ops, "y")->element);
    }
}

/* Rules read computed integers. */
static void publishes_integers(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    int64_t list[4];
    judge(&ops, u, "onnx x:f32:5x-1x7 i:i64*:2=-1,0 a:any y:any ; Shape x > a ; Gather a i > y");
    assert_int_equal(rp_ops_integers(named(&ops, "y"), list, 4), 2);
    assert_true(list[0] == 7 && list[1] == 5);
    assert_int_equal(rp_ops_integers(named(&ops, "a"), list, 4), 0);
    judge(&ops, u, "onnx x:f32:5x7 i:i64*:1=2 a:any y:any ; Shape x > a ; Gather a i > y");
    assert_int_equal(rp_ops_integers(named(&ops, "y"), list, 4), 0);
}

/* ---- values ---- */

static struct rp_ops_value value_of(struct unit *u, const char *text, const char *name) {
    struct rp_ops ops;
    judge(&ops, u, text);
    return rp_ops_value(&ops, named(&ops, name));
}

#define QCONV                                                                                      \
    "onnx x:any:1x3x9x9 w:i8*:2x3x3x3 s:f32*=2 n:i8*=7 v:f32*=3,4 m:i8*=0,-5 t:f32*=5 k:u8*=200 "  \
    "y:any ; QLinearConv x s n w v m t k > y"

static void tells_values(void **state) {
    struct unit *u = *state;
    struct rp_ops_value x = value_of(u, QCONV, "x"), w = value_of(u, QCONV, "w");
    struct rp_ops_value y = value_of(u, QCONV, "y");
    assert_true(x.is_quantised && x.element == RP_ELEMENT_INT8 && x.scales == 1);
    assert_true(x.scale == 2.0 && x.zero_known && x.zero == 7);
    assert_true(w.is_quantised && w.scales == 2 && w.scale == 3.0 && w.zero == -5);
    assert_true(y.element == RP_ELEMENT_UINT8 && y.scale == 5.0 && y.zero == 200);
    /* a pooling between two of them: the next one gives the type */
    const char *pooled =
        "onnx x:i8 s:f32*=2 n:i8*=7 t:f32*=3 k:i8*=9 p:any y:any ; MaxPool x > p ; "
        "QLinearSigmoid p s n t k > y";
    assert_true(value_of(u, pooled, "p").scale == 2.0 && value_of(u, pooled, "y").zero == 9);
    /* without a zero point it is 0; a computed one is not known */
    const char *add = "onnx x:i8 w:i8 s:f32*=2 z:i8 y:any ; QLinearAdd x s - w s z s > y";
    assert_true(value_of(u, add, "x").zero_known && !value_of(u, add, "w").zero_known);
    assert_true(value_of(u, add, "y").zero_known && value_of(u, add, "y").scale == 2.0);
    /* the scale itself is not a quantised tensor */
    const char *first = "onnx x:f32 s:f32*=2 n:i8*=7 y:any ; QuantizeLinear x s n > y";
    assert_true(value_of(u, first, "x").zero == 7 && value_of(u, first, "y").zero == 7);
    assert_false(value_of(u, first, "s").is_quantised);
    const char *wide = "onnx b:i32* s:f32*=2 n:i32*=-70000 y:any ; DequantizeLinear b s n > y";
    assert_true(value_of(u, wide, "y").zero == -70000);
}

static bool follows(struct unit *u, const char *text, const char *id) {
    struct rp_ops ops;
    judge(&ops, u, text);
    for (size_t i = 0; i < ops.count; i++)
        for (size_t k = 0; k < ops.nodes[i].rules.count; k++)
            if (strcmp(ops.nodes[i].rules.items[k]->id, id) == 0)
                return true;
    return false;
}

/* Rules see the scales of QLinear operators, which have no quantisation nodes around them. */
static void shows_rules_values(void **state) {
    struct unit *u = *state;
#define QLINEAR(type, zeros, more)                                                                 \
    "onnx x:any:1x3x9x9 w:i8*:2x3x3x3 s:f32*=2 n:" type "*=7 v:f32*=3" more " m:i8*=" zeros        \
    " y:any ; QLinearConv x s n w v m s n > y"
    assert_true(follows(u, QLINEAR("i8", "0,-5", ",4"), "symmetric-weights"));
    assert_false(follows(u, QLINEAR("i8", "0,0", ",4"), "symmetric-weights"));
    assert_true(follows(u, QLINEAR("i8", "0", ""), "per-channel-weights"));
    assert_false(follows(u, QLINEAR("i8", "0,0", ",4"), "per-channel-weights"));
    assert_true(follows(u, QLINEAR("u8", "0", ""), "unsigned-activations"));
    assert_false(follows(u, QLINEAR("i8", "0", ""), "unsigned-activations"));
    assert_true(follows(u, QLINEAR("i16", "0", ""), "data-type"));
    assert_false(follows(u, QLINEAR("i8", "0", ""), "data-type"));
    assert_false(follows(u, QLINEAR("i8", "0", ""), "float"));
    /* a pooling between them is not in floats just because the file leaves out its type */
    assert_false(
        follows(u,
                "onnx x:i8 s:f32* n:i8*=0 a:any b:any y:any ; QLinearAdd x s n x s n s n > "
                "a ; MaxPool a > b ; QLinearAdd b s n b s n s n > y",
                "float"));
}

/* A tensor counts as quantised only when nothing reads it in floats. */
static void tells_all_readers(void **state) {
    struct unit *u = *state;
    assert_false(value_of(u,
                          "onnx x:f32 s:f32* a:f32 y:i8 e:f32 ; Relu x > a ; Exp a > e ; "
                          "QuantizeLinear a s > y",
                          "a")
                     .is_quantised);
    assert_true(value_of(u,
                         "onnx x:f32 s:f32* a:f32 y:i8 e:i8 ; Relu x > a ; QuantizeLinear a s > y "
                         "; QuantizeLinear a s > e",
                         "a")
                    .is_quantised);
}

/* Weights are floats in the file and quantised before their use. */
static void follows_constants(void **state) {
    struct unit *u = *state;
    struct rp_ops ops;
    judge(&ops, u,
          "onnx w:f32* s:f32* n:i8*=0 q:i8 y:f32 ; QuantizeLinear w s n > q ; "
          "DequantizeLinear q s n > y");
    assert_true(rp_ops_is_constant(&ops, named(&ops, "y")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tells_shapes),       UNIT(leaves_said_alone),  UNIT(tells_types),
        UNIT(publishes_integers), UNIT(tells_values),       UNIT(tells_all_readers),
        UNIT(follows_constants),  UNIT(shows_rules_values), UNIT(fills),
        UNIT(stays_within_lists),
    };
    return RUN(tests);
}
