// SPDX-License-Identifier: Apache-2.0
/*
 * x / y in float, for cores without an FPU: long division of the significands, bit by bit.
 *
 * Correctly rounded, so the same bits as libgcc's, which has a table of addresses on Armv6-M and
 * Armv8-M Baseline (RTABI32, 4.1.2).
 */
#include "internal.h"

float __aeabi_fdiv(float x, float y);
#ifdef __arm__
float __divsf3(float x, float y) __attribute__((alias("__aeabi_fdiv")));
#endif

float __aeabi_fdiv(float x, float y) {
    uint32_t x_bits = rp_bits(x);
    uint32_t y_bits = rp_bits(y);
    uint32_t sign = (x_bits ^ y_bits) & RP_SIGN;
    uint32_t x_abs = x_bits & ~RP_SIGN;
    uint32_t y_abs = y_bits & ~RP_SIGN;
    uint32_t quotient = 0;
    int x_exp;
    int y_exp;
    int i;

    if (x_abs > RP_INF || y_abs > RP_INF) {
        int signals = y_abs > RP_INF && y_abs < RP_NAN; /* such a NaN goes before a quiet one */

        return rp_quiet(x_abs <= RP_INF || (x_abs >= RP_NAN && signals) ? y_bits : x_bits);
    }
    if (x_abs == y_abs && (x_abs == 0 || x_abs == RP_INF)) {
        return rp_float(RP_NAN);
    }
    if (x_abs == 0 || y_abs == RP_INF) {
        return rp_float(sign);
    }
    if (y_abs == 0 || x_abs == RP_INF) {
        return rp_float(sign | RP_INF);
    }
    x_abs = rp_unpack(x_abs, &x_exp);
    y_abs = rp_unpack(y_abs, &y_exp);
    if (x_abs < y_abs) {
        x_abs <<= 1;
        --x_exp;
    }
    for (i = 0; i < 26; ++i) { /* 24 bits, one to round by, and a sticky one with the remainder */
        quotient <<= 1;
        if (x_abs >= y_abs) {
            x_abs -= y_abs;
            quotient |= 1;
        }
        x_abs <<= 1;
    }
    return rp_pack(sign, quotient << 6 | (x_abs != 0), x_exp - y_exp);
}
