/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the TFLite schema. See tflite_names.h. Their order is that of the schema. */
#include "toolchain/graph/tflite_names.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char *const builtins[] = {"ADD",
                                       "AVERAGE_POOL_2D",
                                       "CONCATENATION",
                                       "CONV_2D",
                                       "DEPTHWISE_CONV_2D",
                                       "DEPTH_TO_SPACE",
                                       "DEQUANTIZE",
                                       "EMBEDDING_LOOKUP",
                                       "FLOOR",
                                       "FULLY_CONNECTED",
                                       /* 10 */ "HASHTABLE_LOOKUP",
                                       "L2_NORMALIZATION",
                                       "L2_POOL_2D",
                                       "LOCAL_RESPONSE_NORMALIZATION",
                                       "LOGISTIC",
                                       "LSH_PROJECTION",
                                       "LSTM",
                                       "MAX_POOL_2D",
                                       "MUL",
                                       "RELU",
                                       /* 20 */ "RELU_N1_TO_1",
                                       "RELU6",
                                       "RESHAPE",
                                       "RESIZE_BILINEAR",
                                       "RNN",
                                       "SOFTMAX",
                                       "SPACE_TO_DEPTH",
                                       "SVDF",
                                       "TANH",
                                       "CONCAT_EMBEDDINGS",
                                       /* 30 */ "SKIP_GRAM",
                                       "CALL",
                                       "CUSTOM",
                                       "EMBEDDING_LOOKUP_SPARSE",
                                       "PAD",
                                       "UNIDIRECTIONAL_SEQUENCE_RNN",
                                       "GATHER",
                                       "BATCH_TO_SPACE_ND",
                                       "SPACE_TO_BATCH_ND",
                                       "TRANSPOSE",
                                       /* 40 */ "MEAN",
                                       "SUB",
                                       "DIV",
                                       "SQUEEZE",
                                       "UNIDIRECTIONAL_SEQUENCE_LSTM",
                                       "STRIDED_SLICE",
                                       "BIDIRECTIONAL_SEQUENCE_RNN",
                                       "EXP",
                                       "TOPK_V2",
                                       "SPLIT",
                                       /* 50 */ "LOG_SOFTMAX",
                                       "DELEGATE",
                                       "BIDIRECTIONAL_SEQUENCE_LSTM",
                                       "CAST",
                                       "PRELU",
                                       "MAXIMUM",
                                       "ARG_MAX",
                                       "MINIMUM",
                                       "LESS",
                                       "NEG",
                                       /* 60 */ "PADV2",
                                       "GREATER",
                                       "GREATER_EQUAL",
                                       "LESS_EQUAL",
                                       "SELECT",
                                       "SLICE",
                                       "SIN",
                                       "TRANSPOSE_CONV",
                                       "SPARSE_TO_DENSE",
                                       "TILE",
                                       /* 70 */ "EXPAND_DIMS",
                                       "EQUAL",
                                       "NOT_EQUAL",
                                       "LOG",
                                       "SUM",
                                       "SQRT",
                                       "RSQRT",
                                       "SHAPE",
                                       "POW",
                                       "ARG_MIN",
                                       /* 80 */ "FAKE_QUANT",
                                       "REDUCE_PROD",
                                       "REDUCE_MAX",
                                       "PACK",
                                       "LOGICAL_OR",
                                       "ONE_HOT",
                                       "LOGICAL_AND",
                                       "LOGICAL_NOT",
                                       "UNPACK",
                                       "REDUCE_MIN",
                                       /* 90 */ "FLOOR_DIV",
                                       "REDUCE_ANY",
                                       "SQUARE",
                                       "ZEROS_LIKE",
                                       "FILL",
                                       "FLOOR_MOD",
                                       "RANGE",
                                       "RESIZE_NEAREST_NEIGHBOR",
                                       "LEAKY_RELU",
                                       "SQUARED_DIFFERENCE",
                                       /* 100 */ "MIRROR_PAD",
                                       "ABS",
                                       "SPLIT_V",
                                       "UNIQUE",
                                       "CEIL",
                                       "REVERSE_V2",
                                       "ADD_N",
                                       "GATHER_ND",
                                       "COS",
                                       "WHERE",
                                       /* 110 */ "RANK",
                                       "ELU",
                                       "REVERSE_SEQUENCE",
                                       "MATRIX_DIAG",
                                       "QUANTIZE",
                                       "MATRIX_SET_DIAG",
                                       "ROUND",
                                       "HARD_SWISH",
                                       "IF",
                                       "WHILE",
                                       /* 120 */ "NON_MAX_SUPPRESSION_V4",
                                       "NON_MAX_SUPPRESSION_V5",
                                       "SCATTER_ND",
                                       "SELECT_V2",
                                       "DENSIFY",
                                       "SEGMENT_SUM",
                                       "BATCH_MATMUL",
                                       "PLACEHOLDER_FOR_GREATER_OP_CODES",
                                       "CUMSUM",
                                       "CALL_ONCE",
                                       /* 130 */ "BROADCAST_TO",
                                       "RFFT2D",
                                       "CONV_3D",
                                       "IMAG",
                                       "REAL",
                                       "COMPLEX_ABS",
                                       "HASHTABLE",
                                       "HASHTABLE_FIND",
                                       "HASHTABLE_IMPORT",
                                       "HASHTABLE_SIZE",
                                       /* 140 */ "REDUCE_ALL",
                                       "CONV_3D_TRANSPOSE",
                                       "VAR_HANDLE",
                                       "READ_VARIABLE",
                                       "ASSIGN_VARIABLE",
                                       "BROADCAST_ARGS",
                                       "RANDOM_STANDARD_NORMAL",
                                       "BUCKETIZE",
                                       "RANDOM_UNIFORM",
                                       "MULTINOMIAL",
                                       /* 150 */ "GELU",
                                       "DYNAMIC_UPDATE_SLICE",
                                       "RELU_0_TO_1",
                                       "UNSORTED_SEGMENT_PROD",
                                       "UNSORTED_SEGMENT_MAX",
                                       "UNSORTED_SEGMENT_SUM",
                                       "ATAN2",
                                       "UNSORTED_SEGMENT_MIN",
                                       "SIGN",
                                       "BITCAST",
                                       /* 160 */ "BITWISE_XOR",
                                       "RIGHT_SHIFT",
                                       "STABLEHLO_LOGISTIC",
                                       "STABLEHLO_ADD",
                                       "STABLEHLO_DIVIDE",
                                       "STABLEHLO_MULTIPLY",
                                       "STABLEHLO_MAXIMUM",
                                       "STABLEHLO_RESHAPE",
                                       "STABLEHLO_CLAMP",
                                       "STABLEHLO_CONCATENATE",
                                       /* 170 */ "STABLEHLO_BROADCAST_IN_DIM",
                                       "STABLEHLO_CONVOLUTION",
                                       "STABLEHLO_SLICE",
                                       "STABLEHLO_CUSTOM_CALL",
                                       "STABLEHLO_REDUCE",
                                       "STABLEHLO_ABS",
                                       "STABLEHLO_AND",
                                       "STABLEHLO_COSINE",
                                       "STABLEHLO_EXPONENTIAL",
                                       "STABLEHLO_FLOOR",
                                       /* 180 */ "STABLEHLO_LOG",
                                       "STABLEHLO_MINIMUM",
                                       "STABLEHLO_NEGATE",
                                       "STABLEHLO_OR",
                                       "STABLEHLO_POWER",
                                       "STABLEHLO_REMAINDER",
                                       "STABLEHLO_RSQRT",
                                       "STABLEHLO_SELECT",
                                       "STABLEHLO_SUBTRACT",
                                       "STABLEHLO_TANH",
                                       /* 190 */ "STABLEHLO_SCATTER",
                                       "STABLEHLO_COMPARE",
                                       "STABLEHLO_CONVERT",
                                       "STABLEHLO_DYNAMIC_SLICE",
                                       "STABLEHLO_DYNAMIC_UPDATE_SLICE",
                                       "STABLEHLO_PAD",
                                       "STABLEHLO_IOTA",
                                       "STABLEHLO_DOT_GENERAL",
                                       "STABLEHLO_REDUCE_WINDOW",
                                       "STABLEHLO_SORT",
                                       /* 200 */ "STABLEHLO_WHILE",
                                       "STABLEHLO_GATHER",
                                       "STABLEHLO_TRANSPOSE",
                                       "DILATE",
                                       "STABLEHLO_RNG_BIT_GENERATOR",
                                       "REDUCE_WINDOW",
                                       "STABLEHLO_COMPOSITE",
                                       "STABLEHLO_SHIFT_LEFT",
                                       "STABLEHLO_CBRT",
                                       "STABLEHLO_CASE"};

