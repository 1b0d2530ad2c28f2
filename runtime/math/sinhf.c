// SPDX-License-Identifier: Apache-2.0
/*
 * sinhf: x * P(x^2) below 1, else (e^x - e^-x) / 2 in 64-bit fixed point.
 *
 * Largest error on all floats: 0.516 ulp.
 */
#include "internal.h"

float sinhf(float x);

/* sinh(x)/x in Q31 for x^2 in Q32, x <= 1; error 2^-34 + truncation. */
static inline uint32_t sinhf_ratio(uint32_t z) {
    uint32_t t = 0xCFFE1u + rp_mulhi(z, 0x2F4Cu);

    t = 0x2222278u + rp_mulhi(z, t);
    t = 0x2AAAAAA0u + rp_mulhi(z, t);
    return 0x80000000u + (rp_mulhi(z, t) >> 1);
}

float sinhf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    uint64_t v;
    uint32_t m;
    int exp;

    if (abs < 0x39000000u || abs > RP_INF) { /* 2^-13: x^3 / 6 is less than a quarter of an ulp */
        return abs > RP_INF ? rp_quiet(bits) : x;
    }
    if (abs >= 0x42B40000u) { /* 90 */
        return rp_float(sign | RP_INF);
    }
    m = rp_unpack(abs, &exp);
    if (exp < 0) {
        uint32_t y = m << 8 >> (-1 - exp); /* x in Q32 */

        return rp_pack64(sign, rp_mul(m, sinhf_ratio(rp_mulhi(y, y))), exp - 54);
    }
    v = rp_mul_log2e(m, exp);
    v = rp_exp_pair(v, &exp, 1);
    return rp_pack64(sign, v, exp - 1);
}
