// SPDX-License-Identifier: Apache-2.0
/*
 * expf: e^x = 2^(x * log2(e)). The product is kept in Q32; its integer part is the exponent, its
 * fraction goes through a polynomial of degree 7.
 *
 * Largest error on all floats: 0.516 ulp.
 */
#include "internal.h"

float expf(float x);

float expf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t abs = bits & ~RP_SIGN;
    uint32_t m;
    uint64_t v;
    int exp;

    if (abs >= 0x42D00000u) { /* 104: overflow, or less than half the smallest subnormal */
        if (abs > RP_INF) {
            return rp_quiet(bits);
        }
        return rp_float(bits == abs ? RP_INF : 0);
    }
    if (abs < 0x33000000u) { /* 2^-25 */
        return 1.0f;
    }
    m = rp_unpack(abs, &exp);
    v = rp_mul_log2e(m, exp);
    m = rp_exp2(bits == abs ? v : 0 - v, &exp);
    return rp_pack(0, m, exp);
}
