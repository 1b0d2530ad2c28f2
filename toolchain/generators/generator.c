/* SPDX-License-Identifier: Apache-2.0 */
/* The table of generators: see generator.h. */
#include "toolchain/generators/generator.h"

#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "toolchain/graph/read.h"
#include "toolchain/npu/pack.h"

enum { SHOWN_OPERATORS = 4, MODEL_MAX = 1 << 30 };

static const char onnx2c_operators[] =
    " Abs Acos Acosh Add And Asin Asinh Atan Atanh AveragePool BatchNormalization BitShift Cast "
    "Ceil Celu Clip Concat Constant ConstantOfShape Conv ConvInteger ConvTranspose Cos Cosh "
    "DequantizeLinear Div Dropout DynamicQuantizeLinear Elu Equal Erf Exp Expand Flatten Floor "
    "Gather Gemm GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual HardSigmoid HardSwish "
    "Identity InstanceNormalization LRN LSTM LayerNormalization LeakyRelu Less LessOrEqual Log "
    "LogSoftmax MatMul MatMulInteger Max MaxPool Mean Min Mod Mul Neg Not Or PRelu Pad Pow "
    "QLinearAdd QLinearConv QLinearMatMul QLinearMul QuantizeLinear RandomUniform Range Reciprocal "
    "ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd "
    "ReduceSum ReduceSumSquare Relu Reshape Resize Round ScatterND Selu Shape Shrink Sigmoid Sign "
    "Sin Sinh Slice Softmax Softplus Softsign Split Sqrt Squeeze Sub Sum Tan Tanh ThresholdedRelu "
    "Transpose TreeEnsembleClassifier Unsqueeze Upsample Where Xor ";

/* Those of its SUPPORT_OPS.md. */
static const char emx_operators[] =
    " Abs Acos Acosh Add Affine AffineGrid And ArgMax ArgMin Asin Asinh Atan Atanh Attention "
    "AveragePool BatchNormalization Bernoulli BitCast BitShift BitwiseAnd BitwiseNot "
    "BitwiseOr BitwiseXor BlackmanWindow Cast CastLike CausalConvWithState Ceil Celu "
    "CenterCropPad Clip Col2Im Compress Concat ConcatFromSequence Constant ConstantOfShape "
    "Conv ConvInteger ConvTranspose Cos Cosh Crop CumProd CumSum DFT DeformConv DepthToSpace "
    "DequantizeLinear Det Div Dropout DynamicQuantizeLinear DynamicSlice Einsum Elu Equal Erf "
    "Exp Expand EyeLike Flatten Floor GRU Gather GatherElements GatherND Gelu Gemm "
    "GlobalAveragePool GlobalMaxPool Greater GreaterOrEqual GridSample GroupNormalization "
    "HammingWindow HannWindow HardSigmoid HardSwish Hardmax Identity If ImageDecoder "
    "ImageScaler InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization LeakyRelu Less "
    "LessOrEqual LinearAttention Log LogSoftmax Loop LpNormalization LpPool MatMul "
    "MatMulInteger Max MaxPool MaxUnpool Mean MeanVarianceNormalization MelWeightMatrix Min "
    "Mish Mod Mul Neg NegativeLogLikelihoodLoss NonMaxSuppression NonZero Not OneHot "
    "OptionalGetElement OptionalHasElement Or PRelu Pad Pow QLinearConv QLinearMatMul "
    "QuantizeLinear RMSNormalization RNN RandomUniformLike Range Reciprocal ReduceL1 ReduceL2 "
    "ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum "
    "ReduceSumSquare RegexFullMatch Relu Reshape Resize ReverseSequence RoiAlign "
    "RotaryEmbedding Round STFT Scale Scan Scatter ScatterElements ScatterND Selu SequenceAt "
    "SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength SequenceMap "
    "Shape Shrink Sigmoid Sign Sin Sinh Size Slice Softmax SoftmaxCrossEntropyLoss Softplus "
    "Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze StringConcat StringNormalizer "
    "StringSplit Sub Sum Swish Tan Tanh TensorScatter TfIdfVectorizer ThresholdedRelu Tile "
    "TopK Transpose Trilu Unique Unsqueeze Upsample Where Xor ";

