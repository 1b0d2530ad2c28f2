/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shapes of operators that slide a window over an image of any number of dimensions, or resize it.
 * See infer.h.
 */
#include "toolchain/ops/infer_window.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "toolchain/graph/graph.h"
#include "toolchain/ops/infer.h"
#include "toolchain/ops/query.h"

/* ---- windows ---- */

/* One dimension of an image, and the window on it. */
struct side {
    int64_t in;
    int64_t extent; /* of the dilated kernel */
    int64_t stride;
    int64_t begin, end; /* padding */
};

static bool is_size(int64_t value) {
    return value > 0 && value <= INT32_MAX;
}

static bool is_padding(int64_t value) {
    return value >= -INT32_MAX && value <= INT32_MAX;
}

static const char *auto_pad(const struct rp_infer *in) {
    return rp_ops_text(in->node, "auto_pad", "NOTSET");
}

/* Reads dimension index of the image. kernel is the size that the weights have, or 0. */
static bool read_side(const struct rp_infer *in, const struct rp_infer_shape *image, unsigned index,
                      int64_t kernel, struct side *side) {
    size_t spatial = image->rank - 2;
    bool explicit = strcmp(auto_pad(in), "NOTSET") == 0;
    int64_t dilation = rp_ops_item(in->node, "dilations", index, 1);
    kernel = rp_ops_item(in->node, "kernel_shape", index, kernel);
    *side = (struct side){.in = image->dims[index + 2],
                          .stride = rp_ops_item(in->node, "strides", index, 1),
                          .begin = explicit ? rp_ops_item(in->node, "pads", index, 0) : 0,
                          .end = explicit ? rp_ops_item(in->node, "pads", index + spatial, 0) : 0};
    if (!is_size(kernel) || !is_size(dilation) || !is_size(side->stride) ||
        !is_padding(side->begin) || !is_padding(side->end))
        return false;
    side->extent = (kernel - 1) * dilation + 1;
    return side->extent <= INT32_MAX;
}

/* With ceil_mode, a partial window counts unless it starts in the padding at the end. */
static bool slide(const struct rp_infer *in, const struct side *side, int64_t *out) {
    bool same = strncmp(auto_pad(in), "SAME_", 5) == 0;
    bool up = rp_ops_integer(in->node, "ceil_mode", 0) != 0;
    int64_t room = side->in + side->begin + side->end - side->extent;
    if (side->in < 0) {
        *out = -1;
        return true;
    }
    if (same) {
        *out = (side->in + side->stride - 1) / side->stride;
        return true;
    }
    *out = room / side->stride + 1;
    if (up && room % side->stride != 0 && *out * side->stride < side->in + side->begin)
        (*out)++;
    return room >= 0;
}

/* weights is NULL for a pooling. */
static bool slide_all(const struct rp_infer *in, const struct rp_infer_shape *image,
                      const struct rp_infer_shape *weights, struct rp_infer_shape *out) {
    *out = *image;
    for (unsigned i = 0; i + 2 < image->rank; i++) {
        struct side side;
        if (!read_side(in, image, i, weights != NULL ? weights->dims[i + 2] : 0, &side) ||
            !slide(in, &side, &out->dims[i + 2]))
            return false;
    }
    return true;
}

bool rp_infer_conv(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape image, weights;
    if (!rp_infer_operand(in, 0, &image) || !rp_infer_operand(in, 1, &weights) || image.rank < 3 ||
        weights.rank != image.rank || !slide_all(in, &image, &weights, out))
        return false;
    out->dims[1] = weights.dims[0];
    return true;
}

bool rp_infer_pool(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape image;
    return rp_infer_operand(in, 0, &image) && image.rank >= 3 && slide_all(in, &image, NULL, out);
}

bool rp_infer_pool_all(const struct rp_infer *in, struct rp_infer_shape *out) {
    if (!rp_infer_operand(in, 0, out) || out->rank < 3)
        return false;
    for (unsigned i = 2; i < out->rank; i++)
        out->dims[i] = 1;
    return true;
}

/* ---- transposed convolution ---- */

