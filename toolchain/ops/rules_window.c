/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about kernels, strides, padding, channels and pooling windows. 0 means "not known". */
#include "toolchain/ops/rules_window.h"

#include "toolchain/ops/ops.h"
#include "toolchain/ops/query.h"
#include "toolchain/ops/window.h"

#define KERNEL  "Optimal Kernel Size / Stride Size"
#define ONE     "Special Case: 1x1 Kernel"
#define WIDTH   "Optimal Feature Width"
#define POOL    "Optimal Pool Operations with up to 3x3 Pooling Windows"
#define TIPS    "Convolutions tips"
#define AVERAGE "AveragePool limitations"
#define MAPPING RP_OPS_TABLES

#define CONV  "Conv"
#define CONVS "Conv ConvTranspose"
#define POOLS "MaxPool AveragePool"

enum {
    HEIGHT_MAX = 3,
    WIDTH_MAX = 6,
    STRIDED_WIDTH_MAX = 12,
    LINE_MAX = 2048, /* width times channels */
    FEATURE_WIDTH_MAX = 65535,
    POOL_MAX = 3,
    IMAGE_CHANNELS = 4, /* an image cannot have more, even if that would be better */
    POOL_STRIDE_MAX = 15,
    POOL_PAD_MAX = 7,
    PAD_MAX = 2,
    BIG_DILATION = 3,
    UNITS = 4, /* for convolutions, of UNIT_IN input and UNIT_OUT output channels each */
    UNIT_IN = 128,
    UNIT_OUT = 24,
    PRIME_MIN = 5,
    PRIME_MAX = UINT16_MAX /* no model has more channels */
};

typedef struct rp_ops_window window;

/* Defines a condition on the window of a node. */
#define ON_WINDOW(name, expression)                                                                \
    static bool name(const struct rp_ops *ops, const struct rp_ops_node *node) {                   \
        const window of_node = rp_ops_window(ops, node), *w = &of_node;                            \
        return w->spatial <= 2 && (expression);                                                    \
    }

static int64_t width_max(const window *w) {
    return w->stride_width >= 2 ? STRIDED_WIDTH_MAX : WIDTH_MAX;
}

static bool is_good_stride(int64_t stride) {
    return stride == 1 || stride == 2 || stride == 4;
}

/* Are the channels a multiple of some number between low and high? */
static bool is_multiple(int64_t channels, int64_t low, int64_t high) {
    int64_t parts = (channels + high - 1) / high;
    return channels >= low * parts;
}

static bool is_prime(int64_t number) {
    if (number < PRIME_MIN || number > PRIME_MAX || number % 2 == 0)
        return false;
    for (int64_t i = 3; i * i <= number; i += 2)
        if (number % i == 0)
            return false;
    return true;
}

/* Kernels larger than the hardware's are computed in steps, preferably of 3 by 3. */
static bool is_large(const window *w) {
    return w->width > width_max(w) || w->height > HEIGHT_MAX;
}

static bool is_line_long(const window *w, int64_t channels) {
    return w->in_width > 0 && channels > LINE_MAX / w->in_width;
}

/* A pooling over the whole image is done as a global pooling. */
static bool is_whole(const window *w) {
    return w->height == w->in_height && w->width == w->in_width && w->top <= 0 && w->left <= 0 &&
           w->bottom <= 0 && w->right <= 0;
}

/* ---- convolution ---- */

ON_WINDOW(is_too_wide, w->width > width_max(w))
ON_WINDOW(is_too_high, w->height > HEIGHT_MAX)
ON_WINDOW(is_height_poor, w->height == 2 && w->width > 1)
ON_WINDOW(is_width_poor, w->height > 1 && w->width > 1 && w->width != 3 && w->width != 6 &&
                             w->width != 12 && !is_large(w))
ON_WINDOW(is_stride_width_odd, w->stride_width > 0 && !is_good_stride(w->stride_width))
ON_WINDOW(is_stride_height_odd,
          w->stride_height > 0 && w->in_height != 1 && !is_good_stride(w->stride_height))
/* in an image of one row, vertical strides do not matter */
ON_WINDOW(is_strided, (w->in_height != 1 && (w->stride_height == 2 || w->stride_height == 4)) ||
                          w->stride_width == 2 || w->stride_width == 4)
ON_WINDOW(is_stride_over_kernel,
          (w->width > 0 && w->stride_width > w->width) ||
              (w->height > 0 && w->in_height != 1 && w->stride_height > w->height))
/* a unit works on the channels of one group; in a depthwise convolution each has its own kernel */
ON_WINDOW(is_one_by_one_poor, w->height == 1 && w->width == 1 && w->groups == 1 &&
                                  w->in_channels > 0 && w->out_channels > 0 &&
                                  (!is_multiple(w->in_channels, 72, UNIT_IN) ||
                                   !is_multiple(w->out_channels, 16, UNIT_OUT)))
