#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Train the digits example and write every file of this folder that is generated.

In:   sklearn.datasets.load_digits (1797 grey 8x8 images, pixels 0..16, ten classes).
Out:  digits_float.c/.json      the network in float, and its manifest
      digits_int8.c/.json       the same network in int8, and its manifest
      test_images_u8.bin        the held-out images, N x 64 bytes, pixels 0..16
      test_labels.bin           their digits, N bytes
      image0.npy, probs0.npy              first held-out image and expected output, float
      image0_int8.npy, scores0_int8.npy   the same, int8

The network, channels first:

    image 1x8x8 -> conv 3x3, 16, ReLU -> max-pool 2x2 -> conv 3x3, 32, ReLU -> dense 10 -> softmax

Same versions, same bytes: all random numbers come from one seed, training is in double precision, and
what it yields is rounded to four decimals, far above what another BLAS or processor changes in the sums.

Needs Debian's python3-numpy and python3-sklearn:  /usr/bin/python3 train.py [--output DIR]
"""

import argparse
import json
import pathlib
import string

import numpy as np
from sklearn.datasets import load_digits

SEED = 1
TEST_COUNT = 360
EPOCHS = 60
BATCH = 32
LEARNING_RATE = 2e-3
WEIGHT_DECAY = 1e-2
SHIFT = 1.0
WEIGHT_DECIMALS = 4
PIXEL_MAX = 16.0

# The input scale makes every pixel value exact in int8: q = pixel - 128.
INPUT_SCALE, INPUT_ZERO_POINT = 1 / PIXEL_MAX, -128


# ---------------------------------------------------------------------------- data


def load_split():
    """Return pixels (uint8, N x 8 x 8) and labels (uint8, N) for training, then for the held-out test."""
    digits = load_digits()
    pixels, labels = digits.images.astype(np.uint8), digits.target.astype(np.uint8)
    order = np.random.RandomState(SEED).permutation(len(labels))
    test, train = order[:TEST_COUNT], order[TEST_COUNT:]
    return (pixels[train], labels[train]), (pixels[test], labels[test])


def to_float(pixels):
    """uint8 N x 8 x 8, 0..16  ->  float N x 1 x 8 x 8, 0..1."""
    return pixels[:, None].astype(np.float64) / PIXEL_MAX


def to_int8(pixels):
    """uint8 N x 8 x 8, 0..16  ->  int8 N x 1 x 8 x 8, -128..-112."""
    return (pixels[:, None].astype(np.int64) + INPUT_ZERO_POINT).astype(np.int8)


# ---------------------------------------------------------------------------- network, any number type


def patches(x):
    """N x C x H x W  ->  N x H x W x (C*9): the zero-padded 3x3 neighbourhood of every pixel."""
    n, c, h, w = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return windows.transpose(0, 2, 3, 1, 4, 5).reshape(n, h, w, c * 9)


def conv(x, weights, bias):
    """Return the convolution, N x O x H x W, and the patches its gradient needs."""
    cols = patches(x)
    return (cols @ weights.reshape(len(weights), -1).T + bias).transpose(0, 3, 1, 2), cols


def max_pool(x):
    """Return the 2x2 maximum and each winner's index in its 2x2 block."""
    n, c, h, w = x.shape
    blocks = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
    return blocks.max(axis=-1), blocks.argmax(axis=-1)