static bool spread(const struct rp_infer *in, const struct side *side, unsigned index,
                   int64_t *out) {
    int64_t more = rp_ops_item(in->node, "output_padding", index, 0);
    *out = -1;
    if (side->in < 0)
        return true;
    if (!is_padding(more))
        return false;
    *out = side->stride * side->in;
    if (strncmp(auto_pad(in), "SAME_", 5) != 0)
        *out += side->extent - side->stride + more - side->begin - side->end;
    return *out > 0;
}

bool rp_infer_conv_transposed(const struct rp_infer *in, struct rp_infer_shape *out) {
    struct rp_infer_shape image, weights;
    const struct rp_attribute *sizes = rp_graph_attribute(in->node->node, "output_shape");
    int64_t groups = rp_ops_integer(in->node, "group", 1);
    bool given = sizes != NULL && sizes->list != NULL;
    if (!rp_infer_operand(in, 0, &image) || !rp_infer_operand(in, 1, &weights) || image.rank < 3 ||
        weights.rank != image.rank || !is_size(groups) || weights.dims[1] < 0)
        return false;
    *out = image;
    out->dims[1] = weights.dims[1] * groups;
    if (given && sizes->count + 2 != image.rank)
        return false;
    for (unsigned i = 0; i + 2 < image.rank; i++) {
        struct side side;
        if (given)
            out->dims[i + 2] = is_size(sizes->list[i]) ? sizes->list[i] : INT64_MAX;
        else if (!read_side(in, &image, i, weights.dims[i + 2], &side) ||
                 !spread(in, &side, i, &out->dims[i + 2]))
            return false;
    }
    return true;
}

/* ---- resizing ---- */

static bool real_at(const struct rp_graph_tensor *tensor, size_t index, float *out) {
    if (tensor->element != RP_ELEMENT_FLOAT32 || tensor->data == NULL ||
        index >= tensor->size_bytes / sizeof(float))
        return false;
    *out = rp_graph_float(rp_get_le32(tensor->data + index * sizeof(float)));
    return true;
}

static bool has_elements(const struct rp_graph_tensor *tensor) {
    return tensor != NULL && !(tensor->shape_known && tensor->rank == 1 && tensor->dims[0] == 0);
}

/* In single precision, like the runtimes. */
static bool scale_dim(const struct rp_graph_tensor *scales, size_t index, int64_t *dim) {
    float scale;
    if (!real_at(scales, index, &scale) || !(scale > 0))
        return false;
    if (*dim < 0)
        return true;
    float size = floorf((float)*dim * scale);
    *dim = size <= 0x1p30f ? (int64_t)size : INT64_MAX;
    return true;
}

/* Sizes or scales are for all dimensions or, since opset 18, for those in the axes attribute. */
bool rp_infer_resize(const struct rp_infer *in, struct rp_infer_shape *out) {
    const struct rp_graph_node *node = in->node->node;
    bool old = in->ops->graph->opset < 11 || strcmp(node->op, "Upsample") == 0;
    const struct rp_graph_tensor *scales = rp_ops_operand(in->ops, in->node, old ? 1 : 2);
    const struct rp_graph_tensor *sized = old ? NULL : rp_ops_operand(in->ops, in->node, 3);
    const struct rp_attribute *axes = rp_graph_attribute(node, "axes");
    struct rp_infer_ints sizes = {0};
    bool crops = strcmp(rp_ops_text(in->node, "coordinate_transformation_mode", ""),
                        "tf_crop_and_resize") == 0;
    if (!rp_infer_operand(in, 0, out) || (has_elements(sized) && !rp_infer_value(in, 3, &sizes)) ||
        strcmp(rp_ops_text(in->node, "keep_aspect_ratio_policy", "stretch"), "stretch") != 0)
        return false;
    size_t count = axes != NULL && axes->list != NULL ? axes->count : out->rank;
    if ((sizes.items == NULL && (!has_elements(scales) || crops)) || count > out->rank ||
        (sizes.items != NULL && sizes.count != count))
        return false;
    for (size_t i = 0; i < count; i++) {
        unsigned axis;
        if (!rp_infer_find_axis(rp_ops_item(in->node, "axes", i, (int64_t)i), out->rank, &axis))
            return false;
        if (sizes.items != NULL)
            out->dims[axis] = sizes.items[i] == RP_INT_VARIES ? -1 : sizes.items[i];
        else if (!scale_dim(scales, i, &out->dims[axis]))
            return false;
    }
    return true;
}
