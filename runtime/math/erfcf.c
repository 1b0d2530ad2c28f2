// SPDX-License-Identifier: Apache-2.0
/*
 * erfcf: 1 - x * P(x^2) below 1, above it e^(-x^2) * G(x) with G a polynomial of degree 9 in 1 /
 * (x + 5/2), from 2 for a negative x.
 *
 * Largest error on all floats: 0.637 ulp.
 */
#include "internal.h"

float erfcf(float x);

float erfcf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    uint64_t v;
    uint32_t m;
    int exp;

    if (abs >= 0x41220000u || (sign != 0 && abs >= 0x407C0000u)) { /* 10.125 and -3.9375 */
        return abs > RP_INF ? rp_quiet(bits) : rp_float(sign != 0 ? 0x40000000u : 0);
    }
    if (abs < 0x32000000u) { /* 2^-27 */
        return 1.0f;
    }
    m = rp_unpack(abs, &exp);
    if (exp < 0) {
        v = rp_mul(m, rp_erf_ratio(m, exp)) << 8 >> -exp; /* Q62 */
        return rp_pack64(0, ((uint64_t)1 << 62) + (sign != 0 ? v : 0 - v), -62);
    }
    v = rp_erfc(m, exp, &exp);
    if (sign == 0) {
        return rp_pack64(0, v, exp);
    }
    return rp_pack64(0, ((uint64_t)1 << 63) - (v >> (-62 - exp)), -62);
}
