// SPDX-License-Identifier: Apache-2.0
/*
 * Kernels of the double functions: the same fixed-point method as internal.h, in 64-bit fractions.
 */
#ifndef RP_MATH_INTERNAL_DOUBLE_H
#define RP_MATH_INTERNAL_DOUBLE_H

#include "internal.h"

#define RP_D_SIGN     0x8000000000000000u
#define RP_D_INF      0x7FF0000000000000u
#define RP_D_NAN      0x7FF8000000000000u
#define RP_D_ONE      0x3FF0000000000000u
#define RP_D_FRACTION 0x000FFFFFFFFFFFFFu

/* 128 bits. */
struct rp_wide {
    uint64_t high;
    uint64_t low;
};

static inline uint64_t rp_d_bits(double x) {
    union {
        double d;
        uint64_t u;
    } v = {.d = x};

    return v.u;
}

static inline double rp_double(uint64_t bits) {
    union {
        uint64_t u;
        double d;
    } v = {.u = bits};

    return v.d;
}

/* The NaN operand `bits`, quiet. */
static inline double rp_d_quiet(uint64_t bits) {
    return rp_double(bits | 0x0008000000000000u);
}

/* ---- wide integers --------------------------------------------------------------------------- */

/* a * b, exactly. */
static inline struct rp_wide rp_mul128(uint64_t a, uint64_t b) {
    uint32_t a1 = (uint32_t)(a >> 32);
    uint32_t b1 = (uint32_t)(b >> 32);
    uint64_t low = rp_mul((uint32_t)a, (uint32_t)b);
    uint64_t middle = rp_mul(a1, (uint32_t)b) + (low >> 32);
    uint64_t middle2 = rp_mul((uint32_t)a, b1) + (uint32_t)middle;

    return (struct rp_wide){
        .high = rp_mul(a1, b1) + (middle >> 32) + (middle2 >> 32),
        .low = middle2 << 32 | (uint32_t)low,
    };
}

/* a + b. */
static inline struct rp_wide rp_add_wide(struct rp_wide a, uint64_t b) {
    a.low += b;
    a.high += a.low < b;
    return a;
}

/* a * b / 2^64. */
static inline struct rp_wide rp_mul_wide(uint64_t a, struct rp_wide b) {
    return rp_add_wide(rp_mul128(a, b.high), rp_mulhi64(a, b.low));
}

/* a * 2^shift or a / 2^shift, 0 < shift < 64. */
static inline struct rp_wide rp_shift_left(struct rp_wide a, int shift) {
    return (struct rp_wide){a.high << shift | a.low >> (64 - shift), a.low << shift};
}

static inline struct rp_wide rp_shift_right(struct rp_wide a, int shift) {
    return (struct rp_wide){a.high >> shift, a.low >> shift | a.high << (64 - shift)};
}

/* 28 bits of a quotient: about rem * 2^28 / d, at most 6 too small, for rem < 8 d and d in
 * [2^57, 2^58); rem becomes what is left, again less than 8 d. `inverse` is just below 2^88 / d. */
static inline uint32_t rp_divide_step(uint64_t *rem, uint64_t d, uint32_t inverse) {
    uint32_t q = (uint32_t)(rp_mul((uint32_t)(*rem >> 29), inverse) >> 31);

    *rem = (*rem << 28) - q * d;
    return q;
}

/* a * 2^128 / d for a < d and d in [2^57, 2^58), 84 bits of it, at most 7 units of 2^44 too small.
 */
static inline struct rp_wide rp_divide(uint64_t a, uint64_t d) {
    uint32_t inverse = rp_div(0x40000000u, (uint32_t)(d >> 26)) - 1;
    uint64_t high = (uint64_t)rp_divide_step(&a, d, inverse) << 36;
    uint32_t last;

    high += (uint64_t)rp_divide_step(&a, d, inverse) << 8;
    last = rp_divide_step(&a, d, inverse);
    return (struct rp_wide){high + (last >> 20), (uint64_t)last << 44};
}

/* ---- unpacking and rounding ------------------------------------------------------------------ */

