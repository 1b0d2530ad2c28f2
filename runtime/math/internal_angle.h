// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels of the circular functions and their inverses; see internal.h for method and notation.
 */
#ifndef RP_MATH_INTERNAL_ANGLE_H
#define RP_MATH_INTERNAL_ANGLE_H

#include "internal.h"

/* ---- sine and cosine kernel
 * --------------------------------------------------------------------------------- */

/* sin(pi/2 * f) / f in Q31 for 4 * f^2 in Q32, f <= 1/2; error 2^-37 + truncation. */
static inline uint32_t rp_sin_ratio(uint32_t z) {
    uint32_t t = 0x4CB2Au - rp_mulhi(z, 0xA5Eu);

    t = 0x1466BBBu - rp_mulhi(z, t);
    t = 0x295779CBu - rp_mulhi(z, t);
    return 0xC90FDAA2u - (rp_mulhi(z, t) >> 1);
}

/* 1 - cos(pi/2 * f) in Q32 for 4 * f^2 in Q32, f <= 1/2; error 2^-34 + truncation. */
static inline uint32_t rp_cos_deficit(uint32_t z) {
    uint32_t t = 0x155C66u - rp_mulhi(z, 0x3B3Fu);

    t = 0x40F077Bu - rp_mulhi(z, t);
    t = 0x4EF4F320u - rp_mulhi(z, t);
    return rp_mulhi(z, t);
}

/* x = (quadrant + sign * f) * pi/2 with f = |fraction| in Q62, f <= 1/2. */
struct rp_angle {
    uint32_t quadrant; /* modulo 4 */
    uint32_t sign;     /* RP_SIGN or 0 */
    uint64_t fraction; /* Q62 */
};

/* 128 bits of 2/pi. */
struct rp_window {
    uint32_t w[4];
};

static inline void rp_window_next(struct rp_window *a, uint32_t next) {
    a->w[0] = a->w[1];
    a->w[1] = a->w[2];
    a->w[2] = a->w[3];
    a->w[3] = next;
}

/* Words start / 32 and following of 64 zero bits and 2/pi. The constants stand in the code: a table
 * would need the GOT, hence r9. */
static inline struct rp_window rp_two_over_pi(uint32_t start) {
    struct rp_window a = {{0, 0, 0xA2F9836Eu, 0x4E441529u}};

    if (start >= 32) {
        rp_window_next(&a, 0xFC2757D1u);
    }
    if (start >= 64) {
        rp_window_next(&a, 0xF534DDC0u);
    }
    if (start >= 96) {
        rp_window_next(&a, 0xDB629599u);
    }
    if (start >= 128) {
        rp_window_next(&a, 0x3C439041u);
    }
    if (start >= 160) {
        rp_window_next(&a, 0xFE5163ABu);
    }
    return a;
}

/* Reduce a finite |x| >= 2^-12 with bits `abs`. The product with 2/pi is taken modulo 4, so that
 * only 96 bits of 2/pi around the binary point matter, at any exponent; the result keeps 62
 * fraction bits, of which a float that comes closest to a multiple of pi/2 loses about 30. */
static inline struct rp_angle rp_reduce(uint32_t abs) {
    uint32_t start = (abs >> 23) - 127u + 39u; /* bit that weighs 2 after the scaling */
    uint32_t m = (abs & RP_FRACTION) | 0x00800000u;
    struct rp_window a = rp_two_over_pi(start);
    uint32_t shift = start & 31u;
    uint32_t back = 31u - shift;
    uint64_t low = rp_mul(m, a.w[2] << shift | a.w[3] >> 1 >> back);
    uint64_t p = rp_mul(m, a.w[1] << shift | a.w[2] >> 1 >> back) + (low >> 32);
    struct rp_angle angle;

    p += (uint64_t)(m * (a.w[0] << shift | a.w[1] >> 1 >> back)) << 32;
    angle.quadrant = (uint32_t)((p + ((uint64_t)1 << 61)) >> 62);
    p -= (uint64_t)angle.quadrant << 62;
    angle.sign = (uint32_t)(p >> 32) & RP_SIGN;
    angle.fraction = angle.sign != 0 ? 0 - p : p;
    return angle;
}

/* 4 * f^2 in Q32. */
static inline uint32_t rp_angle_square(const struct rp_angle *a) {
    uint32_t f = (uint32_t)(a->fraction >> 29);

    return rp_mulhi(f, f);
}

/* sin(x) for the sum of the angle and `quarters` * pi/2; sign is flipped when `negate` is RP_SIGN.
 */
static inline float rp_sin_angle(uint32_t abs, uint32_t quarters, uint32_t negate) {
    struct rp_angle a = rp_reduce(abs);
    uint32_t z = rp_angle_square(&a);
    int shift;

    a.quadrant += quarters;
    negate ^= (a.quadrant & 2u) << 30;
    if ((a.quadrant & 1u) != 0) {
        return rp_pack64(negate, ((uint64_t)1 << 32) - rp_cos_deficit(z), -32);
    }
    shift = rp_clz64(a.fraction);
    return rp_pack64(negate ^ a.sign,
                     rp_mul((uint32_t)(a.fraction << shift >> 32), rp_sin_ratio(z)), -61 - shift);
}

/* ---- arc tangent kernel ---------------------------------------------------------------------- */