/* Those of a late state of Relay's ONNX front end; earlier releases take fewer. */
static const char tvm_operators[] =
    " Abs Acos Acosh Add Affine And ArgMax ArgMin Asin Asinh Atan Atanh AveragePool "
    "BatchNormalization Bernoulli BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast "
    "CastLike Ceil Celu Clip Compress Concat ConcatFromSequence Constant ConstantOfShape Conv "
    "ConvInteger ConvTranspose Cos Cosh CumSum DFT DepthToSpace DequantizeLinear Div Dropout "
    "DynamicQuantizeLinear Einsum Elu Equal Erf Exp Expand EyeLike Flatten Floor GRU Gather "
    "GatherElements GatherND Gelu Gemm GlobalAveragePool GlobalLpPool GlobalMaxPool Greater "
    "GreaterOrEqual GridSample HardSigmoid HardSwish Hardmax Identity If "
    "InstanceNormalization IsInf IsNaN LRN LSTM LayerNormalization LeakyRelu Less LessOrEqual "
    "Log LogSoftmax Loop LpPool MatMul MatMulInteger Max MaxPool MaxRoiPool MaxUnpool Mean "
    "MeanVarianceNormalization Min Mish Mod Mul Multinomial Neg NegativeLogLikelihoodLoss "
    "NonMaxSuppression NonZero Not OneHot Optional OptionalGetElement OptionalHasElement Or "
    "PRelu Pad ParametricSoftplus Pow QLinearAdd QLinearAveragePool QLinearConcat QLinearConv "
    "QLinearGlobalAveragePool QLinearLeakyRelu QLinearMatMul QLinearMul QLinearSigmoid "
    "QLinearSoftmax QuantizeLinear RNN RandomNormal RandomNormalLike RandomUniform "
    "RandomUniformLike Range Reciprocal ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp "
    "ReduceMax ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize "
    "ReverseSequence RoiAlign Round ScaledTanh Scan Scatter ScatterElements ScatterND Selu "
    "SequenceAt SequenceConstruct SequenceEmpty SequenceErase SequenceInsert SequenceLength "
    "Shape Shrink Sigmoid Sign Sin Sinh Size Slice Softmax SoftmaxCrossEntropyLoss Softplus "
    "Softsign SpaceToDepth Split SplitToSequence Sqrt Squeeze Sub Sum Tan Tanh "
    "ThresholdedRelu Tile TopK Transpose Trilu Unique Unsqueeze Upsample Where Xor ";

/* Those of github.com/pytorch/glow's last state. NXP's own releases may take more. */
static const char glow_operators[] =
    " Abs Acos Add And ArgMax ArgMin Asin Atan AveragePool BatchNormalization Cast Ceil Clip "
    "Concat Constant ConstantOfShape Conv ConvTranspose Cos CumSum DepthToSpace "
    "DequantizeLinear Div Dropout Equal Erf Exp Expand Flatten Floor GRU Gather GatherND Gemm "
    "GlobalAveragePool HardSigmoid Identity If InstanceNormalization LRN LSTM LeakyRelu Less "
    "Log LogSoftmax Loop MatMul Max MaxPool Mean Min Mul Neg NonMaxSuppression NonZero Not Or "
    "PRelu Pad Pow QuantizeLinear RNN Range Reciprocal ReduceL2 ReduceMax ReduceMean "
    "ReduceMin ReduceProd ReduceSum ReduceSumSquare Relu Reshape Resize RoiAlign ScatterND "
    "Shape Sigmoid Sign Sin Slice Softmax SpaceToDepth Split Sqrt Squeeze Sub Sum Tanh Tile "
    "TopK Transpose Unsqueeze Upsample Where Xor ";

