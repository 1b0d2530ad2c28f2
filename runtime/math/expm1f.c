// SPDX-License-Identifier: Apache-2.0
/*
 * expm1f: x * P(x) with P of degree 6 below 1/4 in absolute value, else e^x - 1 in 64-bit fixed
 * point.
 *
 * Largest error on all floats: 0.531 ulp.
 */
#include "internal.h"

float expm1f(float x);

/* (e^x - 1)/x in Q32 for w = 2 x in Q32, |x| <= 1/4; error 2^-35 + truncation. */
static inline uint64_t expm1f_ratio(int32_t w) {
    int64_t t = 0x2D99A + (0x341D * (int64_t)w >> 32);

    t = 0x22221D + (t * w >> 32);
    t = 0x1555528 + (t * w >> 32);
    t = 0xAAAAAAB + (t * w >> 32);
    t = 0x40000001 + (t * w >> 32);
    return (uint64_t)(0x100000000 + (t * w >> 32));
}

float expm1f(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    uint64_t v;
    uint32_t m;
    int exp;

    if (abs < 0x33000000u || abs > RP_INF) { /* 2^-25: x^2 / 2 is at most a quarter of an ulp */
        return abs > RP_INF ? rp_quiet(bits) : x;
    }
    if (abs >= 0x42B40000u || (sign != 0 && abs >= 0x41900000u)) { /* 90 and -18 */
        return rp_float(sign != 0 ? sign | RP_ONE : RP_INF);
    }
    m = rp_unpack(abs, &exp);
    if (exp < -2) {
        int32_t w = (int32_t)(m << 8 >> (-2 - exp));

        return rp_pack64(sign, m * expm1f_ratio(sign != 0 ? -w : w), exp - 55);
    }
    v = rp_mul_log2e(m, exp);
    m = rp_exp2(sign != 0 ? 0 - v : v, &exp); /* e^x = m * 2^(exp - 31) */
    if (sign != 0) {
        return rp_pack64(sign, ((uint64_t)1 << 62) - ((uint64_t)m << 31 >> -exp), -62);
    }
    v = exp < 63 ? (uint64_t)1 << 62 >> exp : 0;
    return rp_pack64(0, ((uint64_t)m << 31) - v, exp - 62);
}