/* atan(t) for t = q * 2^exp <= 1/3: result * 2^(exp - 32); error 2^-34 + truncation. */
static inline uint64_t rp_atan(uint32_t q, int exp) {
    uint32_t u = exp > -64 ? q >> (-32 - exp) : 0;
    uint32_t z = (uint32_t)(rp_mul(u, u) >> 29); /* 8 * t^2 */
    uint32_t t = 0x1BCBFu - rp_mulhi(z, 0x2384u);

    t = 0x124485u - rp_mulhi(z, t);
    t = 0xCCCBDCu - rp_mulhi(z, t);
    t = 0xAAAAA99u - rp_mulhi(z, t);
    return ((uint64_t)q << 32) - rp_mul(q, rp_mulhi(z, t));
}

/* num / den = q * 2^exp <= 1/3, or 1/2 more than tan of it. */
struct rp_tangent {
    uint32_t q;
    int exp;
    int reduced;  /* atan(num / den) = atan(1/2) + atan(q * 2^exp) */
    int negative; /* q stands for -q */
};

/* num * 2^-d / den <= 1, both 24-bit significands, num may be 0. */
static inline struct rp_tangent rp_tangent_reduce(uint32_t num, uint32_t den, int d) {
    struct rp_tangent t = {.exp = -32};
    uint32_t wide = den << (d < 3 ? d : 3);
    int shift;

    if (num == 0) {
        return t;
    }
    if (3 * num > wide) { /* d < 3; tan(a - atan(1/2)) = (2 tan(a) - 1) / (2 + tan(a)) */
        t.reduced = 1;
        t.negative = 2 * num < wide;
        den = 2 * wide + num;
        num = t.negative ? wide - 2 * num : 2 * num - wide;
        d = 0;
        if (num == 0) {
            return t;
        }
    }
    shift = rp_clz(den);
    den <<= shift;
    t.exp = shift - d - 31;
    shift = rp_clz(num);
    t.exp -= shift;
    t.q = rp_div(num << shift >> 1, den);
    return t;
}

#define RP_PI        0x6487ED5110B4611Au /* pi in Q61 */
#define RP_HALF_PI   0x3243F6A8885A308Du /* pi/2 in Q61 */
#define RP_ATAN_HALF 0x0ED63382B0DDA7B4u /* atan(1/2) in Q61 */

/* atan2 of |y|, |x| with bits y and x, finite and not both 0; x_negative as it says. */
static inline float rp_atan2(uint32_t sign, uint32_t y, uint32_t x, int x_negative) {
    int swap = y > x;
    uint32_t num = swap ? x : y;
    uint32_t den = swap ? y : x;
    int num_exp = 0;
    int den_exp = 0;
    struct rp_tangent t;
    uint64_t base;
    uint64_t v;

    num = num != 0 ? rp_unpack(num, &num_exp) : 0;
    den = rp_unpack(den, &den_exp);
    t = rp_tangent_reduce(num, den, num != 0 ? den_exp - num_exp : 0);
    v = rp_atan(t.q, t.exp);
    base = t.reduced ? RP_ATAN_HALF : 0;
    if (swap) {
        base = RP_HALF_PI - base;
    }
    if (x_negative) {
        base = RP_PI - base;
    }
    if (base == 0) {
        return v != 0 ? rp_pack64(sign, v, t.exp - 32) : rp_float(sign);
    }
    v = t.exp > -93 ? v >> (-29 - t.exp) : 0;
    return rp_pack64(sign, (t.negative ^ swap ^ x_negative) ? base - v : base + v, -61);
}

/* ---- arc sine kernel ------------------------------------------------------------------------- */

/* asin(s)/s - 1 in Q32 for 4 * s^2 in Q32, s <= 1/2; error 2^-36 + truncation. */
static inline uint32_t rp_asin_tail(uint32_t z) {
    uint32_t t = 0x1D6Bu + rp_mulhi(z, 0x23D7u);

    t = 0x1951Cu + rp_mulhi(z, t);
    t = 0x7B3F6u + rp_mulhi(z, t);
    t = 0x2DBBF1u + rp_mulhi(z, t);
    t = 0x133328Bu + rp_mulhi(z, t);
    t = 0xAAAAAB3u + rp_mulhi(z, t);
    return rp_mulhi(z, t);
}

/* asin(|x|) for x = m * 2^(exp - 23), exp < -1: result * 2^(exp - 55). */
static inline uint64_t rp_asin_small(uint32_t m, int exp) {
    uint32_t y = exp > -32 ? m << 8 >> (-2 - exp) : 0; /* 2 x in Q32 */

    return ((uint64_t)m << 32) + rp_mul(m, rp_asin_tail(rp_mulhi(y, y)));
}

/* acos(|x|) = 2 * asin(sqrt((1 - |x|) / 2)) for |x| = m * 2^-24 >= 1/2: result * 2^*exp. */
static inline uint64_t rp_acos_large(uint32_t m, int *exp) {
    uint32_t n = 0x01000000u - m; /* (1 - |x|) / 2 = n * 2^-25 */
    uint32_t root;
    int shift;

    *exp = -61;
    if (n == 0) {
        return 0;
    }
    shift = (rp_clz64(n) - 1) | 1;
    root = rp_sqrt((uint64_t)n << shift);
    *exp = -30 - (25 + shift) / 2;
    return ((uint64_t)root << 31) + (rp_mul(root, rp_asin_tail((n << 9) - (n >> 23))) >> 1);
}

#endif
