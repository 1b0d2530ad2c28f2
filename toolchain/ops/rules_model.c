/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the model's format: quantisation, types, shapes, operators that are not listed. */
#include "toolchain/ops/rules_model.h"

#include <stdlib.h>
#include <string.h>

#include "toolchain/ops/ops.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/value.h"
#include "toolchain/ops/window.h"

#define FORMAT      "Quantized Model Format"
#define CONSTRAINTS "Inference Model Constraints"
#define ZEROS       "Zeros in the Kernel or Feature Data"
#define TIPS        "Convolutions tips"
#define CUSTOM      "Custom Layer Support - Post-Processing"
#define MAPPING     RP_OPS_TABLES

enum { WEIGHTS_SEEN = 4096 };

/* Does it hold for any operand that is not a constant, or for any result? */
static bool any_tensor(const struct rp_ops *ops, const struct rp_ops_node *node,
                       bool (*is)(const struct rp_ops *ops, const struct rp_graph_tensor *tensor)) {
    for (size_t i = 0; i < rp_ops_operands(node); i++) {
        const struct rp_graph_tensor *in = rp_ops_operand(ops, node, i);
        if (in != NULL && !rp_ops_is_constant(ops, in) && is(ops, in))
            return true;
    }
    for (size_t i = 0; i < node->node->output_count; i++) {
        const struct rp_graph_tensor *out = rp_ops_result(ops, node, i);
        if (out != NULL && is(ops, out))
            return true;
    }
    return false;
}

/* ---- operators ---- */

static bool is_post_processing(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return strstr(node->node->op, "PostProcess") != NULL || strstr(node->node->op, "NMS") != NULL ||
           strstr(node->node->op, "NonMaxSuppression") != NULL ||
           strstr(node->node->op, "NON_MAX_SUPPRESSION") != NULL;
}

static bool is_custom(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return node->row == NULL && node->node->custom && !is_post_processing(ops, node);
}

/* Before opset 12 there is no input for the training mode. */
static bool is_dropout(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *mask = rp_ops_result(ops, node, 1);
    return strcmp(node->node->op, "Dropout") == 0 && !node->node->custom &&
           ops->graph->format == RP_GRAPH_ONNX && rp_ops_operand(ops, node, 2) == NULL &&
           (mask == NULL || mask->consumers == 0);
}

static bool is_not_listed(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return node->row == NULL && !node->node->custom && !is_post_processing(ops, node) &&
           !is_dropout(ops, node);
}

static bool is_training(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return rp_ops_integer(node, "training_mode", 0) != 0;
}

/* ---- shapes ---- */

static bool varies(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    (void)ops;
    bool varies = false;
    for (unsigned i = 1; tensor->shape_known && i < tensor->rank; i++)
        varies = varies || tensor->dims[i] < 0;
    return varies;
}

static bool has_variable_shape(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return any_tensor(ops, node, varies);
}

static bool is_model_input(const struct rp_graph_tensor *tensor) {
    return tensor->producer == RP_GRAPH_NONE && tensor->shape_known && tensor->rank > 0;
}

static bool batch_varies(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    size_t index = rp_ops_index(ops, tensor);
    return is_model_input(tensor) && ops->given->tensors.items[index].dims[0] < 0;
}

static bool has_variable_batch(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return any_tensor(ops, node, batch_varies);
}

/* Only images certainly have a batch as their first dimension. */
static bool is_batch(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    (void)ops;
    return is_model_input(tensor) && tensor->rank == 4 && tensor->dims[0] > 1;
}

static bool has_batch(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return any_tensor(ops, node, is_batch);
}

static bool has_loose_output(const struct rp_ops *ops, const struct rp_ops_node *node) {
    for (size_t i = 0; i < node->node->output_count; i++) {
        const struct rp_graph_tensor *out = rp_ops_result(ops, node, i);
        if (out != NULL && out->consumers == 0 && !ops->is_output[node->node->outputs[i]])
            return i == 0 || !is_dropout(ops, node);
    }
    return false;
}

/* ---- types ---- */

/* Are activations in floats and weights in integers, or the other way round? */
static bool is_hybrid(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *x = rp_ops_data(ops, node);
    const struct rp_graph_tensor *w = rp_ops_operand(ops, node, 1);
    return x != NULL && w != NULL &&
           rp_ops_is_float(rp_ops_value(ops, x).element) !=
               rp_ops_is_float(rp_ops_value(ops, w).element);
}

static bool is_integer(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    return rp_ops_value(ops, tensor).is_quantised;
}

/* Does it compute with integers and a constant in floats? */
static bool has_float_constant(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return rp_ops_has_float_constant(ops, node) && any_tensor(ops, node, is_integer);
}

static bool is_float(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return node->is_float && !(rp_ops_kind_is(node, RP_OPS_WEIGHTED) && is_hybrid(ops, node));
}

static bool is_other_type(enum rp_element element) {
    return element == RP_ELEMENT_INT16 || element == RP_ELEMENT_UINT16 ||
           element == RP_ELEMENT_INT4 || element == RP_ELEMENT_FOREIGN;
}

