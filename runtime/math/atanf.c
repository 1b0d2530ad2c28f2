// SPDX-License-Identifier: Apache-2.0
/*
 * atanf: atan2(x, 1): one quotient, reduced by atan(1/2) to at most 1/3, then t * P(t^2).
 *
 * Largest error on all floats: 0.506 ulp.
 */
#include "internal_angle.h"

float atanf(float x);

float atanf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;

    if (abs > RP_INF) {
        return rp_quiet(bits);
    }
    if (abs >= 0x4C800000u) { /* 2^26, infinity: pi/2 */
        return rp_float(sign | 0x3FC90FDBu);
    }
    return rp_atan2(sign, abs, RP_ONE, 0);
}
