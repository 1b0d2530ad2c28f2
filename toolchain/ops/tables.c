/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where each operator is mapped to, from the page's sections "TFlite to Neural-ART Operation
 * Mapping" and "ONNX to Neural-ART Operation Mapping". `ops --list`, the rules and the
 * documentation all use these tables. Their comments give the page's facts in short.
 */
#include "toolchain/ops/tables.h"

#include <string.h>

#define TFLITE(op, kind, place, comment) {RP_GRAPH_TFLITE, op, kind, RP_OPS_##place, comment, NULL},
#define ONNX(op, kind, place, comment, pytorch)                                                    \
    {RP_GRAPH_ONNX, op, kind, RP_OPS_##place, comment, pytorch},

/* clang-format off */
static const struct rp_ops_operator operators[] = {
    TFLITE("ABS", "Abs", HW, "")
    TFLITE("ADD", "Add", HW, "")
    TFLITE("ARG_MAX", "ArgMax", SW_FLOAT, "")
    TFLITE("ARG_MIN", "ArgMin", SW_FLOAT, "")
    TFLITE("AVERAGE_POOL_2D", "AveragePool", HW, "limited window; software fallback")
    TFLITE("BATCH_MATMUL", "MatMul", HW, "")
    TFLITE("CAST", "Cast", HW, "")
    TFLITE("CEIL", "Ceil", HW, "")
    TFLITE("CONCATENATION", "Concat", HW, "")
    TFLITE("CONV_2D", "Conv", HW, "")
    TFLITE("COS", "Cos", SW_FLOAT, "")
    TFLITE("COSH", "Cosh", SW_FLOAT, "")
    TFLITE("DEPTHWISE_CONV_2D", "Conv", HW, "")
    TFLITE("DEQUANTIZE", "DequantizeLinear", SW_FLOAT, "integer to float")
    TFLITE("DIV", "Div", SW_INT, "")
    TFLITE("ELU", "Elu", SW_FLOAT, "")
    TFLITE("EQUAL", "Equal", HW, "")
    TFLITE("EXP", "Exp", SW_FLOAT, "")
    TFLITE("EXPAND_DIMS", "Unsqueeze", HW, "")
    TFLITE("FLOOR", "Floor", SW_FLOAT, "")
    TFLITE("FULLY_CONNECTED", "Gemm", HW, "")
    TFLITE("GATHER", "Gather", SW_FLOAT, "")
    TFLITE("GREATER", "Greater", SW_FLOAT, "")
    TFLITE("GREATER_EQUAL", "GreaterOrEqual", SW_FLOAT, "")
    TFLITE("HARD_SWISH", "HardSwish", HW, "")
    TFLITE("L2_NORMALIZATION", "LpNormalization", SW_FLOAT, "")
    TFLITE("LEAKY_RELU", "LeakyRelu", HW, "")
    TFLITE("LESS", "Less", SW_FLOAT, "")
    TFLITE("LESS_EQUAL", "LessOrEqual", SW_FLOAT, "")
    TFLITE("LOCAL_RESPONSE_NORMALIZATION", "LRN", SW_FLOAT, "")
    TFLITE("LOG", "Log", SW_FLOAT, "")
    TFLITE("LOGICAL_AND", "And", HW, "")
    TFLITE("LOGICAL_NOT", "Not", HW, "")
    TFLITE("LOGICAL_OR", "Or", HW, "")
    TFLITE("LOGISTIC", "Sigmoid", HW, "")
    TFLITE("MAX_POOL_2D", "MaxPool", HW, "limited window; software fallback")
    TFLITE("MAXIMUM", "Max", HW, "")
    TFLITE("MEAN", "ReduceMean", SW_FLOAT, "")
    TFLITE("MINIMUM", "Min", HW, "")
    TFLITE("MUL", "Mul", HW, "software with broadcasting or more than 4 dimensions")
    TFLITE("NEG", "Neg", HW, "")
    TFLITE("PACK", "Concat", HW, "")
    TFLITE("PAD", "Pad", HW, "some parameters need more epochs")
    TFLITE("POW", "Pow", SW_FLOAT, "")
    TFLITE("PRELU", "PRelu", HW, "")
    TFLITE("QUANTIZE", "QuantizeLinear", SW_FLOAT, "float to integer")
    TFLITE("(RE) QUANTIZE", "QuantizeLinear", HW, "uint8 from and to int8")
    TFLITE("REDUCE_MAX", "ReduceMax", SW_FLOAT, "")
    TFLITE("REDUCE_MIN", "ReduceMin", SW_FLOAT, "")
    TFLITE("REDUCE_PROD", "ReduceProd", SW_FLOAT, "")
    TFLITE("RELU", "Relu", HW, "")
    TFLITE("RELU6", "Clip", HW, "")
    TFLITE("RESHAPE", "Reshape", HW, "")
    TFLITE("RESIZE_BILINEAR", "Resize", SW_FLOAT, "")
    TFLITE("RESIZE_NEAREST_NEIGHBOR", "Resize", HW, "asymmetric and floor only, else SW_INT")
    TFLITE("ROUND", "Round", SW_FLOAT, "")
    TFLITE("SHAPE", "Shape", HW, "")
    TFLITE("SIN", "Sin", SW_FLOAT, "")
    TFLITE("SLICE", "Slice", HW, "")
    TFLITE("SOFTMAX", "Softmax", SW_INT, "")
    TFLITE("SPACE_TO_DEPTH", "SpaceToDepth", HW, "same quantisation of input and output")
    TFLITE("SPLIT", "Split", HW, "HW or SW_INT, by the axis")
    TFLITE("SPLIT_V", "Split", HW, "HW or SW_INT, by the axis")
    TFLITE("STRIDED_SLICE", "Slice", HW, "")
    TFLITE("SQUEEZE", "Squeeze", HW, "")
    TFLITE("SQRT", "Sqrt", SW_FLOAT, "")
    TFLITE("SUB", "Sub", HW, "")
    TFLITE("SUM", "ReduceSum", SW_FLOAT, "")
    TFLITE("TANH", "Tanh", HW, "")
    TFLITE("TRANSPOSE", "Transpose", HW, "some parameters need more epochs")
    TFLITE("TRANSPOSE_CONV", "ConvTranspose", HW, "some parameters need more epochs")
    TFLITE("UNPACK", "Unpack", HW, "")
    ONNX("Abs", "Abs", HW, "zero point 0, else SW_FLOAT", "abs")
    ONNX("Acos", "Acos", HW, "", "acos")
    ONNX("Acosh", "Acosh", HW, "", NULL)
    ONNX("Add", "Add", HW, "software when the hardware cannot broadcast so", "add")
    ONNX("Sum", "Add", HW, "software when the hardware cannot broadcast so", "add")
    ONNX("And", "And", HW, "", NULL)
    ONNX("ArgMax", "ArgMax", SW_FLOAT, "", "argmax")
    ONNX("ArgMin", "ArgMin", SW_FLOAT, "", "argmin")
    ONNX("Asin", "Asin", HW, "", "asin")
    ONNX("Asinh", "Asinh", HW, "", NULL)
    ONNX("Atan", "Atan", HW, "", "atan")
    ONNX("Atanh", "Atanh", HW, "the page writes argmin as its PyTorch name", "atanh")
    ONNX("AveragePool", "AveragePool", HW, "limits of window, strides and padding", "avg_pool1d/avg_pool2d")
    ONNX("BatchNormalization", "BatchNormalization", SW_FLOAT, "HW after a Conv", "BatchNorm1D/BatchNorm2D")
    ONNX("Cast", "Cast", HW, "library function on the DMAs, or software", NULL)
    ONNX("Ceil", "Ceil", SW_FLOAT, "", "ceil")
    ONNX("Clip", "Clip", HW, "", "clip/ReLU6")
    ONNX("Concat", "Concat", HW, "HW or software, by batch and axis", "concat/concatenate")
    ONNX("Conv", "Conv", HW, "limits of kernel and strides", "Conv1D/Conv2D")
    ONNX("ConvTranspose", "ConvTranspose", HW, "", NULL)
    ONNX("Cos", "Cos", HW, "", "cos")
    ONNX("Cosh", "Cosh", HW, "", "cosh")
    ONNX("DepthToSpace", "DepthToSpace", SW_INT, "by DMA with mode DCR", NULL)
    ONNX("DequantizeLinear", "DequantizeLinear", SW_FLOAT, "integer to float", "dequantize")
    ONNX("Div", "Div", SW_INT, "HW when the second operand is a constant", "div")
    ONNX("Elu", "Elu", SW_FLOAT, "", "elu")
    ONNX("Equal", "Equal", HW, "", "eq")
    ONNX("Erf", "Erf", HW, "", "erf")
    ONNX("Exp", "Exp", HW, "", "exp")
    ONNX("Flatten", "Flatten", HW, "", "flatten")
    ONNX("Floor", "Floor", SW_FLOAT, "", "floor")
    ONNX("Gather", "Gather", SW_FLOAT, "", "gather")
    ONNX("Gemm", "Gemm", HW, "", NULL)
    ONNX("GlobalAveragePool", "GlobalAveragePool", HW, "limited window; software fallback", NULL)
    ONNX("GlobalMaxPool", "GlobalMaxPool", HW, "limited window; software fallback", NULL)
    ONNX("Greater", "Greater", SW_FLOAT, "", "gt")
    ONNX("GreaterOrEqual", "GreaterOrEqual", SW_FLOAT, "", "ge")
    ONNX("Hardmax", "Hardmax", SW_FLOAT, "", NULL)
    ONNX("HardSigmoid", "HardSigmoid", HW, "", NULL)
    ONNX("HardSwish", "HardSwish", HW, "the page writes HardSwitch", NULL)
    ONNX("Identity", "Identity", HW, "", "identity")
    ONNX("InstanceNormalization", "InstanceNormalization", SW_FLOAT, "", "InstanceNorm1/InstanceNorm2")
    ONNX("LpNormalization", "LpNormalization", SW_FLOAT, "", NULL)
    ONNX("LeakyRelu", "LeakyRelu", HW, "", "LeakyReLU")
    ONNX("Less", "Less", SW_FLOAT, "", NULL)
    ONNX("LessOrEqual", "LessOrEqual", SW_FLOAT, "", "le")
    ONNX("LRN", "LRN", SW_FLOAT, "", "LocalResponseNormalization")
    ONNX("Log", "Log", SW_FLOAT, "", "log")
    ONNX("MatMul", "MatMul", HW, "", NULL)
    ONNX("MaxPool", "MaxPool", HW, "in steps when larger than 3; strides 1 to 15", NULL)
    ONNX("Max", "Max", HW, "", NULL)
    ONNX("Min", "Min", HW, "", NULL)
    ONNX("Mod", "Mod", SW_FLOAT, "", NULL)
    ONNX("Mul", "Mul", HW, "limits of broadcasting", "mul")
    ONNX("Neg", "Neg", HW, "", "neg")
    ONNX("Not", "Not", HW, "", NULL)
    ONNX("Or", "Or", HW, "", NULL)
    ONNX("Pad", "Pad", HW, "convolution unit, DMA or software", "ConstantPad1D/ConstantPad2D/ZeroPad2D")
    ONNX("Pow", "Pow", SW_FLOAT, "", NULL)
    ONNX("PRelu", "PRelu", HW, "", NULL)
    ONNX("QLinearAdd", "Add", HW, "as Add", NULL)
    ONNX("QLinearAveragePool", "AveragePool", HW, "as AveragePool", NULL)
    ONNX("QLinearConcat", "Concat", HW, "as Concat", NULL)
    ONNX("QLinearConv", "Conv", HW, "as Conv", NULL)
    ONNX("QLinearGlobalAveragePool", "GlobalAveragePool", HW, "as GlobalAveragePool", NULL)
    ONNX("QLinearMatMul", "MatMul", HW, "as MatMul", NULL)
    ONNX("QLinearMul", "Mul", HW, "as Mul", NULL)
    ONNX("QuantizeLinear", "QuantizeLinear", SW_FLOAT, "float to integer; from integer to integer HW", "quantize_per_tensor")
    ONNX("Reciprocal", "Reciprocal", SW_FLOAT, "", "reciprocal")
    ONNX("ReduceLogSumExp", "ReduceLogSumExp", SW_FLOAT, "", NULL)
    ONNX("ReduceMax", "ReduceMax", HW, "HW when it can be a GlobalMaxPool", NULL)
    ONNX("ReduceMean", "ReduceMean", HW, "HW when it can be a GlobalAveragePool", NULL)
    ONNX("ReduceMin", "ReduceMin", SW_FLOAT, "", NULL)
    ONNX("ReduceProd", "ReduceProd", SW_FLOAT, "", NULL)
    ONNX("ReduceSum", "ReduceSum", SW_FLOAT, "", NULL)
    ONNX("Relu", "Relu", HW, "", "relu")
    ONNX("Reshape", "Reshape", HW, "the page writes shape as its PyTorch name", "reshape")
    ONNX("Resize", "Resize", SW_INT, "nearest, asymmetric and floor: HW", "upsample")
    ONNX("Round", "Round", SW_FLOAT, "", "round")
    ONNX("Selu", "Selu", SW_FLOAT, "", "selu")
    ONNX("Shape", "Shape", HW, "", NULL)
    ONNX("Sin", "Sin", HW, "", "sin")
    ONNX("Sinh", "Sinh", HW, "", "sinh")
    ONNX("Sigmoid", "Sigmoid", HW, "also x * Sigmoid(x) as one", "sigmoid")
    ONNX("Slice", "Slice", HW, "by DMA", NULL)
    ONNX("Softmax", "Softmax", SW_INT, "", "softmax")
    ONNX("Softplus", "Softplus", SW_FLOAT, "", "softplus")
    ONNX("Softsign", "Softsign", SW_FLOAT, "the page writes SoftSign", "softsign")
    ONNX("Split", "Split", HW, "", "split")
    ONNX("Squeeze", "Squeeze", HW, "", "squeeze")
    ONNX("Sqrt", "Sqrt", HW, "", "sqrt")
    ONNX("Sub", "Sub", HW, "", "sub")
    ONNX("Tan", "Tan", HW, "", "tan")
    ONNX("Tanh", "Tanh", HW, "", "tanh")
    ONNX("ThresholdedRelu", "ThresholdedRelu", HW, "", NULL)
    ONNX("Tile", "Tile", SW_FLOAT, "of constants: computed by the compiler", NULL)
    ONNX("Transpose", "Transpose", HW, "", "transpose")
    ONNX("Unsqueeze", "Unsqueeze", HW, "the page writes unsqeeze as its PyTorch name", "unsqueeze")
    ONNX("Upsample", "Upsample", SW_FLOAT, "", "upsample")
};
/* clang-format on */

static const char *const place_names[RP_OPS_PLACES] = {
    [RP_OPS_HW] = "HW",
    [RP_OPS_CONDITIONAL] = "conditional",
    [RP_OPS_SW_INT] = "SW_INT",
    [RP_OPS_SW_FLOAT] = "SW_FLOAT",
    [RP_OPS_UNSUPPORTED] = "unsupported",
};

const char *rp_ops_place_name(enum rp_ops_place place) {
    return place < RP_OPS_PLACES ? place_names[place] : "advice";
}

const struct rp_ops_operator *rp_ops_operator_at(size_t index) {
    return index < sizeof operators / sizeof operators[0] ? &operators[index] : NULL;
}

/* onnxruntime's quantiser writes some operators of the page in another domain. */
static bool is_standard(const struct rp_graph_node *node) {
    return node->domain == NULL || node->domain[0] == '\0' ||
           strcmp(node->domain, "ai.onnx") == 0 ||
           (strcmp(node->domain, "com.microsoft") == 0 &&
            (strncmp(node->op, "QLinear", 7) == 0 || strcmp(node->op, "QuantizeLinear") == 0 ||
             strcmp(node->op, "DequantizeLinear") == 0));
}

const struct rp_ops_operator *rp_ops_operator_of(enum rp_graph_format format,
                                                 const struct rp_graph_node *node) {
    if (node->custom || !is_standard(node))
        return NULL;
    for (const struct rp_ops_operator *row = operators;
         row < operators + sizeof operators / sizeof operators[0]; row++)
        if (row->format == format && strcmp(row->op, node->op) == 0)
            return row;
    return NULL;
}