static bool has_other_type(const struct rp_ops *ops, const struct rp_ops_node *node) {
    for (size_t i = 0; i < rp_ops_operands(node); i++) {
        const struct rp_graph_tensor *in = rp_ops_operand(ops, node, i);
        if (in != NULL && is_other_type(rp_ops_value(ops, in).element))
            return true;
    }
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    return out != NULL && is_other_type(rp_ops_value(ops, out).element);
}

static bool has_sparse(const struct rp_ops *ops, const struct rp_ops_node *node) {
    for (size_t i = 0; i < node->node->input_count; i++) {
        const struct rp_graph_tensor *in = rp_ops_tensor(ops, node->node->inputs[i]);
        if (in != NULL && in->sparse)
            return true;
    }
    return false;
}

/* Indexes and variable shapes do. A Shape does not count: it is a constant, or refused. */
static bool makes_wide_integers(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    enum rp_element element = out != NULL ? rp_ops_value(ops, out).element : RP_ELEMENT_OTHER;
    return !rp_ops_kind_is(node, RP_OPS_QUANTISERS " Shape") &&
           (element == RP_ELEMENT_INT32 || element == RP_ELEMENT_UINT32 ||
            element == RP_ELEMENT_INT64 || element == RP_ELEMENT_UINT64);
}

static bool is_unsigned(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    return rp_ops_value(ops, tensor).element == RP_ELEMENT_UINT8;
}

static bool has_unsigned(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return !rp_ops_kind_is(node, RP_OPS_QUANTISERS) && any_tensor(ops, node, is_unsigned);
}

/* The constant weights; element is OTHER when there are none. */
static struct rp_ops_value weights_of(const struct rp_ops *ops, const struct rp_ops_node *node) {
    const struct rp_graph_tensor *w = rp_ops_operand(ops, node, 1);
    struct rp_ops_value none = {.element = RP_ELEMENT_OTHER};
    return w != NULL && rp_ops_is_constant(ops, w) ? rp_ops_value(ops, w) : none;
}

static bool has_asymmetric_weights(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct rp_ops_value w = weights_of(ops, node);
    return w.element == RP_ELEMENT_UINT8 || (w.is_quantised && w.zero_known && w.zero != 0);
}

static bool has_one_scale(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct rp_ops_value w = weights_of(ops, node);
    return w.is_quantised && w.scales == 1 && rp_ops_window(ops, node).out_channels != 1;
}

/*
 * Are half or more of the weights at this distance from 0? Samples large constants evenly, because
 * many nodes can share one.
 */
static bool are_mostly(const struct rp_ops *ops, const struct rp_ops_node *node, unsigned far) {
    const struct rp_graph_tensor *w = rp_ops_numbers(ops, rp_ops_operand(ops, node, 1));
    size_t seen = 0, found = 0;
    if (w == NULL || w->data == NULL || w->element != RP_ELEMENT_INT8 ||
        has_asymmetric_weights(ops, node))
        return false;
    for (size_t i = 0; i < w->size_bytes; i += 1 + w->size_bytes / WEIGHTS_SEEN, seen++)
        found += (unsigned)abs((int8_t)w->data[i]) == far;
    return seen != 0 && found >= seen - found;
}

static bool has_zeros(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return are_mostly(ops, node, 0);
}

static bool has_near_zeros(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return are_mostly(ops, node, 1);
}

/* ---- what the tables say, unless an earlier rule decided ---- */

static bool is_quantiser(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return node->place == RP_OPS_SW_FLOAT;
}

static bool is_in_integers(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return node->row != NULL && node->row->place == RP_OPS_SW_INT && node->place == RP_OPS_SW_INT;
}

static bool is_in_floats(const struct rp_ops *ops, const struct rp_ops_node *node) {
    (void)ops;
    return node->row != NULL && node->row->place == RP_OPS_SW_FLOAT &&
           node->place == RP_OPS_SW_FLOAT && !node->is_float &&
           !rp_ops_kind_is(node, RP_OPS_QUANTISERS);
}

