// SPDX-License-Identifier: Apache-2.0
/*
 * exp2f: x is split exactly into integer and fraction (Q32); the fraction goes through a
 * polynomial of degree 7.
 *
 * Largest error on all floats: 0.514 ulp.
 */
#include "internal.h"

float exp2f(float x);

float exp2f(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t abs = bits & ~RP_SIGN;
    uint64_t v;
    uint32_t m;
    int exp;

    if (abs >= 0x43180000u) { /* 152: overflow, or less than half the smallest subnormal */
        if (abs > RP_INF) {
            return rp_quiet(bits);
        }
        return rp_float(bits == abs ? RP_INF : 0);
    }
    if (abs < 0x33000000u) { /* 2^-25 */
        return 1.0f;
    }
    m = rp_unpack(abs, &exp);
    v = (uint64_t)m << 32 >> (23 - exp);
    m = rp_exp2(bits == abs ? v : 0 - v, &exp);
    return rp_pack(0, m, exp);
}
