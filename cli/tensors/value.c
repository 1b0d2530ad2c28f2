/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a tensor: see value.h. */
#include "cli/tensors/value.h"

#include <float.h>
#include <math.h>
#include <string.h>

static uint64_t load(const struct rp_dtype *dtype, const uint8_t *at) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < dtype->size_bytes; i++)
        bits |= (uint64_t)at[i] << (8 * i);
    return bits;
}

static void store(const struct rp_dtype *dtype, uint64_t bits, uint8_t *at) {
    for (uint32_t i = 0; i < dtype->size_bytes; i++)
        at[i] = (uint8_t)(bits >> (8 * i));
}

int64_t rp_value_integer(const struct rp_dtype *dtype, const uint8_t *at) {
    uint64_t bits = load(dtype, at);
    unsigned shift = (64 - 8 * dtype->size_bytes) % 64;
    return dtype->is_signed ? (int64_t)(bits << shift) >> shift : (int64_t)bits;
}

double rp_value_get(const struct rp_dtype *dtype, const uint8_t *at) {
    uint64_t bits = load(dtype, at);
    if (dtype->is_float && dtype->size_bytes == 4) {
        uint32_t word = (uint32_t)bits;
        float value;
        memcpy(&value, &word, sizeof value);
        return (double)value;
    }
    if (dtype->is_float) {
        double value;
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    return dtype->is_signed ? (double)rp_value_integer(dtype, at) : (double)bits;
}

double rp_value_real(const struct rp_tensor *tensor, const uint8_t *at) {
    double value = rp_value_get(tensor->dtype, at);
    return tensor->quantised ? (value - tensor->zero_point) * tensor->scale : value;
}

double rp_distance(double a, double b) {
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    double distance = fabs(a - b);
    return isnan(distance) ? INFINITY : distance;
}

double rp_value_distance(const struct rp_dtype *dtype, const uint8_t *a, const uint8_t *b) {
    if (dtype->is_float)
        return rp_distance(rp_value_get(dtype, a), rp_value_get(dtype, b));
    int64_t x = rp_value_integer(dtype, a), y = rp_value_integer(dtype, b);
    bool less = dtype->is_signed ? x < y : (uint64_t)x < (uint64_t)y;
    return (double)(less ? (uint64_t)y - (uint64_t)x : (uint64_t)x - (uint64_t)y);
}

/* The largest value of an integer type; the smallest one is 0, or -largest - 1. */
static uint64_t largest(const struct rp_dtype *dtype) {
    if (strcmp(dtype->name, "bool") == 0)
        return 1;
    return UINT64_MAX >> (64 - 8 * dtype->size_bytes + dtype->is_signed);
}

bool rp_value_put_integer(const struct rp_dtype *dtype, int64_t value, uint8_t *at) {
    if (dtype->is_float)
        return rp_value_put(dtype, (double)value, at);
    uint64_t magnitude = value < 0 ? ~(uint64_t)value : (uint64_t)value;
    store(dtype, (uint64_t)value, at);
    return (dtype->is_signed || value >= 0) && magnitude <= largest(dtype);
}

bool rp_value_put(const struct rp_dtype *dtype, double value, uint8_t *at) {
    uint64_t bits = 0;
    if (!dtype->is_float)
        return value == rint(value) && fabs(value) < 0x1p63 &&
               rp_value_put_integer(dtype, (int64_t)value, at);
    if (dtype->size_bytes == 4) {
        /* half a step beyond the largest float is where rounding gives an infinity */
        if (isfinite(value) && fabs(value) >= FLT_MAX + 0x1p103)
            return false;
        float narrow = (float)value;
        uint32_t word;
        memcpy(&word, &narrow, sizeof word);
        bits = word;
    } else
        memcpy(&bits, &value, sizeof bits);
    store(dtype, bits, at);
    return true;
}

bool rp_value_quantise(const struct rp_tensor *tensor, double real, uint8_t *at) {
    const struct rp_dtype *dtype = tensor->dtype;
    uint64_t most = largest(dtype);
    double least = dtype->is_signed ? -(double)most - 1 : 0;
    double value = nearbyint(real / tensor->scale) + tensor->zero_point;
    if (isnan(value))
        return false;
    if (value >= (double)most)
        store(dtype, most, at);
    else if (value <= least)
        store(dtype, dtype->is_signed ? ~most : 0, at);
    else
        store(dtype, dtype->is_signed ? (uint64_t)(int64_t)value : (uint64_t)value, at);
    return true;
}
