/* SPDX-License-Identifier: Apache-2.0 */
/* One value of a tensor: as it is stored, little-endian, and as the real number it stands for. */
#ifndef RP_CLI_TENSORS_VALUE_H
#define RP_CLI_TENSORS_VALUE_H

#include "toolchain/model.h"

/* The value as stored. Integers of 64 bits are rounded to a double. */
double rp_value_get(const struct rp_dtype *dtype, const uint8_t *at);
int64_t rp_value_integer(const struct rp_dtype *dtype, const uint8_t *at);
/* (value - zero point) * scale for a quantised tensor, otherwise the value. */
double rp_value_real(const struct rp_tensor *tensor, const uint8_t *at);
/*
 * The distance of two stored values, exact for integers. Two NaNs, and two equal infinities, are
 * the same; a NaN on one side is infinitely far away.
 */
double rp_value_distance(const struct rp_dtype *dtype, const uint8_t *a, const uint8_t *b);
/* The same for two real numbers. */
double rp_distance(double a, double b);

/* Store a number. false: the type cannot hold it. Not a NaN or infinity for integers. */
bool rp_value_put(const struct rp_dtype *dtype, double value, uint8_t *at);
bool rp_value_put_integer(const struct rp_dtype *dtype, int64_t value, uint8_t *at);
/*
 * Stores a real number as a quantised one: real / scale, rounded half to even, plus the zero point,
 * saturated, as ONNX's QuantizeLinear does. false: it is a NaN.
 */
bool rp_value_quantise(const struct rp_tensor *tensor, double real, uint8_t *at);

#endif