const struct rp_ops_rule rp_ops_model_rules[] = {
    {"post-processing", 0, false, NULL, is_post_processing, RP_OPS_UNSUPPORTED,
     "post-processing and non-maximum suppression are not supported",
     "Take the post-processing out before quantising, keep backbone and head, and let the "
     "application do it in floats on the core.",
     CUSTOM},
    {"dropout", RP_GRAPH_ONNX, true, NULL, is_dropout, RP_OPS_CONDITIONAL,
     "Dropout is not in the table; without training it is an Identity, which is",
     "Export the model for inference, without Dropout.", RP_OPS_ONNX_TABLE, true},
    {"custom-operator", 0, false, NULL, is_custom, RP_OPS_UNSUPPORTED,
     "custom operators are not supported",
     "Replace the custom operator by standard ones, or end the model before it.", CUSTOM},
    {"not-listed", 0, false, NULL, is_not_listed, RP_OPS_UNSUPPORTED,
     "the operator is in no table of the vendor",
     "Replace the operator by one that `relocpack ops --list` has.", MAPPING},
    {"training-mode", 0, false, "BatchNormalization", is_training, RP_OPS_UNSUPPORTED,
     "in training mode; only inference is supported", "Export the model for inference.",
     CONSTRAINTS},
    {"static-shape", 0, false, NULL, has_variable_shape, RP_OPS_UNSUPPORTED,
     "a shape is not static", "Fix all dimensions after the batch when exporting the model.",
     CONSTRAINTS},
    {"variable-batch", 0, false, NULL, has_variable_batch, RP_OPS_KEEP,
     "a batch of variable length counts as 1", NULL, CONSTRAINTS},
    {"batch-one", 0, false, NULL, has_batch, RP_OPS_CONDITIONAL, "the batch is larger than 1",
     "Export the model with a batch of 1.", CONSTRAINTS},
    {"unconnected-output", 0, false, NULL, has_loose_output, RP_OPS_UNSUPPORTED,
     "an output is not connected",
     "Make the output an output of the model, or take the operator out.", CONSTRAINTS},
    {"hybrid", 0, false, RP_OPS_WEIGHTED, is_hybrid, RP_OPS_UNSUPPORTED,
     "activations and weights: one in floats, the other in integers",
     "Quantise activations and weights (full integer quantisation, not dynamic range).",
     CONSTRAINTS},
    {"float-constant", 0, false, "Add Sub Mul Max Min PRelu", has_float_constant, RP_OPS_SW_FLOAT,
     "integers with a constant in floats", "Quantise the constant as well.", CONSTRAINTS},
    {"float", 0, false, NULL, is_float, RP_OPS_SW_FLOAT, "computes in floats",
     "Quantise the whole model to int8: a QuantizeLinear and DequantizeLinear around each operator "
     "(ONNX), or full integer quantisation (TFLite).",
     CONSTRAINTS},
    {"data-type", 0, false, NULL, has_other_type, RP_OPS_UNSUPPORTED,
     "the type is neither int8 nor float32, such as integers of 4 or 16 bits",
     "Quantise to 8 bits, both weights and activations.", CONSTRAINTS},
    {"sparse-constant", RP_GRAPH_TFLITE, true, NULL, has_sparse, RP_OPS_CONDITIONAL,
     "a constant is sparse, of which the page does not speak",
     "Convert the model without sparsity.", FORMAT},
    {"wide-integers", 0, false, NULL, makes_wide_integers, RP_OPS_CONDITIONAL,
     "makes integers of 32 or 64 bits; the page speaks of int8 and floats only",
     "Compute indexes and shapes outside of the model.", CONSTRAINTS},
    {"unsigned-activations", 0, false, NULL, has_unsigned, RP_OPS_CONDITIONAL,
     "activations are uint8; the scheme is signed (ss/sa)", "Quantise activations to int8.",
     FORMAT},
    {"symmetric-weights", 0, false, RP_OPS_WEIGHTED, has_asymmetric_weights, RP_OPS_UNSUPPORTED,
     "weights are unsigned or have a zero point; the scheme is signed and symmetric (ss/sa)",
     "Quantise weights to int8 with zero point 0.", FORMAT},
    {"per-channel-weights", 0, false, "Conv ConvTranspose", has_one_scale, RP_OPS_KEEP,
     "weights have one scale for all channels",
     "Quantise weights per channel, which is the scheme that the compiler is made for.", FORMAT},
    {"zero-weights", 0, false, RP_OPS_WEIGHTED, has_zeros, RP_OPS_KEEP,
     "half or more of the weights are 0: that saves power (the multipliers are gated), but no time",
     "To save time, take whole channels out instead of single weights.", ZEROS},
    {"near-zero-weights", 0, false, RP_OPS_WEIGHTED, has_near_zeros, RP_OPS_KEEP,
     "half or more of the weights are 1 or -1, next to 0: the multipliers are gated for 0 only",
     "Prune small weights to 0 before quantising, if power matters and the accuracy allows it.",
     TIPS},
    {"edge-quantiser", 0, false, RP_OPS_QUANTISERS, is_quantiser, RP_OPS_SW_FLOAT,
     "converts to or from 8-bit integers on the core",
     "Give the model int8 inputs and outputs, and keep float operators out of its middle: then "
     "nothing is converted.",
     MAPPING},
    {"table-integer", 0, false, NULL, is_in_integers, RP_OPS_SW_INT,
     "the table maps it on integer software",
     "These run on the Cortex-M55: replace them, or move them to the end of the model.", MAPPING},
    {"table-float", 0, false, NULL, is_in_floats, RP_OPS_SW_FLOAT,
     "the table maps it on float software",
     "These run in floats on the Cortex-M55, with conversions around them: replace them, or move "
     "them to the end of the model.",
     MAPPING},
    {0}};