/* Significand in [2^63, 2^64) and exponent of a finite nonzero |x| with bits `abs`:
 * |x| = m * 2^(exp - 63). */
static inline uint64_t rp_d_unpack(uint64_t abs, int *exp) {
    int shift;

    if (abs >= 0x0010000000000000u) {
        *exp = (int)(abs >> 52) - 1023;
        return abs << 11 | RP_D_SIGN;
    }
    shift = rp_clz64(abs);
    *exp = -1011 - shift;
    return abs << shift;
}

/* Round m * 2^(exp - 63) to nearest even; m is not 0. Subnormals and overflow included. */
static inline double rp_d_pack(uint64_t sign, uint64_t m, int exp) {
    int shift = rp_clz64(m);
    uint64_t biased;

    m <<= shift;
    exp -= shift;
    biased = (uint64_t)(uint32_t)(exp + 1022);
    if (exp > 1023) {
        return rp_double(sign | RP_D_INF);
    }
    if (exp < -1022) {
        shift = -1022 - exp;
        if (shift > 54) {
            return rp_double(sign);
        }
        m = m >> shift | (m << (64 - shift) != 0);
        biased = 0;
    }
    m = (m >> 11) + ((((uint32_t)m & 0x7FFu) + 0x3FFu + ((uint32_t)(m >> 11) & 1u)) >> 11);
    return rp_double((sign | biased << 52) + m);
}

/* ---- exponential kernel ---------------------------------------------------------------------- */

/* 2^f - 1 for a fraction f in Q64, in Q64; polynomial of degree 12, error 2^-64 + truncation. */
static inline uint64_t rp_d_exp2_fraction(uint64_t f) {
    uint32_t f1 = (uint32_t)(f >> 32);
    uint64_t t = 0x1C638F5D6u + rp_mulhi(0x27CB580Au, f1);

    t = 0x1E874CE40Cu + rp_mulhi64(t, f);
    t = 0x1B4E69E3430u + rp_mulhi64(t, f);
    t = 0x162C2F19CD98u + rp_mulhi64(t, f);
    t = 0xFFE5E82DD8D6u + rp_mulhi64(t, f);
    t = 0xA18489F12120Du + rp_mulhi64(t, f);
    t = 0x5761FF9C8CE7CFu + rp_mulhi64(t, f);
    t = 0x276556DF783882Fu + rp_mulhi64(t, f);
    t = 0xE35846B824BAA07u + rp_mulhi64(t, f);
    t = 0x3D7F7BFF058B4E68u + rp_mulhi64(t, f);
    t = 0xB17217F7D1CF78FAu + rp_mulhi64(t, f);
    return rp_mulhi64(t, f);
}

/* 2^v for |v| = p * 2^(exp - 128), exp <= 12: a significand in [2^63, 2^64), its exponent in *n. */
static inline uint64_t rp_d_exp2(struct rp_wide p, int exp, int negative, int *n) {
    uint64_t f = p.high; /* fraction in Q64 */

    *n = 0;
    if (exp > 0) {
        *n = (int)(p.high >> (64 - exp));
        f = rp_shift_left(p, exp).high;
    } else if (exp < 0) {
        f = exp > -64 ? f >> -exp : 0;
    }
    if (negative) {
        f = 0 - f;
        *n = -*n - (f != 0);
    }
    return RP_D_SIGN + (rp_d_exp2_fraction(f) >> 1);
}

/* log2(e) in Q127; also 2 / log(2) in Q126. */
#define RP_D_LOG2E_HIGH 0xB8AA3B295C17F0BBu
#define RP_D_LOG2E_LOW  0xBE87FED0691D3E88u

/* e^x for |x| = m * 2^(exp - 63), exp <= 10, as rp_d_exp2 gives it. */
static inline uint64_t rp_d_exp(uint64_t m, int exp, int negative, int *n) {
    const struct rp_wide log2e = {RP_D_LOG2E_HIGH, RP_D_LOG2E_LOW};

    return rp_d_exp2(rp_mul_wide(m, log2e), exp + 2, negative, n);
}

