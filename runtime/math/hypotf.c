// SPDX-License-Identifier: Apache-2.0
/*
 * hypotf: the squares are added exactly, or with a sticky bit; the integer square root is exact,
 * so the result is correctly rounded.
 *
 * Correctly rounded (checked on 40.0 million pairs).
 */
#include "internal.h"

float hypotf(float x, float y);

/* Square root of larger^2 + smaller^2, both finite and larger not 0. */
static inline float hypotf_finite(uint32_t larger, uint32_t smaller) {
    int exp;
    int smaller_exp;
    uint64_t sum;
    uint64_t square = 0;
    uint32_t root;

    larger = rp_unpack(larger, &exp);
    sum = rp_mul(larger, larger) << 14; /* times 2^(2 exp - 60) */
    if (smaller != 0) {
        smaller = rp_unpack(smaller, &smaller_exp);
        smaller_exp = 2 * (exp - smaller_exp);
        square = rp_mul(smaller, smaller) << 14;
        if (smaller_exp > 62) {
            square = 1;
        } else {
            square = square >> smaller_exp | ((square & (((uint64_t)1 << smaller_exp) - 1)) != 0);
        }
    }
    sum += square;
    if (sum < (uint64_t)1 << 62) {
        sum <<= 2;
        --exp;
    }
    root = rp_sqrt(sum);
    return rp_pack(0, root | ((uint64_t)root * root != sum), exp + 1);
}

float hypotf(float x, float y) {
    uint32_t x_bits = rp_bits(x);
    uint32_t y_bits = rp_bits(y);
    uint32_t x_abs = x_bits & ~RP_SIGN;
    uint32_t y_abs = y_bits & ~RP_SIGN;

    if (x_abs >= RP_INF || y_abs >= RP_INF) {
        if (x_abs == RP_INF || y_abs == RP_INF) {
            return rp_float(RP_INF);
        }
        return rp_quiet(x_abs > RP_INF ? x_bits : y_bits);
    }
    if (x_abs < y_abs) {
        uint32_t swap = x_abs;

        x_abs = y_abs;
        y_abs = swap;
    }
    return x_abs == 0 ? 0.0f : hypotf_finite(x_abs, y_abs);
}
