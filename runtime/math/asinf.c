// SPDX-License-Identifier: Apache-2.0
/*
 * asinf: x * P(x^2) below 1/2, else pi/2 - 2 * asin(sqrt((1 - |x|) / 2)).
 *
 * Largest error on all floats: 0.522 ulp.
 */
#include "internal_angle.h"

float asinf(float x);

float asinf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    uint64_t v;
    uint32_t m;
    int exp;

    if (abs > RP_ONE) {
        return abs > RP_INF ? rp_quiet(bits) : rp_float(RP_NAN);
    }
    if (abs < 0x39000000u) { /* 2^-13: x^3 / 6 is less than a quarter of an ulp */
        return x;
    }
    m = rp_unpack(abs, &exp);
    if (exp < -1) {
        return rp_pack64(sign, rp_asin_small(m, exp), exp - 55);
    }
    v = rp_acos_large(exp == 0 ? 0x01000000u : m, &exp);
    return rp_pack64(sign, RP_HALF_PI - (v >> (-61 - exp)), -61);
}