/* ---- logarithm kernel ------------------------------------------------------------------------ */

/* atanh(s)/s - 1 in Q69 for z = s^2 in Q69, s <= 3 - sqrt(8); error 2^-67 + truncation. */
static inline uint64_t rp_d_atanh_tail(uint64_t z) {
    uint64_t t = 0x10F5CDDF20F5332Fu + (rp_mulhi64(0x10F6252CF53FBE2Du, z) >> 5);

    t = 0x13B20AAA2EDB630Au + (rp_mulhi64(t, z) >> 5);
    t = 0x1745CDE3B03161F0u + (rp_mulhi64(t, z) >> 5);
    t = 0x1C71C7258EC7E4AEu + (rp_mulhi64(t, z) >> 5);
    t = 0x249249248569F8B1u + (rp_mulhi64(t, z) >> 5);
    t = 0x33333333333BFC6Du + (rp_mulhi64(t, z) >> 5);
    t = 0x5555555555555349u + (rp_mulhi64(t, z) >> 5);
    return rp_mulhi64(t, z);
}

/* log(x) = k * log(2) + 2 * atanh(s) * (negative ? -1 : 1), s = q * 2^(-124 - shift). */
struct rp_d_log {
    struct rp_wide q; /* 0, or in [2^126, 2^128) */
    uint64_t tail;    /* atanh(s)/s - 1 in Q69 */
    int shift;        /* at least 5 */
    int k;
    int negative;
};

/* Split x = m * 2^(exp - 63) about 2^k with |log2(x) - k| <= 1/2. */
static inline struct rp_d_log rp_d_log_split(uint64_t m, int exp) {
    int up = m > 0xB504F333F9DE6484u;
    struct rp_d_log l = {.shift = 5, .k = exp + up, .negative = up};
    uint64_t one = 0x0010000000000000u << up;
    uint64_t difference;
    uint64_t s; /* Q66 */

    m >>= 11;
    difference = up ? one - m : m - one;
    if (difference == 0) {
        return l;
    }
    l.shift = rp_clz64(difference) - 7;
    l.q = rp_divide(difference << l.shift, (m + one) << 4);
    s = l.shift == 5 ? l.q.high << 1 : l.q.high >> (l.shift - 6);
    l.tail = rp_d_atanh_tail(rp_mulhi64(s, s) << 1);
    return l;
}

/* Round k * unit + 2 * atanh(s) * scale: unit in Q64, or 0 for 1; scale in Q63. */
static inline double rp_d_log_round(const struct rp_d_log *l, uint64_t unit, uint64_t scale) {
    uint64_t v = (l->q.high >> 1) + (rp_mulhi64(l->q.high, l->tail) >> 6);
    int negative = l->negative;
    int exp = 6 - l->shift;

    v = rp_mulhi64(v, scale); /* times 2^(exp - 63) */
    if (l->k != 0) {
        uint32_t k = l->k < 0 ? 0 - (uint32_t)l->k : (uint32_t)l->k;
        int bits = 32 - rp_clz(k);
        uint64_t sum = (uint64_t)k << (63 - bits); /* |result| < 2^bits, in Q(63 - bits) */

        if (unit != 0) {
            sum = rp_mulhi64(sum << 1, unit) >> 1;
        }
        v >>= bits - exp;
        v = negative == (l->k < 0) ? sum + v : sum - v;
        negative = l->k < 0;
        exp = bits;
    }
    if (v == 0) {
        return 0.0;
    }
    return rp_d_pack(negative ? RP_D_SIGN : 0, v, exp);
}

/* The logarithm, to any base, of 0, infinity, NaN or a negative number with these bits. */
static inline double rp_d_log_special(uint64_t bits) {
    if (bits << 1 == 0) {
        return rp_double(RP_D_SIGN | RP_D_INF);
    }
    if (bits << 1 > RP_D_INF << 1) {
        return rp_d_quiet(bits);
    }
    return rp_double(bits == RP_D_INF ? RP_D_INF : RP_D_NAN);
}

#endif