/* What each needs for code that an image can hold: C, no allocation, all weights in the code. */
static const struct rp_generator rows[] = {
    {"onnx2c", ".onnx", "onnx2c {options} {input}", ".c", "--version", onnx2c_operators,
     "build it from github.com/kraiskil/onnx2c", NULL, NULL,
     " -a -d -l -n -p -q -v --avr --define-dim --log --no-globals --optimizations --quantize "},
    {"emx-onnx-cgen", ".onnx",
     "emx-onnx-cgen compile --large-weight-threshold 0 --large-temp-threshold 0 {options} {input} "
     "{output}",
     ".c", "--version", emx_operators, "pip install emx-onnx-cgen", NULL, NULL,
     " --model-name --restrict-arrays --no-restrict-arrays --large-weight-threshold "
     "--large-temp-threshold --fp32-accumulation-strategy --fp16-accumulation-strategy "},
    {"tvmc", ".onnx .tflite .h5 .keras .pb .pth .pdmodel",
     "tvmc compile {input} --target=c --runtime=crt --executor=aot "
     "--executor-aot-interface-api=c --executor-aot-unpacked-api=1 "
     "--pass-config tir.disable_vectorize=1 --output-format=mlf -o {output} {options}",
     ".tar", "--version", tvm_operators, "TVM's command line, up to release 0.16: tvm.apache.org",
     NULL, NULL, " --opt-level --input-shapes --desired-layout --pass-config "},
    {"stedgeai", ".onnx .tflite .h5 .keras",
     "stedgeai generate --model {input} --target {target} --name {name} --output {folder} "
     "--workspace {folder}/workspace {options}",
     ".c", "--version", NULL,
     "install ST Edge AI Core, and put its folder Utilities/linux on PATH or set "
     "STEDGEAI_CORE_DIR; or "
     "run `stedgeai generate` without --relocatable where it is installed, and then `relocpack "
     "generate -i st_ai_output` on the folder that it writes",
     "Utilities/linux/stedgeai", "network",
     " -O --optimization -c --compression --allocate-inputs --allocate-outputs "
     "--no-inputs-allocation "
     "--no-outputs-allocation --input-memory-alignment --output-memory-alignment --split-weights "
     "--binary --c-api --input-data-type --output-data-type --inputs-ch-position "
     "--outputs-ch-position --no-onnx-optimizer --use-onnx-simplifier --fix-parametric-shapes "
     "--prefetch-compressed-weights --allocate-activations --allocate-states --cut-input-tensors "
     "--cut-output-tensors --cut-input-layers --cut-output-layers --enable-epoch-controller --eec "
     "--no-report --no-workspace --verbosity "},
    {"glow", ".onnx .tflite",
     "model-compiler -backend=CPU -model={input} -bundle-api=static -relocation-model=pic "
     "-target=arm -mcpu={cpu} -float-abi={float-abi} -network-name={name} -emit-bundle={folder} "
     "{options}",
     ".c", "--version", glow_operators, "Glow's model-compiler, as in NXP's eIQ tools", NULL, NULL,
     " -model-input -quantization-schema -quantization-precision -onnx-define-symbol "},
};

const struct rp_generator *rp_generator_at(size_t index) {
    return index < sizeof rows / sizeof rows[0] ? &rows[index] : NULL;
}

char *rp_generator_program(struct rp_arena *arena, const struct rp_generator *generator,
                           const char *pack) {
    const char *name = rp_strndup(arena, generator->command, strcspn(generator->command, " "));
    char *found = rp_find_program(arena, name);
    if (found != NULL || generator->in_pack == NULL || pack == NULL || pack[0] == '\0')
        return found;
    return rp_find_program(arena, rp_path_join(arena, pack, generator->in_pack));
}

const struct rp_generator *rp_generator_find(const char *name) {
    const char *base = rp_path_base(name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = strcspn(rows[i].command, " ");
        bool program = strlen(base) == len && strncmp(base, rows[i].command, len) == 0;
        if (strcmp(rows[i].name, name) == 0 || program)
            return &rows[i];
    }
    return NULL;
}

bool rp_generator_takes(const struct rp_generator *generator, const char *path) {
    const char *dot = strrchr(rp_path_base(path), '.');
    return dot != NULL && dot[1] != '\0' && strchr(dot, ' ') == NULL &&
           rp_has_word(generator->files, dot);
}

bool rp_generator_is_inert(const char *name, const char *model) {
    bool is_row = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        is_row = is_row || strcmp(rows[i].name, name) == 0;
    return is_row && model != NULL &&
           (rp_has_suffix(model, ".onnx") || rp_has_suffix(model, ".tflite"));
}

