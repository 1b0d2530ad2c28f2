/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the rules ask of a graph: operands, what tensors are once the quantisation nodes around them
 * are taken away, attributes, windows. Everything may be missing or odd in a file; then the answer
 * is "not known", and no rule applies.
 */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "toolchain/ops/ops.h"

const struct rp_graph_tensor *rp_ops_tensor(const struct rp_ops *ops, int32_t index) {
    return index >= 0 && (size_t)index < ops->graph->tensors.count
               ? &ops->graph->tensors.items[index]
               : NULL;
}

/* ---- operands ---- */

/* Operators that have scales and zero points among their inputs: operand n is input first + 3 n. */
static size_t first_operand(const struct rp_ops_node *node, size_t *step) {
    bool qlinear = strncmp(node->node->op, "QLinear", 7) == 0;
    *step = qlinear ? 3 : 1;
    return strcmp(node->node->op, "QLinearConcat") == 0 ? 2 : 0;
}

size_t rp_ops_operands(const struct rp_ops_node *node) {
    size_t step, first = first_operand(node, &step);
    if (step == 1)
        return node->node->input_count;
    if (first != 0)
        return node->node->input_count > first ? (node->node->input_count - first + 2) / step : 0;
    return node->node->input_count >= 7 ? 2 : 1; /* the last zero point may be left out */
}

const struct rp_graph_tensor *rp_ops_operand(const struct rp_ops *ops,
                                             const struct rp_ops_node *node, size_t n) {
    size_t step, at = first_operand(node, &step) + n * step;
    return n < rp_ops_operands(node) && at < node->node->input_count
               ? rp_ops_tensor(ops, node->node->inputs[at])
               : NULL;
}

const struct rp_graph_tensor *rp_ops_result(const struct rp_ops *ops,
                                            const struct rp_ops_node *node, size_t n) {
    return n < node->node->output_count ? rp_ops_tensor(ops, node->node->outputs[n]) : NULL;
}

const struct rp_graph_tensor *rp_ops_data(const struct rp_ops *ops,
                                          const struct rp_ops_node *node) {
    bool third = ops->graph->format == RP_GRAPH_TFLITE && rp_ops_kind_is(node, " ConvTranspose ");
    return rp_ops_operand(ops, node, third ? 2 : 0);
}

struct rp_ops_node *rp_ops_producer(const struct rp_ops *ops,
                                    const struct rp_graph_tensor *tensor) {
    return tensor != NULL && tensor->producer >= 0 && (size_t)tensor->producer < ops->count
               ? &ops->nodes[tensor->producer]
               : NULL;
}

struct rp_ops_node *rp_ops_whole(const struct rp_ops *ops, struct rp_ops_node *node) {
    while (node->part_of != RP_GRAPH_NONE)
        node = &ops->nodes[node->part_of];
    return node;
}

/* ---- values ---- */

static const struct rp_graph_node *dequantiser_of(const struct rp_ops *ops,
                                                  const struct rp_graph_tensor *tensor) {
    const struct rp_ops_node *from = rp_ops_producer(ops, tensor);
    return from != NULL && strcmp(from->node->op, "DequantizeLinear") == 0 ? from->node : NULL;
}

static const struct rp_graph_tensor *input_of(const struct rp_ops *ops,
                                              const struct rp_graph_node *node, size_t n) {
    return n < node->input_count ? rp_ops_tensor(ops, node->inputs[n]) : NULL;
}

static bool is_folded(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    const struct rp_ops_node *from = rp_ops_producer(ops, tensor);
    return from != NULL && from->is_folded;
}

bool rp_ops_is_constant(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    if (tensor == NULL || tensor->constant)
        return tensor != NULL;
    const struct rp_graph_node *node = dequantiser_of(ops, tensor);
    if (node != NULL) {
        const struct rp_graph_tensor *of = input_of(ops, node, 0);
        return of != NULL && (of->constant || is_folded(ops, of));
    }
    return is_folded(ops, tensor);
}

bool rp_ops_is_float(enum rp_element element) {
    return element == RP_ELEMENT_FLOAT32 || element == RP_ELEMENT_FLOAT16 ||
           element == RP_ELEMENT_FLOAT64;
}

