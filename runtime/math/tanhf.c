// SPDX-License-Identifier: Apache-2.0
/*
 * tanhf: x * P(x^2) up to 9/32, above it 1 - 2 / (e^(2x) + 1).
 *
 * Largest error on all floats: 0.516 ulp.
 */
#include "internal.h"

float tanhf(float x);

/* tanh(x)/x in Q32 for 8 * x^2 in Q32, x <= 9/32; error 2^-34. */
static inline uint32_t tanhf_ratio(uint32_t z) {
    uint32_t t = 0x6E4BBu - rp_mulhi(z, 0x52C4u);

    t = 0x8887B5u - rp_mulhi(z, t);
    t = 0xAAAAA9Au - rp_mulhi(z, t);
    return 0xFFFFFFFFu - rp_mulhi(z, t);
}

/* 8 * x^2 in Q32 for x = m * 2^(exp - 23) < 9/32. */
static inline uint32_t tanhf_square8(uint32_t m, int exp) {
    uint32_t y = m << 8 >> (-2 - exp); /* 2 x in Q32 */

    return rp_mulhi(y, y) << 1;
}

float tanhf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    uint32_t m;
    int shift;
    int exp;

    if (abs > RP_INF) {
        return rp_quiet(bits);
    }
    if (abs < 0x39000000u) { /* 2^-13: x^3 / 3 is less than a quarter of an ulp */
        return x;
    }
    if (abs >= 0x41200000u) { /* 10 */
        return rp_float(sign | RP_ONE);
    }
    m = rp_unpack(abs, &exp);
    if (abs < 0x3E900000u) {
        return rp_pack64(sign, rp_mul(m, tanhf_ratio(tanhf_square8(m, exp))), exp - 55);
    }
    m = rp_exp2(rp_mul_log2e(m, exp + 1), &exp); /* e^(2x) = m * 2^(exp - 31), exp <= 28 */
    m = (m >> 1) + (0x40000000u >> exp);         /* (e^(2x) + 1) * 2^(30 - exp) */
    shift = rp_clz(m);
    m = rp_div(0x40000000u, m << shift); /* 2 / (e^(2x) + 1) = m * 2^(shift - 31 - exp) */
    return rp_pack64(sign, ((uint64_t)1 << 62) - ((uint64_t)m << (31 + shift) >> exp), -62);
}
