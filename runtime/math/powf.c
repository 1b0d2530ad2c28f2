// SPDX-License-Identifier: Apache-2.0
/*
 * powf: x^y = 2^(y * log2(x)). The logarithm comes as a 64-bit significand, good to about 38 bits:
 * the quotient s = (m - 1) / (m + 1) has 48, the polynomial tail of atanh(s)/s 37.
 *
 * Largest error on 40.0 million pairs: 0.537 ulp.
 */
#include "internal.h"

float powf(float x, float y);

/* |y| with bits `abs`: 0 no integer, 1 odd, 2 even. */
static inline int powf_integer_kind(uint32_t abs) {
    uint32_t below; /* bits below the one that weighs 1 */

    if (abs < RP_ONE) {
        return 0;
    }
    if (abs >= 0x4B800000u) { /* 2^24 */
        return 2;
    }
    below = 150u - (abs >> 23);
    abs = (abs & RP_FRACTION) | 0x00800000u;
    if ((abs & ((1u << below) - 1)) != 0) {
        return 0;
    }
    return (abs >> below & 1u) != 0 ? 1 : 2;
}

/* |log2(x)| = result * 2^*exp, result >= 2^63, or 0 for x = 1; x = m * 2^(exp - 23). */
static inline uint64_t powf_log2(uint32_t m, int *exp, int *negative) {
    struct rp_log l = rp_log_split(m, *exp);
    uint32_t high = rp_div_digit(&l.difference, l.sum) << 16;
    uint64_t v;
    uint32_t s;
    int shift;

    high |= rp_div_digit(&l.difference, l.sum);
    v = (uint64_t)high << 31 | (uint64_t)rp_div_digit(&l.difference, l.sum) << 15;
    s = high >> (l.zeros - 9);
    v += rp_mul(high, rp_atanh_tail((uint32_t)(rp_mul(s, s) >> 29))) >> 6;
    v = rp_mulhi64(v, 0xB8AA3B295C17F0BCu); /* 2 / log(2) in Q62 */
    *exp = -53 - l.zeros;
    *negative = l.negative;
    if (l.k != 0) {
        v >>= l.zeros - 2; /* Q55 */
        v = ((uint64_t)(uint32_t)l.k << 55) + (l.negative ? 0 - v : v);
        *exp = -55;
        *negative = l.k < 0;
        v = l.k < 0 ? 0 - v : v;
    }
    if (v == 0) {
        return 0;
    }
    shift = rp_clz64(v);
    *exp -= shift;
    return v << shift;
}

/* x^y for finite x > 0 and y != 0, with bits x and |y|. */
static inline float powf_finite(uint32_t sign, uint32_t x, uint32_t y, int negative) {
    int x_exp;
    int y_exp;
    int log_negative;
    uint64_t v;

    x = rp_unpack(x, &x_exp);
    v = powf_log2(x, &x_exp, &log_negative);
    y = rp_unpack(y, &y_exp);
    v = rp_mul(y, (uint32_t)(v >> 32)) + rp_mulhi(y, (uint32_t)v); /* times 2^(32 + exps - 23) */
    x_exp = -41 - x_exp - y_exp;                                   /* shift that makes it Q32 */
    negative ^= log_negative;
    if (x_exp < 14 && v != 0) { /* at least 256 */
        return rp_float(sign | (negative ? 0 : RP_INF));
    }
    v = v != 0 && x_exp < 64 ? v >> x_exp : 0;
    x = rp_exp2(negative ? 0 - v : v, &x_exp);
    return rp_pack(sign, x, x_exp);
}

/* The cases that C99 F.9.4.4 lists, when x is 0, infinite or NaN, or y is infinite or NaN. */
static inline float powf_special(uint32_t x, uint32_t y, uint32_t sign) {
    uint32_t x_abs = x & ~RP_SIGN;
    uint32_t y_abs = y & ~RP_SIGN;
    int grows;

    if (x_abs > RP_INF) {
        return rp_quiet(x);
    }
    if (y_abs > RP_INF) {
        return rp_quiet(y);
    }
    if (y_abs == RP_INF && x_abs == RP_ONE) {
        return 1.0f;
    }
    grows = x_abs > RP_ONE;
    if (y != y_abs) {
        grows = !grows;
    }
    return rp_float(sign | (grows ? RP_INF : 0));
}

float powf(float x, float y) {
    uint32_t xb = rp_bits(x);
    uint32_t yb = rp_bits(y);
    uint32_t x_abs = xb & ~RP_SIGN;
    uint32_t y_abs = yb & ~RP_SIGN;
    uint32_t sign = 0;
    int kind = powf_integer_kind(y_abs);

    if (y_abs == 0 || xb == RP_ONE) {
        return 1.0f;
    }
    if (xb != x_abs && kind == 1) {
        sign = RP_SIGN;
    }
    if (x_abs == 0 || x_abs >= RP_INF || y_abs >= RP_INF) {
        return powf_special(xb, yb, sign);
    }
    if (xb != x_abs && kind == 0) {
        return rp_float(RP_NAN);
    }
    return powf_finite(sign, x_abs, y_abs, yb != y_abs);
}