static int64_t farther(int64_t a, int64_t b) {
    return (a < 0 ? -(a + 1) : a) < (b < 0 ? -(b + 1) : b) || a == 0 ? b : a;
}

/* Bytes of an integer that a zero point can be; 0: none, or packed. */
static size_t integer_bytes(enum rp_element element) {
    return element == RP_ELEMENT_INT8 || element == RP_ELEMENT_UINT8     ? 1
           : element == RP_ELEMENT_INT16 || element == RP_ELEMENT_UINT16 ? 2
           : element == RP_ELEMENT_INT32                                 ? 4
                                                                         : 0;
}

/* A tensor of zero points, one for each channel; without one they are 0. */
static void read_zero(struct rp_ops_value *value, const struct rp_graph_tensor *zero) {
    size_t size = zero != NULL ? integer_bytes(zero->element) : 0;
    value->zero_known = zero == NULL || (size != 0 && zero->data != NULL);
    for (size_t i = 0; zero != NULL && value->zero_known && i < zero->size_bytes / size; i++) {
        const uint8_t *at = zero->data + i * size;
        uint32_t word = at[0];
        for (size_t k = 1; k < size; k++)
            word |= (uint32_t)at[k] << (8 * k);
        int64_t number = zero->element == RP_ELEMENT_INT8    ? (int64_t)(int8_t)word
                         : zero->element == RP_ELEMENT_INT16 ? (int64_t)(int16_t)word
                         : zero->element == RP_ELEMENT_INT32 ? (int64_t)(int32_t)word
                                                             : (int64_t)word;
        value->zero = farther(value->zero, number);
    }
}

static void read_own_zero(struct rp_ops_value *value, const struct rp_graph_tensor *tensor) {
    const struct rp_quantisation *q = &tensor->quantisation;
    value->zero_known = q->scales != NULL && q->zero_points != NULL;
    for (size_t i = 0; value->zero_known && i < q->count; i++)
        value->zero = farther(value->zero, q->zero_points[i]);
}

/* Those in a tensor's quantisation, or its numbers: looked at once, as many nodes may share many.
 */
static void set_zero(const struct rp_ops *ops, struct rp_ops_value *value,
                     const struct rp_graph_tensor *tensor, bool of_numbers) {
    struct rp_ops_zero *zero = &ops->zeros[of_numbers][tensor - ops->graph->tensors.items];
    if (!zero->is_read) {
        (of_numbers ? read_zero : read_own_zero)(value, tensor);
        *zero = (struct rp_ops_zero){true, value->zero_known, value->zero};
    }
    value->zero_known = zero->is_known;
    value->zero = zero->value;
}

static void read_scale(struct rp_ops_value *value, const struct rp_graph_tensor *scale) {
    if (scale == NULL || scale->element != RP_ELEMENT_FLOAT32 || scale->data == NULL)
        return;
    value->scales = scale->size_bytes / sizeof(float);
    if (value->scales == 0)
        return;
    uint32_t word = rp_get_le32(scale->data);
    float number;
    memcpy(&number, &word, sizeof number);
    value->scale = (double)number;
}

/*
 * A tensor of integers whose scale is an input of a node, with the zero point behind it. Without a
 * type it has that of the zero point, or uint8.
 */
static struct rp_ops_value read_linear(const struct rp_ops *ops, const struct rp_graph_node *node,
                                       size_t scale, const struct rp_graph_tensor *quantised) {
    const struct rp_graph_tensor *zero = input_of(ops, node, scale + 1);
    struct rp_ops_value value = {.is_quantised = true};
    value.element = quantised != NULL && quantised->element != RP_ELEMENT_OTHER ? quantised->element
                    : zero != NULL                                              ? zero->element
                                                                                : RP_ELEMENT_UINT8;
    read_scale(&value, input_of(ops, node, scale));
    value.zero_known = zero == NULL;
    if (zero != NULL)
        set_zero(ops, &value, zero, true);
    return value;
}

