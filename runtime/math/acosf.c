// SPDX-License-Identifier: Apache-2.0
/*
 * acosf: pi/2 - asin(x) below 1/2 in absolute value, else 2 * asin(sqrt((1 - |x|) / 2)), from pi
 * for a negative x.
 *
 * Largest error on all floats: 0.517 ulp.
 */
#include "internal_angle.h"

float acosf(float x);

float acosf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t abs = bits & ~RP_SIGN;
    uint64_t v;
    uint32_t m;
    int exp;

    if (abs > RP_ONE) {
        return abs > RP_INF ? rp_quiet(bits) : rp_float(RP_NAN);
    }
    if (abs < 0x32000000u) { /* 2^-27: pi/2 */
        return rp_float(0x3FC90FDBu);
    }
    m = rp_unpack(abs, &exp);
    if (exp < -1) {
        v = rp_asin_small(m, exp) << 6 >> -exp; /* Q61 */
        return rp_pack64(0, bits == abs ? RP_HALF_PI - v : RP_HALF_PI + v, -61);
    }
    v = rp_acos_large(exp == 0 ? 0x01000000u : m, &exp);
    if (bits == abs) {
        return v != 0 ? rp_pack64(0, v, exp) : 0.0f;
    }
    return rp_pack64(0, RP_PI - (v >> (-61 - exp)), -61);
}
