// SPDX-License-Identifier: Apache-2.0
/*
 * pow: x^y = 2^(y * log2(x)). The logarithm comes as a 128-bit significand, good to about 66 bits:
 * the quotient s = (m - 1) / (m + 1) has 84, the polynomial tail of atanh(s)/s 67.
 *
 * Largest error on 1.0 million pairs: 0.611 ulp.
 */
#include "internal_double.h"

double pow(double x, double y);

/* |y| with bits `abs`: 0 no integer, 1 odd, 2 even. */
static inline int pow_integer_kind(uint64_t abs) {
    uint32_t below; /* bits below the one that weighs 1 */

    if (abs < RP_D_ONE) {
        return 0;
    }
    if (abs >= 0x4340000000000000u) { /* 2^53 */
        return 2;
    }
    below = 1075u - (uint32_t)(abs >> 52);
    abs = (abs & RP_D_FRACTION) | 0x0010000000000000u;
    if ((abs & (((uint64_t)1 << below) - 1)) != 0) {
        return 0;
    }
    return (abs >> below & 1u) != 0 ? 1 : 2;
}

/* |log2(x)| = result * 2^(*exp - 127), result >= 2^127, or 0 for x = 1; x = m * 2^(exp - 63). */
static inline struct rp_wide pow_log2(uint64_t m, int *exp, int *negative) {
    struct rp_d_log l = rp_d_log_split(m, *exp);
    uint64_t tail = rp_mulhi64(l.tail, RP_D_LOG2E_HIGH); /* times 2 / log(2), in Q67 */
    struct rp_wide v = {RP_D_LOG2E_HIGH + (tail >> 5), RP_D_LOG2E_LOW};
    int shift;

    v = rp_add_wide(v, tail << 59); /* atanh(s)/s * 2 / log(2) in Q126 */
    v = rp_add_wide(rp_mul_wide(l.q.high, v), rp_mulhi64(l.q.low, v.high));
    *exp = 5 - l.shift; /* |log2(m)| = v * 2^(exp - 127) */
    *negative = l.negative;
    if (l.k != 0) {
        uint32_t k = l.k < 0 ? 0 - (uint32_t)l.k : (uint32_t)l.k;

        v = rp_shift_right(v, 11 - *exp); /* Q116 */
        if (l.negative != (l.k < 0)) {
            v.high = ~v.high; /* minus v, but for one unit */
            v.low = ~v.low;
        }
        v.high += (uint64_t)k << 52;
        *exp = 11;
        *negative = l.k < 0;
    }
    if (v.high == 0) {
        return v;
    }
    shift = rp_clz64(v.high);
    *exp -= shift;
    return shift != 0 ? rp_shift_left(v, shift) : v;
}

/* x^y for finite x > 0 and y != 0, with bits x and |y|. */
static inline double pow_finite(uint64_t sign, uint64_t x, uint64_t y, int negative) {
    int x_exp;
    int y_exp;
    int log_negative;
    struct rp_wide v;

    x = rp_d_unpack(x, &x_exp);
    v = pow_log2(x, &x_exp, &log_negative);
    y = rp_d_unpack(y, &y_exp);
    x_exp += y_exp + 2; /* |y * log2(x)| = v * y * 2^(x_exp - 192) */
    negative ^= log_negative;
    if (v.high == 0) {
        x_exp = -64;
    }
    if (x_exp > 12) { /* at least 2048 */
        return rp_double(sign | (negative ? 0 : RP_D_INF));
    }
    x = rp_d_exp2(rp_mul_wide(y, v), x_exp, negative, &x_exp);
    return rp_d_pack(sign, x, x_exp);
}

/* The cases that C99 F.9.4.4 lists, when x is 0, infinite or NaN, or y is infinite or NaN. */
static inline double pow_special(uint64_t x, uint64_t y, uint64_t sign) {
    uint64_t x_abs = x & ~RP_D_SIGN;
    uint64_t y_abs = y & ~RP_D_SIGN;
    int grows;

    if (x_abs > RP_D_INF) {
        return rp_d_quiet(x);
    }
    if (y_abs > RP_D_INF) {
        return rp_d_quiet(y);
    }
    if (y_abs == RP_D_INF && x_abs == RP_D_ONE) {
        return 1.0;
    }
    grows = x_abs > RP_D_ONE;
    if (y != y_abs) {
        grows = !grows;
    }
    return rp_double(sign | (grows ? RP_D_INF : 0));
}

double pow(double x, double y) {
    uint64_t xb = rp_d_bits(x);
    uint64_t yb = rp_d_bits(y);
    uint64_t x_abs = xb & ~RP_D_SIGN;
    uint64_t y_abs = yb & ~RP_D_SIGN;
    uint64_t sign = 0;
    int kind = pow_integer_kind(y_abs);

    if (y_abs == 0 || xb == RP_D_ONE) {
        return 1.0;
    }
    if (xb != x_abs && kind == 1) {
        sign = RP_D_SIGN;
    }
    if (x_abs == 0 || x_abs >= RP_D_INF || y_abs >= RP_D_INF) {
        return pow_special(xb, yb, sign);
    }
    if (xb != x_abs && kind == 0) {
        return rp_double(RP_D_NAN);
    }
    return pow_finite(sign, x_abs, y_abs, yb != y_abs);
}