/* The QuantizeLinear that reads a tensor, when nothing else does. */
static const struct rp_graph_node *quantiser_of(const struct rp_ops *ops,
                                                const struct rp_graph_tensor *tensor) {
    int32_t reader = ops->reader[tensor - ops->graph->tensors.items];
    if (reader < 0 || ops->is_output[tensor - ops->graph->tensors.items])
        return NULL;
    const struct rp_graph_node *node = &ops->graph->nodes.items[reader];
    return strcmp(node->op, "QuantizeLinear") == 0 && input_of(ops, node, 0) == tensor ? node
                                                                                       : NULL;
}

/* Which input of a node is the scale of its result, or of one of its inputs. */
#define NONE SIZE_MAX

static size_t result_scale(const struct rp_ops_node *node) {
    size_t step, first = first_operand(node, &step);
    if (step == 1)
        return strcmp(node->node->op, "QuantizeLinear") == 0 ? 1 : NONE;
    return first != 0 ? 0 : step * rp_ops_operands(node);
}

static size_t operand_scale(const struct rp_ops_node *node, size_t input) {
    size_t step, first = first_operand(node, &step);
    bool has = step != 1 || strcmp(node->node->op, "DequantizeLinear") == 0;
    bool is_operand = step != 1 ? input >= first && (input - first) % step == 0 &&
                                      (input - first) / step < rp_ops_operands(node)
                                : input == 0;
    return has && is_operand ? input + 1 : NONE;
}

const struct rp_graph_tensor *rp_ops_result_zero(const struct rp_ops *ops,
                                                 const struct rp_ops_node *node) {
    size_t scale = result_scale(node);
    return scale != NONE ? input_of(ops, node->node, scale + 1) : NULL;
}

/* What an ONNX file says of a tensor of integers: where it is made, else where it is read. */
static bool find_linear(const struct rp_ops *ops, const struct rp_graph_tensor *tensor,
                        struct rp_ops_value *value) {
    size_t index = (size_t)(tensor - ops->graph->tensors.items);
    const int32_t nodes[] = {tensor->producer, ops->reader[index]};
    for (size_t i = 0; i < 2; i++) {
        if (nodes[i] < 0 || (size_t)nodes[i] >= ops->count)
            continue;
        const struct rp_ops_node *node = &ops->nodes[nodes[i]];
        size_t scale = i == 0 ? result_scale(node) : operand_scale(node, ops->input[index]);
        if (scale != NONE) {
            *value = read_linear(ops, node->node, scale, tensor);
            return true;
        }
    }
    return false;
}

/* As the file says it in the tensor, which is TFLite's way. ONNX without a type is float. */
static struct rp_ops_value plain_value(const struct rp_ops *ops,
                                       const struct rp_graph_tensor *tensor) {
    const struct rp_quantisation *q = &tensor->quantisation;
    bool is_float = tensor->element == RP_ELEMENT_OTHER && tensor->producer >= 0 &&
                    ops->graph->format == RP_GRAPH_ONNX;
    struct rp_ops_value value = {.element = is_float ? RP_ELEMENT_FLOAT32 : tensor->element};
    value.is_quantised =
        q->scales != NULL || value.element == RP_ELEMENT_INT8 || value.element == RP_ELEMENT_UINT8;
    value.scales = q->scales != NULL ? q->count : 0;
    value.scale = value.scales > 0 ? q->scales[0] : 0;
    set_zero(ops, &value, tensor, false);
    return value;
}

struct rp_ops_value rp_ops_value(const struct rp_ops *ops, const struct rp_graph_tensor *tensor) {
    struct rp_ops_value value;
    if (ops->graph->format == RP_GRAPH_ONNX) {
        const struct rp_graph_node *node = dequantiser_of(ops, tensor);
        if (node != NULL)
            return read_linear(ops, node, 1, input_of(ops, node, 0));
        node = quantiser_of(ops, tensor);
        if (node != NULL)
            return read_linear(
                ops, node, 1, node->output_count > 0 ? rp_ops_tensor(ops, node->outputs[0]) : NULL);
        if (find_linear(ops, tensor, &value))
            return value;
    }
    return plain_value(ops, tensor);
}

bool rp_ops_is_static(const struct rp_graph_tensor *tensor) {
    bool is = tensor != NULL && tensor->shape_known;
    for (unsigned i = 0; is && i < tensor->rank; i++)
        is = tensor->dims[i] > 0 && tensor->dims[i] <= INT32_MAX;
    return is;
}

