// SPDX-License-Identifier: Apache-2.0
/*
 * x / y in double, for cores without an FPU: long division of the significands, bit by bit.
 *
 * Correctly rounded, so the same bits as libgcc's, which has a table of addresses on Armv6-M and
 * Armv8-M Baseline (RTABI32, 4.1.2).
 */
#include "internal_double.h"

double __aeabi_ddiv(double x, double y);
#ifdef __arm__
double __divdf3(double x, double y) __attribute__((alias("__aeabi_ddiv")));
#endif

double __aeabi_ddiv(double x, double y) {
    uint64_t x_bits = rp_d_bits(x);
    uint64_t y_bits = rp_d_bits(y);
    uint64_t sign = (x_bits ^ y_bits) & RP_D_SIGN;
    uint64_t x_abs = x_bits & ~RP_D_SIGN;
    uint64_t y_abs = y_bits & ~RP_D_SIGN;
    uint64_t quotient = 0;
    int x_exp;
    int y_exp;
    int i;

    if (x_abs > RP_D_INF || y_abs > RP_D_INF) {
        int signals = y_abs > RP_D_INF && y_abs < RP_D_NAN; /* such a NaN goes before a quiet one */

        return rp_d_quiet(x_abs <= RP_D_INF || (x_abs >= RP_D_NAN && signals) ? y_bits : x_bits);
    }
    if (x_abs == y_abs && (x_abs == 0 || x_abs == RP_D_INF)) {
        return rp_double(RP_D_NAN);
    }
    if (x_abs == 0 || y_abs == RP_D_INF) {
        return rp_double(sign);
    }
    if (y_abs == 0 || x_abs == RP_D_INF) {
        return rp_double(sign | RP_D_INF);
    }
    x_abs = rp_d_unpack(x_abs, &x_exp) >> 11; /* 53 bits */
    y_abs = rp_d_unpack(y_abs, &y_exp) >> 11;
    if (x_abs < y_abs) {
        x_abs <<= 1;
        --x_exp;
    }
    for (i = 0; i < 55; ++i) { /* 53 bits, one to round by, and a sticky one with the remainder */
        quotient <<= 1;
        if (x_abs >= y_abs) {
            x_abs -= y_abs;
            quotient |= 1;
        }
        x_abs <<= 1;
    }
    return rp_d_pack(sign, quotient << 9 | (x_abs != 0), x_exp - y_exp);
}