ON_WINDOW(is_one_by_one_large,
          w->height == 1 && w->width == 1 && w->groups == 1 && w->in_channels > 0 &&
              w->out_channels > 0 &&
              (w->in_channels - 1) / UNIT_IN + 1 > UNITS / ((w->out_channels - 1) / UNIT_OUT + 1))
ON_WINDOW(is_feature_wide,
          w->height > 1 && w->groups > 0 && is_line_long(w, w->in_channels / w->groups))
ON_WINDOW(is_feature_huge, w->height == 1 && w->in_width > FEATURE_WIDTH_MAX)
/* a kernel size of 1 cannot be dilated */
ON_WINDOW(is_dilated, (w->height != 1 && w->dilation_height >= BIG_DILATION) ||
                          (w->width != 1 && w->dilation_width >= BIG_DILATION))
ON_WINDOW(is_prime_channels, is_prime(w->in_channels) || is_prime(w->out_channels))
ON_WINDOW(is_large_odd, is_large(w) && ((w->width > 1 && w->width % 3 != 0) ||
                                        (w->height > 1 && w->height % 3 != 0)))
ON_WINDOW(is_padded,
          w->top > PAD_MAX || w->left > PAD_MAX || w->bottom > PAD_MAX || w->right > PAD_MAX)
ON_WINDOW(is_widening, w->groups == 1 && w->in_channels > IMAGE_CHANNELS &&
                           w->out_channels >= 4 * w->in_channels)
ON_WINDOW(is_single_input, w->in_height == 1 && w->in_width == 1 && w->in_channels == 1)

/* ---- pooling ---- */

ON_WINDOW(is_pool_large, w->height > POOL_MAX || w->width > POOL_MAX)
ON_WINDOW(is_average_large, (w->height > POOL_MAX || w->width > POOL_MAX) && !is_whole(w))
ON_WINDOW(is_average_whole, (w->height > POOL_MAX || w->width > POOL_MAX) && is_whole(w))
ON_WINDOW(is_pool_stride_large,
          (w->stride_height > POOL_STRIDE_MAX || w->stride_width > POOL_STRIDE_MAX) && !is_whole(w))
ON_WINDOW(is_pool_line_long, is_line_long(w, w->in_channels))
ON_WINDOW(is_average_padded, w->left > POOL_PAD_MAX || w->right > POOL_PAD_MAX ||
                                 w->top > POOL_PAD_MAX ||
                                 (w->height > 0 && w->bottom > w->height - 1))
ON_WINDOW(is_global_large, w->in_width > 0 && w->in_height > RP_OPS_GLOBAL_MAX / w->in_width)

/* The page gives no number for "more". The convolution may have an activation in itself. */
static bool is_behind_widening(const struct rp_ops *ops, const struct rp_ops_node *node) {
    struct rp_ops_node *from = rp_ops_in_front(ops, node, 0);
    if (from != NULL)
        from = rp_ops_whole(ops, from);
    if (from == NULL || !rp_ops_kind_is(from, CONVS))
        return false;
    const window w = rp_ops_window(ops, from);
    return w.in_channels > 0 && w.out_channels > w.in_channels;
}

static bool is_deep(const struct rp_ops *ops, const struct rp_ops_node *node) {
    return rp_ops_window(ops, node).spatial > 2;
}