size_t rp_ops_integers(const struct rp_graph_tensor *tensor, int64_t *out, size_t max) {
    if (tensor == NULL || tensor->data == NULL ||
        (tensor->element != RP_ELEMENT_INT32 && tensor->element != RP_ELEMENT_INT64))
        return 0;
    size_t size = tensor->element == RP_ELEMENT_INT32 ? 4 : 8, count = tensor->size_bytes / size;
    for (size_t i = 0; i < count && i < max; i++) {
        const uint8_t *at = tensor->data + i * size;
        uint64_t high = size == 8 ? rp_get_le32(at + 4) : 0;
        out[i] =
            size == 8 ? (int64_t)(high << 32 | rp_get_le32(at)) : (int64_t)(int32_t)rp_get_le32(at);
    }
    return count;
}

/* ---- attributes ---- */

int64_t rp_ops_integer(const struct rp_ops_node *node, const char *name, int64_t missing) {
    const struct rp_attribute *a = rp_graph_attribute(node->node, name);
    return a != NULL ? a->integer : missing;
}

const char *rp_ops_text(const struct rp_ops_node *node, const char *name, const char *missing) {
    const struct rp_attribute *a = rp_graph_attribute(node->node, name);
    return a != NULL && a->text != NULL ? a->text : missing;
}

bool rp_ops_is_word(const char *words, const char *word) {
    size_t len = strlen(word);
    for (const char *at = strstr(words, word); at != NULL && len != 0; at = strstr(at + 1, word))
        if (at > words && at[-1] == ' ' && (at[len] == ' ' || at[len] == '\0'))
            return true;
    return false;
}

bool rp_ops_kind_is(const struct rp_ops_node *node, const char *kinds) {
    return rp_ops_is_word(kinds, node->kind);
}

/* ---- windows ---- */

static int64_t dim(const struct rp_graph_tensor *tensor, unsigned index) {
    return tensor != NULL && tensor->shape_known && index < tensor->rank &&
                   tensor->dims[index] > 0 && tensor->dims[index] <= INT32_MAX
               ? tensor->dims[index]
               : 0;
}

static void tflite_window(struct rp_ops_window *w, const struct rp_ops *ops,
                          const struct rp_ops_node *node) {
    bool depthwise = strcmp(node->node->op, "DEPTHWISE_CONV_2D") == 0;
    const struct rp_graph_tensor *in = rp_ops_data(ops, node);
    const struct rp_graph_tensor *kernel = rp_ops_operand(ops, node, 1);
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    bool pool = rp_ops_kind_is(node, " MaxPool AveragePool ");
    w->spatial = 2;
    w->height = pool ? rp_ops_integer(node, "filter_height", 0) : dim(kernel, 1);
    w->width = pool ? rp_ops_integer(node, "filter_width", 0) : dim(kernel, 2);
    w->stride_height = rp_ops_integer(node, "stride_h", 1);
    w->stride_width = rp_ops_integer(node, "stride_w", 1);
    w->dilation_height = rp_ops_integer(node, "dilation_h_factor", 1);
    w->dilation_width = rp_ops_integer(node, "dilation_w_factor", 1);
    w->in_height = dim(in, 1);
    w->in_width = dim(in, 2);
    w->in_channels = dim(in, 3);
    w->out_height = dim(out, 1);
    w->out_width = dim(out, 2);
    w->out_channels = dim(out, 3);
    /* a grouped kernel is as deep as one group */
    int64_t depth = depthwise ? 1 : dim(kernel, 3);
    w->groups = depth > 0 && w->in_channels % depth == 0 ? w->in_channels / depth : 1;
}

static int64_t item(const struct rp_attribute *list, size_t index, int64_t missing) {
    return list != NULL && list->list != NULL && index < list->count ? list->list[index] : missing;
}