def softmax(logits):
    e = np.exp(logits - logits.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def forward(params, x):
    """Return every intermediate value; `logits` is the network's output before softmax."""
    v = {}
    z, v["cols1"] = conv(x, params["conv1_weights"], params["conv1_bias"])
    v["conv1"] = np.maximum(z, 0)
    v["pool1"], v["winner"] = max_pool(v["conv1"])
    z, v["cols2"] = conv(v["pool1"], params["conv2_weights"], params["conv2_bias"])
    v["conv2"] = np.maximum(z, 0)
    v["flat"] = v["conv2"].reshape(len(x), -1)
    v["logits"] = v["flat"] @ params["dense_weights"].T + params["dense_bias"]
    return v


# ---------------------------------------------------------------------------- training


def conv_gradient(dz, cols, weights):
    """Return gradients of weights, bias and input, given that of the output (N x O x H x W)."""
    n, o, h, w = dz.shape
    rows = dz.transpose(0, 2, 3, 1).reshape(-1, o)
    dweights = (rows.T @ cols.reshape(len(rows), -1)).reshape(weights.shape)
    dcols = (rows @ weights.reshape(o, -1)).reshape(n, h, w, -1, 3, 3)
    dpadded = np.zeros((n, weights.shape[1], h + 2, w + 2))
    for i in range(3):
        for j in range(3):
            dpadded[:, :, i:i + h, j:j + w] += dcols[..., i, j].transpose(0, 3, 1, 2)
    return dweights, rows.sum(axis=0), dpadded[:, :, 1:-1, 1:-1]


def max_pool_gradient(dy, winner):
    n, c, h, w = dy.shape
    blocks = np.zeros((n, c, h, w, 4))
    np.put_along_axis(blocks, winner[..., None], dy[..., None], axis=-1)
    return blocks.reshape(n, c, h, w, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, 2 * h, 2 * w)


def gradients(params, x, labels):
    """Gradients of the mean cross-entropy."""
    v = forward(params, x)
    d = softmax(v["logits"])
    d[np.arange(len(x)), labels] -= 1
    d /= len(x)
    g = {"dense_weights": d.T @ v["flat"], "dense_bias": d.sum(axis=0)}
    d = (d @ params["dense_weights"]).reshape(v["conv2"].shape) * (v["conv2"] > 0)
    g["conv2_weights"], g["conv2_bias"], d = conv_gradient(d, v["cols2"], params["conv2_weights"])
    d = max_pool_gradient(d, v["winner"]) * (v["conv1"] > 0)
    g["conv1_weights"], g["conv1_bias"], _ = conv_gradient(d, v["cols1"], params["conv1_weights"])
    return g


def initial_params(rng):
    def he(*shape):
        return rng.standard_normal(shape) * np.sqrt(2 / np.prod(shape[1:]))

    return {
        "conv1_weights": he(16, 1, 3, 3), "conv1_bias": np.zeros(16),
        "conv2_weights": he(32, 16, 3, 3), "conv2_bias": np.zeros(32),
        "dense_weights": he(10, 512), "dense_bias": np.zeros(10),
    }


def shifted(rng, x):
    """Each image moved by up to SHIFT pixels in both directions, bilinear, with 0 coming in at the border."""
    moves = rng.uniform(-SHIFT, SHIFT, (2, len(x), 1, 1, 1))
    for axis, move in zip((2, 3), moves):
        ahead, behind = np.zeros_like(x), np.zeros_like(x)
        ahead[(slice(None),) * axis + (slice(1, None),)] = x[(slice(None),) * axis + (slice(None, -1),)]
        behind[(slice(None),) * axis + (slice(None, -1),)] = x[(slice(None),) * axis + (slice(1, None),)]
        x = (1 - np.abs(move)) * x + np.maximum(move, 0) * ahead + np.maximum(-move, 0) * behind
    return x


def train(pixels, labels):
    """Adam with decoupled weight decay and a cosine learning rate. Returns the rounded parameters."""
    rng = np.random.RandomState(SEED)
    params = initial_params(rng)
    mean = {k: np.zeros_like(p) for k, p in params.items()}
    square = {k: np.zeros_like(p) for k, p in params.items()}
    x = to_float(pixels)
    steps = EPOCHS * (len(x) // BATCH)
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(x))
        for start in range(0, len(x) - BATCH + 1, BATCH):
            batch = order[start:start + BATCH]
            seen = shifted(rng, x[batch])
            rate = LEARNING_RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            step += 1
            for k, g in gradients(params, seen, labels[batch]).items():
                mean[k] = 0.9 * mean[k] + 0.1 * g
                square[k] = 0.999 * square[k] + 0.001 * g * g
                update = mean[k] / (1 - 0.9 ** step) / (np.sqrt(square[k] / (1 - 0.999 ** step)) + 1e-8)
                params[k] = params[k] - rate * (update + WEIGHT_DECAY * params[k])
    # Adding 0 turns -0.0 into 0.0.
    return {k: np.round(p, WEIGHT_DECIMALS) + 0.0 for k, p in params.items()}


# ---------------------------------------------------------------------------- int8


class Int8Layer:
    """A convolution or dense layer in int8: y = clamp(((W . (x - in_zero_point) + bias) * multiplier) >> shift)."""

    def __init__(self, weights, bias, into, out):
        (in_scale, self.in_zero_point), (out_scale, self.out_zero_point) = into, out
        scale = np.abs(weights.reshape(len(weights), -1)).max(axis=1) / 127  # one per output channel
        self.weights = np.round(weights / scale.reshape((-1,) + (1,) * (weights.ndim - 1))).astype(np.int64)
        self.bias = np.round(bias / (in_scale * scale)).astype(np.int64)
        pairs = [fixed_point(s) for s in in_scale * scale / out_scale]
        self.multiplier, self.shift = (np.array(column, dtype=np.int64) for column in zip(*pairs))

    def requantise(self, total):
        """int32 sums, channels last  ->  int8 values. The C code rounds in exactly this way."""
        scaled = (total * self.multiplier + (1 << (self.shift - 1))) >> self.shift
        return np.clip(scaled + self.out_zero_point, -128, 127)


def fixed_point(real):
    """A positive real number as (multiplier, shift), real = multiplier / 2**shift, multiplier in [2**30, 2**31)."""
    fraction, exponent = np.frexp(real)
    multiplier = int(np.round(fraction * 2 ** 31))
    if multiplier == 2 ** 31:
        multiplier, exponent = 2 ** 30, exponent + 1
    shift = 31 - int(exponent)
    assert 0 < shift < 63
    return multiplier, shift


def tensor_scale(values):
    """Scale (six digits, so that it prints exactly) and zero point covering all values and 0."""
    low, high = min(values.min(), 0), max(values.max(), 0)
    scale = float(f"{(high - low) / 255:.6g}")
    return scale, int(np.clip(np.round(-128 - low / scale), -128, 127))


def quantise(params, pixels):
    """Post-training quantisation; the ranges of the activations come from the training images."""
    v = forward(params, to_float(pixels))
    scales = {
        "image": (INPUT_SCALE, INPUT_ZERO_POINT),
        "conv1": tensor_scale(v["conv1"]),
        "conv2": tensor_scale(v["conv2"]),
        "logits": tensor_scale(v["logits"]),
    }
    path = {"conv1": ("image", "conv1"), "conv2": ("conv1", "conv2"), "dense": ("conv2", "logits")}
    layers = {
        name: Int8Layer(params[name + "_weights"], params[name + "_bias"], scales[into], scales[out])
        for name, (into, out) in path.items()
    }
    return layers, scales


def forward_int8(layers, images):
    """The whole int8 network on int8 N x 1 x 8 x 8, in integers. Returns int8 N x 10."""
    def run_conv(layer, x):
        # The zero point is taken off before padding, so the border counts as 0.
        cols = patches(x - layer.in_zero_point)
        total = cols @ layer.weights.reshape(len(layer.weights), -1).T + layer.bias
        return layer.requantise(total).transpose(0, 3, 1, 2)

    x, _ = max_pool(run_conv(layers["conv1"], images.astype(np.int64)))
    x = run_conv(layers["conv2"], x).reshape(len(images), -1)
    dense = layers["dense"]
    return dense.requantise((x - dense.in_zero_point) @ dense.weights.T + dense.bias).astype(np.int8)


# ---------------------------------------------------------------------------- C text


def c_array(ctype, name, values, shape_text):
    """A flat C array; rows of equal width, and a comment with the shape."""
    flat = np.asarray(values).ravel()
    texts = [f"{v:7.4f}f" if ctype == "float" else f"{v:d}" for v in flat]
    width = max(len(t) for t in texts)
    per_line = max(1, 95 // (width + 2))
    lines = [
        "    " + ", ".join(t.rjust(width) for t in texts[i:i + per_line]) + ","
        for i in range(0, len(texts), per_line)
    ]
    return "\n".join([f"/* {shape_text} */", f"static const {ctype} {name}[{len(flat)}] = {{", *lines, "};", ""])


SHAPES = {
    "conv1": ("16 out, 1 in, 3x3", "16 out"),
    "conv2": ("32 out, 16 in, 3x3", "32 out"),
    "dense": ("10 out, 512 in", "10 out"),
}

FLOAT_C = string.Template("""\
/* SPDX-License-Identifier: Apache-2.0
 *
 * digits_float: handwritten digits, 8x8 grey pixels -> one probability per digit, in float.
 * Generated by train.py; do not edit.
 *
 * In:  image, 1x8x8, 0 (paper) to 1 (ink).
 * Out: probs, 1x10, they add up to 1.
 * Not reentrant: the activations are static.
 */
#include <math.h>
#include <string.h>

/* One row of the table below. Tensors are flat, channels first; height = width = `size`. */
struct layer {
    void (*run)(const struct layer *layer);
    const float *in;
    float *out;
    const float *weights;
    const float *bias;
    int in_channels;
    int out_channels;
    int size; /* of the input, in pixels */
};

/* ---- weights ---- */
/* clang-format off */

$arrays
/* clang-format on */

/* ---- activations: a layer reads one buffer and writes the other ---- */

static union {
    float image[1 * 8 * 8];
    float pool1[16 * 4 * 4];
    float logits[10];
} even;

static union {
    float conv1[16 * 8 * 8];
    float conv2[32 * 4 * 4];
    float probs[10];
} odd;

/* ---- kernels ---- */

/* The weighted 3x3 neighbourhood of one pixel in one channel; 0 outside the image. */
static float neighbourhood(const float *in, const float *weights, int size, int y, int x) {
    float sum = 0.0f;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int row = y + i - 1;
            int column = x + j - 1;
            if (row >= 0 && row < size && column >= 0 && column < size) {
                sum += in[row * size + column] * weights[i * 3 + j];
            }
        }
    }
    return sum;
}

static float conv3x3_pixel(const struct layer *layer, int o, int y, int x) {
    int size = layer->size;
    float sum = layer->bias[o];
    for (int c = 0; c < layer->in_channels; c++) {
        const float *weights = &layer->weights[(o * layer->in_channels + c) * 9];
        sum += neighbourhood(&layer->in[c * size * size], weights, size, y, x);
    }
    return sum;
}

static void conv3x3_relu(const struct layer *layer) {
    int size = layer->size;
    for (int o = 0; o < layer->out_channels; o++) {
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                float sum = conv3x3_pixel(layer, o, y, x);
                layer->out[(o * size + y) * size + x] = sum > 0.0f ? sum : 0.0f;
            }
        }
    }
}

static void max_pool2x2(const struct layer *layer) {
    int half = layer->size / 2;
    for (int i = 0; i < layer->out_channels * half * half; i++) {
        const float *in = &layer->in[(i / half) * 2 * layer->size + (i % half) * 2];
        const float *below = &in[layer->size];
        float top = in[0] > in[1] ? in[0] : in[1];
        float bottom = below[0] > below[1] ? below[0] : below[1];
        layer->out[i] = top > bottom ? top : bottom;
    }
}

static void dense(const struct layer *layer) {
    for (int o = 0; o < layer->out_channels; o++) {
        const float *weights = &layer->weights[o * layer->in_channels];
        float sum = layer->bias[o];
        for (int i = 0; i < layer->in_channels; i++) {
            sum += layer->in[i] * weights[i];
        }
        layer->out[o] = sum;
    }
}

static void softmax(const struct layer *layer) {
    float max = layer->in[0];
    for (int i = 1; i < layer->in_channels; i++) {
        max = layer->in[i] > max ? layer->in[i] : max;
    }
    float sum = 0.0f;
    for (int i = 0; i < layer->in_channels; i++) {
        layer->out[i] = expf(layer->in[i] - max);
        sum += layer->out[i];
    }
    for (int i = 0; i < layer->in_channels; i++) {
        layer->out[i] /= sum;
    }
}

/* ---- network ---- */

static const struct layer layers[] = {
    {conv3x3_relu, even.image, odd.conv1, conv1_weights, conv1_bias, 1, 16, 8},
    {max_pool2x2, odd.conv1, even.pool1, 0, 0, 16, 16, 8},
    {conv3x3_relu, even.pool1, odd.conv2, conv2_weights, conv2_bias, 16, 32, 4},
    {dense, odd.conv2, even.logits, dense_weights, dense_bias, 512, 10, 1},
    {softmax, even.logits, odd.probs, 0, 0, 10, 10, 1},
};

void digits_float(const float image[1][8][8], float probs[1][10]) {
    memcpy(even.image, image, sizeof even.image);
    for (unsigned i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        layers[i].run(&layers[i]);
    }
    memcpy(probs, odd.probs, sizeof odd.probs);
}
""")

INT8_C = string.Template("""\
/* SPDX-License-Identifier: Apache-2.0
 *
 * digits_int8: handwritten digits, 8x8 grey pixels -> one score per digit, in int8.
 * Generated by train.py; do not edit.
 *
 * real value = scale * (int8 value - zero point):
 * In:  image, 1x8x8, scale $in_scale, zero point $in_zero_point; 0 (paper) to 1 (ink).
 * Out: scores, 1x10, scale $out_scale, zero point $out_zero_point; logits, the largest is the digit.
 * Not reentrant: the activations are static.
 */
#include <stdint.h>
#include <string.h>

/* One row of the table below. Tensors are flat, channels first; height = width = `size`.
 * A sum of output channel o becomes (sum * multiplier[o]) / 2^shift[o] + out_zero_point. */
struct layer {
    void (*run)(const struct layer *layer);
    const int8_t *in;
    int8_t *out;
    const int8_t *weights;
    const int32_t *bias;
    const int32_t *multiplier;
    const uint8_t *shift;
    int16_t in_zero_point;
    int16_t out_zero_point;
    int16_t in_channels;
    int16_t out_channels;
    int16_t size; /* of the input, in pixels */
};

/* ---- weights ---- */
/* clang-format off */

$arrays
/* clang-format on */

/* ---- activations: a layer reads one buffer and writes the other ---- */

static union {
    int8_t image[1 * 8 * 8];
    int8_t pool1[16 * 4 * 4];
    int8_t scores[10];
} even;

static union {
    int8_t conv1[16 * 8 * 8];
    int8_t conv2[32 * 4 * 4];
} odd;

/* ---- kernels ---- */

/* Rounds to nearest. The bounds of int8 are also what ReLU needs, as its zero point is -128.
 * The right shift of a negative number is arithmetic on every compiler this is meant for. */
static int8_t requantise(const struct layer *layer, int o, int32_t sum) {
    int shift = layer->shift[o];
    int64_t product = (int64_t)sum * layer->multiplier[o] + ((int64_t)1 << (shift - 1));
    int32_t value = (int32_t)(product >> shift) + layer->out_zero_point;
    if (value < INT8_MIN) {
        value = INT8_MIN;
    }
    if (value > INT8_MAX) {
        value = INT8_MAX;
    }
    return (int8_t)value;
}

/* The weighted 3x3 neighbourhood of one pixel in one channel; 0 outside the image. */
static int32_t neighbourhood(const struct layer *layer, const int8_t *in, const int8_t *weights,
                             int y, int x) {
    int size = layer->size;
    int32_t sum = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int row = y + i - 1;
            int column = x + j - 1;
            if (row >= 0 && row < size && column >= 0 && column < size) {
                sum += (in[row * size + column] - layer->in_zero_point) * weights[i * 3 + j];
            }
        }
    }
    return sum;
}

static int8_t conv3x3_pixel(const struct layer *layer, int o, int y, int x) {
    int pixels = layer->size * layer->size;
    int32_t sum = layer->bias[o];
    for (int c = 0; c < layer->in_channels; c++) {
        const int8_t *weights = &layer->weights[(o * layer->in_channels + c) * 9];
        sum += neighbourhood(layer, &layer->in[c * pixels], weights, y, x);
    }
    return requantise(layer, o, sum);
}

static void conv3x3_relu(const struct layer *layer) {
    int size = layer->size;
    for (int o = 0; o < layer->out_channels; o++) {
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                layer->out[(o * size + y) * size + x] = conv3x3_pixel(layer, o, y, x);
            }
        }
    }
}

static void max_pool2x2(const struct layer *layer) {
    int half = layer->size / 2;
    for (int i = 0; i < layer->out_channels * half * half; i++) {
        const int8_t *in = &layer->in[(i / half) * 2 * layer->size + (i % half) * 2];
        const int8_t *below = &in[layer->size];
        int8_t top = in[0] > in[1] ? in[0] : in[1];
        int8_t bottom = below[0] > below[1] ? below[0] : below[1];
        layer->out[i] = top > bottom ? top : bottom;
    }
}

static void dense(const struct layer *layer) {
    for (int o = 0; o < layer->out_channels; o++) {
        const int8_t *weights = &layer->weights[o * layer->in_channels];
        int32_t sum = layer->bias[o];
        for (int i = 0; i < layer->in_channels; i++) {
            sum += (layer->in[i] - layer->in_zero_point) * weights[i];
        }
        layer->out[o] = requantise(layer, o, sum);
    }
}

/* ---- network ---- */

/* clang-format off */
static const struct layer layers[] = {
    {conv3x3_relu, even.image, odd.conv1, conv1_weights, conv1_bias, conv1_multiplier, conv1_shift,
     $conv1_zero_points, 1, 16, 8},
    {max_pool2x2, odd.conv1, even.pool1, 0, 0, 0, 0, 0, 0, 16, 16, 8},
    {conv3x3_relu, even.pool1, odd.conv2, conv2_weights, conv2_bias, conv2_multiplier, conv2_shift,
     $conv2_zero_points, 16, 32, 4},
    {dense, odd.conv2, even.scores, dense_weights, dense_bias, dense_multiplier, dense_shift,
     $dense_zero_points, 512, 10, 1},
};
/* clang-format on */

void digits_int8(const int8_t image[1][8][8], int8_t scores[1][10]) {
    memcpy(even.image, image, sizeof even.image);
    for (unsigned i = 0; i < sizeof layers / sizeof layers[0]; i++) {
        layers[i].run(&layers[i]);
    }
    memcpy(scores, even.scores, sizeof even.scores);
}
""")


def float_c(params):
    arrays = [
        c_array("float", f"{layer}_{kind}", params[f"{layer}_{kind}"], shape)
        for layer, shapes in SHAPES.items() for kind, shape in zip(("weights", "bias"), shapes)
    ]
    return FLOAT_C.substitute(arrays="\n".join(arrays))


def int8_c(layers, scales):
    arrays = []
    for name, (shape, channels) in SHAPES.items():
        layer = layers[name]
        arrays += [
            c_array("int8_t", name + "_weights", layer.weights, shape),
            c_array("int32_t", name + "_bias", layer.bias, channels),
            c_array("int32_t", name + "_multiplier", layer.multiplier, channels),
            c_array("uint8_t", name + "_shift", layer.shift, channels),
        ]
    zero_points = {f"{k}_zero_points": f"{v.in_zero_point}, {v.out_zero_point}" for k, v in layers.items()}
    return INT8_C.substitute(
        arrays="\n".join(arrays), **zero_points,
        in_scale=scales["image"][0], in_zero_point=scales["image"][1],
        out_scale=scales["logits"][0], out_zero_point=scales["logits"][1])


# ---------------------------------------------------------------------------- other files


def tensor(name, dtype, shape, quantisation=None):
    t = {"name": name, "dtype": dtype, "shape": shape}
    if quantisation:
        t["scale"], t["zero_point"] = quantisation
    return t


def manifest(name, inputs, outputs):
    """relocpack's description of a plain C model; one line per member."""
    members = {"name": name, "entry": name, "sources": [name + ".c"], "include_dirs": [], "defines": [],
               "inputs": inputs, "outputs": outputs}
    return "{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in members.items()) + "\n}\n"


def write_models(folder, params, layers, scales):
    (folder / "digits_float.c").write_text(float_c(params))
    (folder / "digits_int8.c").write_text(int8_c(layers, scales))
    (folder / "digits_float.json").write_text(manifest(
        "digits_float", [tensor("image", "float32", [1, 8, 8])], [tensor("probs", "float32", [1, 10])]))
    (folder / "digits_int8.json").write_text(manifest(
        "digits_int8", [tensor("image", "int8", [1, 8, 8], scales["image"])],
        [tensor("scores", "int8", [1, 10], scales["logits"])]))


def write_data(folder, pixels, labels, probs, scores):
    (folder / "test_images_u8.bin").write_bytes(pixels.tobytes())
    (folder / "test_labels.bin").write_bytes(labels.tobytes())
    np.save(folder / "image0.npy", to_float(pixels)[0].astype("<f4"))
    np.save(folder / "probs0.npy", probs[:1].astype("<f4"))
    np.save(folder / "image0_int8.npy", to_int8(pixels)[0])
    np.save(folder / "scores0_int8.npy", scores[:1])


def main():
    parser = argparse.ArgumentParser(description="Train the digits example and write its generated files.")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path(__file__).parent, metavar="DIR")
    folder = parser.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)

    (train_pixels, train_labels), (pixels, labels) = load_split()
    params = train(train_pixels, train_labels)
    layers, scales = quantise(params, train_pixels)
    probs = softmax(forward(params, to_float(pixels))["logits"])
    scores = forward_int8(layers, to_int8(pixels))

    write_models(folder, params, layers, scales)
    write_data(folder, pixels, labels, probs, scores)
    for name, out in (("float", probs), ("int8", scores)):
        correct = int((out.argmax(axis=1) == labels).sum())
        print(f"{name}: {correct} of {len(labels)} held-out digits right, {100 * correct / len(labels):.2f} %")


if __name__ == "__main__":
    main()
