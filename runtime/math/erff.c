// SPDX-License-Identifier: Apache-2.0
/*
 * erff: x * P(x^2) below 1, above it 1 - e^(-x^2) * G(x) with G a polynomial of degree 9 in
 * 1 / (x + 5/2).
 *
 * Largest error on all floats: 0.514 ulp.
 */
#include "internal.h"

float erff(float x);

float erff(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    uint64_t v;
    uint32_t m;
    int exp;

    if (abs >= 0x407C0000u) { /* 3.9375 */
        return abs > RP_INF ? rp_quiet(bits) : rp_float(sign | RP_ONE);
    }
    if (abs == 0) {
        return x;
    }
    m = rp_unpack(abs, &exp);
    if (exp < 0) {
        return rp_pack64(sign, rp_mul(m, rp_erf_ratio(m, exp)), exp - 54);
    }
    v = rp_erfc(m, exp, &exp); /* times 2^exp */
    return rp_pack64(sign, ((uint64_t)1 << 63) - (v >> (-63 - exp)), -63);
}
