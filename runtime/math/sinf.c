// SPDX-License-Identifier: Apache-2.0
/*
 * sinf: reduction modulo pi/2 with 96 bits of 2/pi at any exponent, then f * P(f^2) or 1 - Q(f^2).
 *
 * Largest error on all floats: 0.509 ulp.
 */
#include "internal_angle.h"

float sinf(float x);

float sinf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;

    if (abs >= RP_INF) {
        return abs == RP_INF ? rp_float(RP_NAN) : rp_quiet(bits);
    }
    if (abs < 0x39800000u) { /* 2^-12: x^3 / 6 is less than a quarter of an ulp */
        return x;
    }
    return rp_sin_angle(abs, 0, sign);
}