/* Of one dimension the image is its width: a kernel of height 1. */
static void onnx_window(struct rp_ops_window *w, const struct rp_ops *ops,
                        const struct rp_ops_node *node) {
    const struct rp_graph_tensor *in = rp_ops_operand(ops, node, 0);
    const struct rp_graph_tensor *out = rp_ops_result(ops, node, 0);
    const struct rp_graph_tensor *weights =
        rp_ops_kind_is(node, " Conv ConvTranspose ") ? rp_ops_operand(ops, node, 1) : NULL;
    const struct rp_attribute *shape = rp_graph_attribute(node->node, "kernel_shape");
    const struct rp_attribute *strides = rp_graph_attribute(node->node, "strides");
    const struct rp_attribute *dilations = rp_graph_attribute(node->node, "dilations");
    const struct rp_attribute *pads = rp_graph_attribute(node->node, "pads");
    w->spatial = shape != NULL && shape->list != NULL    ? shape->count
                 : weights != NULL && weights->rank >= 3 ? weights->rank - 2U
                 : in != NULL && in->rank >= 3           ? in->rank - 2U
                                                         : 0;
    if (w->spatial == 0 || w->spatial > 2)
        return;
    unsigned flat = w->spatial == 1, last = (unsigned)w->spatial - 1;
    w->height = flat ? 1 : item(shape, 0, dim(weights, 2));
    w->width = item(shape, last, dim(weights, last + 2));
    w->stride_height = flat ? 1 : item(strides, 0, 1);
    w->stride_width = item(strides, last, 1);
    w->dilation_height = flat ? 1 : item(dilations, 0, 1);
    w->dilation_width = item(dilations, last, 1);
    w->top = flat ? 0 : item(pads, 0, 0);
    w->left = item(pads, last, 0);
    w->bottom = flat ? 0 : item(pads, 2, 0);
    w->right = item(pads, last + w->spatial, 0);
    w->groups = rp_ops_integer(node, "group", 1);
    w->in_channels = dim(in, 1);
    if (w->in_channels == 0 && rp_ops_kind_is(node, " Conv ") && w->groups > 0 &&
        w->groups <= INT32_MAX)
        w->in_channels = dim(weights, 1) * w->groups;
    w->in_height = flat ? 1 : dim(in, 2);
    w->in_width = dim(in, last + 2);
    w->out_channels = dim(out, 1);
    if (w->out_channels == 0 && rp_ops_kind_is(node, " Conv "))
        w->out_channels = dim(weights, 0);
    w->out_height = flat ? 1 : dim(out, 2);
    w->out_width = dim(out, last + 2);
}

/* Padding that keeps ceil(in / stride): begin and end, -1 when it cannot be told. */
static void same_padding(const int64_t in, int64_t kernel, int64_t stride, int64_t pads[2]) {
    pads[0] = pads[1] = -1;
    if (in <= 0 || kernel <= 0 || kernel > INT32_MAX || stride <= 0 || stride > INT32_MAX)
        return;
    int64_t all = ((in + stride - 1) / stride - 1) * stride + kernel - in;
    all = all > 0 ? all : 0;
    pads[0] = all / 2;
    pads[1] = all - all / 2;
}

static int64_t dilated(int64_t kernel, int64_t dilation) {
    bool fits = kernel > 0 && kernel <= INT16_MAX && dilation > 0 && dilation <= INT16_MAX;
    return fits ? (kernel - 1) * dilation + 1 : 0;
}

struct rp_ops_window rp_ops_window(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct rp_ops_window w = {0};
    if (node == ops->judged)
        return *ops->window;
    bool tflite = ops->graph->format == RP_GRAPH_TFLITE;
    (tflite ? tflite_window : onnx_window)(&w, ops, node);
    const char *padding =
        tflite ? rp_ops_text(node, "padding", "") : rp_ops_text(node, "auto_pad", "");
    if (strncmp(padding, "SAME", 4) == 0) {
        int64_t rows[2], columns[2];
        bool lower = strcmp(padding, "SAME_LOWER") == 0;
        same_padding(w.in_height, dilated(w.height, w.dilation_height), w.stride_height, rows);
        same_padding(w.in_width, dilated(w.width, w.dilation_width), w.stride_width, columns);
        w.top = rows[lower], w.bottom = rows[!lower];
        w.left = columns[lower], w.right = columns[!lower];
    }
    return w;
}