const char *rp_generator_option_starts(const char *name, const struct rp_strings *options) {
    const struct rp_generator *row = name != NULL ? rp_generator_find(name) : NULL;
    for (size_t i = 0; i < options->count; i++) {
        const char *word = options->items[i];
        struct rp_arena arena = {0};
        size_t len = strcspn(word, "=");
        bool known = row != NULL &&
                     (word[0] != '-' || rp_has_word(row->inert, rp_strndup(&arena, word, len)));
        rp_arena_release(&arena);
        /* a value must not be a path, or a file whose words would replace it */
        if (!known || strchr(word, '/') != NULL || word[0] == '@')
            return word;
    }
    return NULL;
}

/* Are the operators of both generator and model known? */
static bool is_judged(const struct rp_generator *generator, const struct rp_graph *graph) {
    return generator->operators != NULL && graph != NULL && graph->format == RP_GRAPH_ONNX;
}

/* The operators of the model that the generator does not support, each once. */
static struct rp_strings find_lacking(struct rp_arena *arena, const struct rp_generator *generator,
                                      const struct rp_graph *graph) {
    struct rp_strings lacking = {0};
    for (size_t i = 0; i < graph->nodes.count; i++) {
        const struct rp_graph_node *node = &graph->nodes.items[i];
        bool plain = !node->custom && node->op[0] != '\0' && strchr(node->op, ' ') == NULL;
        bool known = plain && rp_has_word(generator->operators, node->op);
        if (!known && !rp_strings_have(&lacking, node->op))
            rp_strings_push(arena, &lacking, node->op);
    }
    return lacking;
}

/* ", has all of its operators", ", lacks its A, B and 3 more"; "": unknown. */
static char *judge(struct rp_arena *arena, const struct rp_generator *generator,
                   const struct rp_graph *graph) {
    struct rp_buf out = {.arena = arena};
    if (!is_judged(generator, graph))
        return rp_strdup(arena, "");
    struct rp_strings lacking = find_lacking(arena, generator, graph);
    if (lacking.count == 0)
        return rp_strdup(arena, ", has all of its operators");
    rp_buf_puts(&out, ", lacks its ");
    for (size_t i = 0; i < lacking.count && i < SHOWN_OPERATORS; i++)
        rp_buf_printf(&out, "%s%.40s", i != 0 ? ", " : "", lacking.items[i]);
    if (lacking.count > SHOWN_OPERATORS)
        rp_buf_printf(&out, " and %zu more", lacking.count - SHOWN_OPERATORS);
    return out.data;
}

char *rp_generators_for(struct rp_arena *arena, const char *name, const struct rp_bytes *file) {
    struct rp_buf out = {.arena = arena};
    struct rp_graph *graph = rp_alloc(arena, 1, sizeof *graph);
    if (!rp_graph_read(graph, arena, file, name, NULL))
        graph = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!rp_generator_takes(&rows[i], name))
            continue;
        bool there = rp_generator_program(arena, &rows[i], rp_pack_default(arena)) != NULL;
        rp_buf_printf(&out, "%s%s (%s%s)", out.len != 0 ? ", " : "", rows[i].name,
                      there ? "installed" : "not on PATH", judge(arena, &rows[i], graph));
    }
    return rp_buf_text(&out);
}

const struct rp_generator *rp_generator_installed(const char *path) {
    const struct rp_generator *found = NULL;
    struct rp_arena own = {0};
    struct rp_graph *graph = NULL; /* read when there is a program to ask for */
    struct rp_bytes file;
    for (size_t i = 0; found == NULL && i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].in_pack != NULL || !rp_generator_takes(&rows[i], path) ||
            rp_generator_program(&own, &rows[i], NULL) == NULL)
            continue;
        if (graph == NULL) {
            graph = rp_alloc(&own, 1, sizeof *graph);
            if (!rp_file_look(&own, path, MODEL_MAX, &file, NULL) ||
                !rp_graph_read(graph, &own, &file, path, NULL))
                break;
        }
        if (!is_judged(&rows[i], graph) || find_lacking(&own, &rows[i], graph).count == 0)
            found = &rows[i];
    }
    rp_arena_release(&own);
    return found;
}
