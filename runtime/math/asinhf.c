// SPDX-License-Identifier: Apache-2.0
/*
 * asinhf: 2 * atanh(x / (1 + sqrt(1 + x^2))) below 1/4, else log(|x| + sqrt(x^2 + 1)).
 *
 * Largest error on all floats: 0.532 ulp.
 */
#include "internal.h"

float asinhf(float x);

float asinhf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    struct rp_log l;
    uint64_t square;
    uint32_t m;
    int exp;

    if (abs >= RP_INF || abs < 0x39000000u) { /* 2^-13: x^3 / 6 is less than a quarter of an ulp */
        return abs > RP_INF ? rp_quiet(bits) : x;
    }
    m = rp_unpack(abs, &exp);
    square = rp_mul(m, m) << 14;
    if (exp < 0) { /* x^2 + 1 in Q60 */
        square = (square >> (-2 * exp)) + ((uint64_t)1 << 60);
    } else { /* (x^2 + 1) * 2^(60 - 2 exp) */
        square += exp <= 30 ? (uint64_t)1 << 60 >> (2 * exp) : 0;
    }
    if (exp < -2) {
        l.sum = (rp_sqrt(square << 2) >> 1) + 0x40000000u; /* (1 + root) / 2 in Q31 */
        square = rp_atanh(rp_div(m << 7, l.sum), 8 - exp);
        return rp_pack64(sign, square, exp - 62);
    }
    if (exp < 0) {
        l = rp_log_split_root((uint64_t)m << 37 >> -exp, square, 0);
    } else {
        l = rp_log_split_root((uint64_t)m << 37, square, exp);
    }
    x = rp_log_natural(&l);
    return rp_float(sign | rp_bits(x));
}