static const struct {
    const char *name;
    enum rp_element element;
} types[] = {{"FLOAT32", RP_ELEMENT_FLOAT32},    {"FLOAT16", RP_ELEMENT_FLOAT16},
             {"INT32", RP_ELEMENT_INT32},        {"UINT8", RP_ELEMENT_UINT8},
             {"INT64", RP_ELEMENT_INT64},        {"STRING", RP_ELEMENT_FOREIGN},
             {"BOOL", RP_ELEMENT_BOOL},          {"INT16", RP_ELEMENT_INT16},
             {"COMPLEX64", RP_ELEMENT_FOREIGN},  {"INT8", RP_ELEMENT_INT8},
             {"FLOAT64", RP_ELEMENT_FLOAT64},    {"COMPLEX128", RP_ELEMENT_FOREIGN},
             {"UINT64", RP_ELEMENT_UINT64},      {"RESOURCE", RP_ELEMENT_FOREIGN},
             {"VARIANT", RP_ELEMENT_FOREIGN},    {"UINT32", RP_ELEMENT_UINT32},
             {"UINT16", RP_ELEMENT_UINT16},      {"INT4", RP_ELEMENT_INT4},
             {"BFLOAT16", RP_ELEMENT_FLOAT16},   {"INT2", RP_ELEMENT_FOREIGN},
             {"UINT4", RP_ELEMENT_INT4},         {"FLOAT8_E4M3FN", RP_ELEMENT_FOREIGN},
             {"FLOAT8_E5M2", RP_ELEMENT_FOREIGN}};