const struct rp_ops_rule rp_ops_window_rules[] = {
    {"kernel-width", 0, false, CONV, is_too_wide, RP_OPS_KEEP,
     "kernel wider than 6 (12 with a stride of 2 or more): done in steps",
     "Use kernels of at most 6 columns, 12 with a stride of 2 or more.", KERNEL},
    {"kernel-height", 0, false, CONV, is_too_high, RP_OPS_KEEP,
     "kernel higher than 3: done in steps", "Use kernels of at most 3 rows.", KERNEL},
    {"kernel-height-use", 0, false, CONV, is_height_poor, RP_OPS_KEEP,
     "a kernel of 2 rows takes as long as one of 3", "Use 3 rows, or 1.", KERNEL},
    {"kernel-width-use", 0, false, CONV, is_width_poor, RP_OPS_KEEP,
     "a kernel width between 1, 3, 6 and 12 takes as long as the next of them",
     "Use 3, 6 or 12 columns, or 1.", KERNEL},
    {"stride-width", 0, false, CONV, is_stride_width_odd, RP_OPS_KEEP,
     "horizontal stride other than 1, 2 and 4", "Use a horizontal stride of 1, 2 or 4.", KERNEL},
    {"stride-height", 0, false, CONV, is_stride_height_odd, RP_OPS_KEEP,
     "vertical stride other than 1, 2 and 4", "Use a vertical stride of 1, 2 or 4.", KERNEL},
    {"stride-reuse", 0, false, CONV, is_strided, RP_OPS_KEEP,
     "strides of 2 and 4 use data again less often, vertical ones are inefficient",
     "Prefer stride 1 where the model allows it.", TIPS},
    {"stride-over-kernel", 0, false, CONV, is_stride_over_kernel, RP_OPS_KEEP,
     "stride larger than the kernel: not native in hardware",
     "Use strides no larger than the kernel; the data in between is not used at all.", KERNEL},
    {"one-by-one-channels", 0, false, CONV, is_one_by_one_poor, RP_OPS_KEEP,
     "1x1 kernel with channels that do not fill the units",
     "With 1x1 kernels use N * 72 to 128 input channels and M * 16 to 24 (best 24) output "
     "channels.",
     ONE},
    {"one-by-one-passes", 0, false, CONV, is_one_by_one_large, RP_OPS_KEEP,
     "1x1 kernel with more channels than the 4 convolution units take: done in several passes",
     "A unit takes 128 input and 24 output channels; N units in series and M in parallel are done "
     "in one pass while N * M is at most 4.",
     ONE},
    {"feature-width", 0, false, CONV, is_feature_wide, RP_OPS_KEEP,
     "width times input channels is over 2048: fewer channels at once, or columns",
     "Keep width times input channels at 2048 or below, or use kernels of 1 row.", WIDTH},
    {"feature-width-limit", 0, false, CONV, is_feature_huge, RP_OPS_CONDITIONAL,
     "wider than 65535, the limit for kernels of 1 row", "Split the input.", KERNEL},
    {"dilation", 0, false, CONV, is_dilated, RP_OPS_KEEP, "dilation of 3 or more",
     "Avoid large dilations.", TIPS},
    {"prime-channels", 0, false, CONV, is_prime_channels, RP_OPS_KEEP,
     "a prime number of channels or kernels cannot be split",
     "Use numbers of channels with many divisors.", TIPS},
    {"large-kernel", 0, false, CONV, is_large_odd, RP_OPS_KEEP,
     "a large kernel whose sides are not multiples of 3",
     "Where kernels have to be large, use multiples of 3 for width and height.", TIPS},
    {"padding", 0, false, CONV, is_padded, RP_OPS_KEEP, "padding of more than 2 takes time",
     "Pad by at most 2.", TIPS},
    {"channel-ratio", 0, false, CONV, is_widening, RP_OPS_KEEP,
     "4 or more times as many output as input channels",
     "Layers with more input than output channels can often be mapped better.", KERNEL},
    {"single-input", 0, false, CONV, is_single_input, RP_OPS_CONDITIONAL,
     "reads one number; compiled networks have that in software",
     "Give squeeze-and-excite blocks 2 channels or more inside.", MAPPING},
    {"dimensions", 0, false, "Conv ConvTranspose MaxPool GlobalAveragePool GlobalMaxPool", is_deep,
     RP_OPS_CONDITIONAL, "over more than 2 dimensions; the tables speak of one and two",
     "Use one or two dimensions.", MAPPING},
    {"pool-window", 0, false, "MaxPool", is_pool_large, RP_OPS_KEEP,
     "pooling window larger than 3: done in steps", "Use pooling windows of at most 3x3.", POOL},
    {"average-window", 0, false, "AveragePool", is_average_large, RP_OPS_SW_INT,
     "average over a window larger than 3, but not over the whole image",
     "Use pooling windows of at most 3x3.", AVERAGE},
    {"average-padding", 0, false, "AveragePool", is_average_padded, RP_OPS_SW_INT,
     "padding over 7 at the left, right or top, or of the window's height at the bottom",
     "Pad in a separate operator, or less.", AVERAGE},
    {"average-dimensions", 0, false, "AveragePool", is_deep, RP_OPS_SW_INT,
     "average over more than 2 dimensions", "Use one or two dimensions.", AVERAGE},
    {"pool-stride", 0, false, POOLS, is_pool_stride_large, RP_OPS_SW_INT,
     "pooling with a stride over 15", "Use strides of 1 to 15.", AVERAGE},
    {"pool-width", 0, false, POOLS, is_pool_line_long, RP_OPS_KEEP,
     "width times channels is over 2048: split into columns",
     "Keep width times channels at 2048 or below before pooling.", POOL},
    {"pool-chain", 0, false, POOLS, is_behind_widening, RP_OPS_KEEP,
     "after a convolution that makes more channels than it reads: over a limit that the vendor "
     "does not give, pooling is not chained with it",
     "Pool before the channels grow, or compile it, and compare with --network.", POOL},
    {"average-whole", 0, false, "AveragePool", is_average_whole, RP_OPS_CONDITIONAL,
     "average over the whole image: larger than AveragePool's 3x3, but a global pooling in "
     "compiled "
     "networks",
     "Use GlobalAveragePool.", AVERAGE},
    {"global-pool-window", 0, false, "GlobalAveragePool GlobalMaxPool", is_global_large,
     RP_OPS_CONDITIONAL,
     "the window is limited, to a size that the vendor does not give; over 64x32, the largest seen "
     "in hardware",
     "Compile it, and compare with --network; otherwise pool in steps of at most 3x3 before.",
     RP_OPS_ONNX_TABLE},
    {0}};
