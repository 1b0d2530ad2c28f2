// SPDX-License-Identifier: Apache-2.0
/*
 * tanf: reduction modulo pi/2 as in sinf, then the quotient of f * P(f^2) and 1 - Q(f^2) or its
 * inverse.
 *
 * Largest error on all floats: 0.527 ulp.
 */
#include "internal_angle.h"

float tanf(float x);

float tanf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    struct rp_angle a;
    uint32_t sine;
    uint32_t cosine;
    uint32_t z;
    uint64_t v;
    int exp;

    if (abs >= RP_INF) {
        return abs == RP_INF ? rp_float(RP_NAN) : rp_quiet(bits);
    }
    if (abs < 0x39000000u) { /* 2^-13: x^3 / 3 is less than a quarter of an ulp */
        return x;
    }
    a = rp_reduce(abs);
    z = rp_angle_square(&a);
    cosine = 0xFFFFFFFFu - rp_cos_deficit(z); /* Q32 */
    exp = rp_clz64(a.fraction);
    v = rp_mul((uint32_t)(a.fraction << exp >> 32), rp_sin_ratio(z)); /* times 2^(-61 - exp) */
    z = (uint32_t)rp_clz64(v);
    sine = (uint32_t)(v << z >> 32);
    exp = -29 - exp - (int)z;
    sign ^= a.sign;
    if ((a.quadrant & 1u) == 0) {
        return rp_pack64(sign, rp_div(sine >> 1, cosine), exp + 1);
    }
    return rp_pack64(sign ^ RP_SIGN, rp_div(cosine >> 1, sine), -63 - exp);
}
