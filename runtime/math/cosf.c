// SPDX-License-Identifier: Apache-2.0
/*
 * cosf: sin(|x| + pi/2); reduction modulo pi/2 with 96 bits of 2/pi at any exponent, then f *
 * P(f^2) or 1 - Q(f^2).
 *
 * Largest error on all floats: 0.510 ulp.
 */
#include "internal_angle.h"

float cosf(float x);

float cosf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t abs = bits & ~RP_SIGN;

    if (abs >= RP_INF) {
        return abs == RP_INF ? rp_float(RP_NAN) : rp_quiet(bits);
    }
    if (abs < 0x39800000u) { /* 2^-12: x^2 / 2 is less than half an ulp below 1 */
        return 1.0f;
    }
    return rp_sin_angle(abs, 1, 0);
}