/* ---- options ---- */

#define INT(name)                                                                                  \
    { #name, RP_TFLITE_INT, 0 }
#define INT1(name)                                                                                 \
    { #name, RP_TFLITE_INT, 1 }
#define BOOL(name)                                                                                 \
    { #name, RP_TFLITE_BOOL, 0 }
#define REAL(name)                                                                                 \
    { #name, RP_TFLITE_REAL, 0 }
#define LIST(name)                                                                                 \
    { #name, RP_TFLITE_LIST, 0 }
#define ENUM(name, kind)                                                                           \
    { #name, RP_TFLITE_##kind, 0 }
#define TYPE(name) ENUM(name, TYPE)
#define PADDING    ENUM(padding, PADDING)
#define ACTIVATION ENUM(fused_activation_function, ACTIVATION)
#define ASYMMETRIC BOOL(asymmetric_quantize_inputs)

typedef const struct rp_tflite_option options[];

static options conv_2d = {PADDING,
                          INT(stride_w),
                          INT(stride_h),
                          ACTIVATION,
                          INT1(dilation_w_factor),
                          INT1(dilation_h_factor),
                          TYPE(quantized_bias_type),
                          {0}};
static options depthwise = {
    PADDING,    INT(stride_w),           INT(stride_h),           INT(depth_multiplier),
    ACTIVATION, INT1(dilation_w_factor), INT1(dilation_h_factor), {0}};
static options pool = {
    PADDING, INT(stride_w), INT(stride_h), INT(filter_width), INT(filter_height), ACTIVATION, {0}};
static options svdf = {INT(rank), ACTIVATION, ASYMMETRIC, {0}};
static options rnn = {ACTIVATION, ASYMMETRIC, {0}};
static options fully_connected = {ACTIVATION, ENUM(weights_format, WEIGHTS), BOOL(keep_num_dims),
                                  ASYMMETRIC, TYPE(quantized_bias_type),     {0}};
static options softmax = {REAL(beta), {0}};
static options concatenation = {INT(axis), ACTIVATION, {0}};
static options add = {ACTIVATION, {"pot_scale_int16", RP_TFLITE_BOOL, 1}, {0}};
static options activation = {ACTIVATION, {0}};
static options response = {INT(radius), REAL(bias), REAL(alpha), REAL(beta), {0}};
static options lstm = {
    ACTIVATION, REAL(cell_clip), REAL(proj_clip), ENUM(kernel_type, KERNEL), ASYMMETRIC, {0}};
static options bilinear = {
    INT(new_height), INT(new_width), BOOL(align_corners), BOOL(half_pixel_centers), {0}};
static options call = {INT(subgraph), {0}};
static options reshape = {LIST(new_shape), {0}};
static options block = {INT(block_size), {0}};
static options gather = {INT(axis), INT(batch_dims), {0}};
static options reducer = {BOOL(keep_dims), {0}};
static options squeeze = {LIST(squeeze_dims), {0}};
static options sequence_rnn = {BOOL(time_major), ACTIVATION, ASYMMETRIC, {0}};
static options strided_slice = {INT(begin_mask),
                                INT(end_mask),
                                INT(ellipsis_mask),
                                INT(new_axis_mask),
                                INT(shrink_axis_mask),
                                BOOL(offset),
                                {0}};
static options split = {INT(num_splits), {0}};
static options cast = {TYPE(in_data_type), TYPE(out_data_type), {0}};
static options output_type = {TYPE(output_type), {0}};
static options transpose_conv = {
    PADDING, INT(stride_w), INT(stride_h), ACTIVATION, TYPE(quantized_bias_type), {0}};
static options shape = {TYPE(out_type), {0}};
static options pack = {INT(values_count), INT(axis), {0}};
static options one_hot = {INT(axis), {0}};
static options unpack = {INT(num), INT(axis), {0}};
static options two_way_lstm = {ACTIVATION,
                               REAL(cell_clip),
                               REAL(proj_clip),
                               BOOL(merge_outputs),
                               {"time_major", RP_TFLITE_BOOL, 1},
                               ASYMMETRIC,
                               {0}};
static options two_way_rnn = {BOOL(time_major), ACTIVATION, BOOL(merge_outputs), ASYMMETRIC, {0}};
static options one_way_lstm = {ACTIVATION,
                               REAL(cell_clip),
                               REAL(proj_clip),
                               BOOL(time_major),
                               ASYMMETRIC,
                               BOOL(diagonal_recurrent_tensors),
                               {0}};
static options nearest = {BOOL(align_corners), BOOL(half_pixel_centers), {0}};
static options leaky_relu = {REAL(alpha), {0}};
static options mirror_pad = {ENUM(mode, MIRROR), {0}};
static options reverse_sequence = {INT(seq_dim), INT(batch_dim), {0}};
static options if_else = {INT(then_subgraph_index), INT(else_subgraph_index), {0}};
static options while_loop = {INT(cond_subgraph_index), INT(body_subgraph_index), {0}};
static options matmul = {BOOL(adj_x), BOOL(adj_y), ASYMMETRIC, {0}};
static options cumsum = {BOOL(exclusive), BOOL(reverse), {0}};
static options call_once = {INT(init_subgraph_index), {0}};
static options conv_3d = {
    PADDING,    INT(stride_d),           INT(stride_w),           INT(stride_h),
    ACTIVATION, INT1(dilation_d_factor), INT1(dilation_w_factor), INT1(dilation_h_factor),
    {0}};
static options gelu = {BOOL(approximate), {0}};

/* By the number of the union's member. Other members have no options, or none that matter. */
static const struct rp_tflite_option *const members[] = {[1] = conv_2d,
                                                         [2] = depthwise,
                                                         [5] = pool,
                                                         [6] = svdf,
                                                         [7] = rnn,
                                                         [8] = fully_connected,
                                                         [9] = softmax,
                                                         [10] = concatenation,
                                                         [11] = add,
                                                         [12] = activation,
                                                         [13] = response,
                                                         [14] = lstm,
                                                         [15] = bilinear,
                                                         [16] = call,
                                                         [17] = reshape,
                                                         [19] = block,
                                                         [21] = activation,
                                                         [23] = gather,
                                                         [27] = reducer,
                                                         [28] = add,
                                                         [29] = activation,
                                                         [30] = squeeze,
                                                         [31] = sequence_rnn,
                                                         [32] = strided_slice,
                                                         [35] = split,
                                                         [37] = cast,
                                                         [40] = output_type,
                                                         [49] = transpose_conv,
                                                         [55] = shape,
                                                         [57] = output_type,
                                                         [59] = pack,
                                                         [61] = one_hot,
                                                         [64] = unpack,
                                                         [69] = two_way_lstm,
                                                         [70] = two_way_rnn,
                                                         [71] = one_way_lstm,
                                                         [74] = nearest,
                                                         [75] = leaky_relu,
                                                         [77] = mirror_pad,
                                                         [79] = split,
                                                         [87] = reverse_sequence,
                                                         [92] = if_else,
                                                         [93] = while_loop,
                                                         [94] = block,
                                                         [101] = matmul,
                                                         [102] = cumsum,
                                                         [103] = call_once,
                                                         [106] = conv_3d,
                                                         [116] = gelu};

/* ---- look-up ---- */

const char *rp_tflite_builtin(int32_t code) {
    return code >= 0 && (size_t)code < COUNT(builtins) ? builtins[code] : NULL;
}

enum rp_element rp_tflite_element(uint64_t type) {
    return type < COUNT(types) ? types[type].element : RP_ELEMENT_FOREIGN;
}

const struct rp_tflite_option *rp_tflite_options(uint64_t member) {
    return member < COUNT(members) ? members[member] : NULL;
}

const char *rp_tflite_text(enum rp_tflite_kind kind, uint64_t value) {
    static const char *const texts[][6] = {
        [RP_TFLITE_PADDING] = {"SAME", "VALID"},
        [RP_TFLITE_ACTIVATION] = {"NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"},
        [RP_TFLITE_KERNEL] = {"FULL", "BASIC"},
        [RP_TFLITE_WEIGHTS] = {"DEFAULT", "SHUFFLED4x16INT8"},
        [RP_TFLITE_MIRROR] = {"REFLECT", "SYMMETRIC"}};
    if (kind == RP_TFLITE_TYPE)
        return value < COUNT(types) ? types[value].name : NULL;
    return value < COUNT(texts[0]) ? texts[kind][value] : NULL;
}
