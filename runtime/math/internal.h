// SPDX-License-Identifier: Apache-2.0
/*
 * Shared kernels of the position-independent math library.
 *
 * Why it exists: newlib's functions keep absolute words in .text (tables, errno, _impure_ptr),
 * which no position-independent image can carry. Each file in this folder defines one C99 function
 * and nothing else, and calls no other library function, so that a tool can add just the one file a
 * model needs.
 *
 * Method: everything is fixed point. A float is split into sign, exponent and a 24-bit significand;
 * reductions and polynomials run in 32-bit unsigned fractions with 32 x 32 -> 64 bit products
 * (64-bit fractions for the double functions); one rounding happens at the end, in rp_pack(). So
 * the result does not depend on the FPU, on contraction (FMA) or on the rounding of intermediate
 * steps: the same bits come out on every core and host, and the error stays close to half a unit in
 * the last place. Nothing reads or writes errno or the floating-point status.
 *
 * Notation: Qn is an unsigned (or two's complement) integer that stands for itself times 2^-n.
 *
 * Build: -std=c11 -ffp-contract=off -fno-math-errno -fno-builtin, default rounding, no
 * flush-to-zero. Right shifts of negative integers are arithmetic (GCC and Clang define them so).
 *
 * NaN: an operand that is NaN comes back quiet with its payload; an invalid operation gives
 * 0x7FC00000.
 *
 * Clean in Debian's newlib 3.3 on Cortex-M3, M4, M7, M33 and M55 (no absolute word, no errno, no
 * _impure_ptr in what the link pulls in), hence not provided here:
 *
 * - float: cbrtf ceilf copysignf fabsf fdimf floorf fmaf fmaxf fminf frexpf logbf lroundf modff
 *   nextafterf roundf scalbnf truncf
 * - double: ceil copysign fabs floor fmax fmin lround round trunc
 *
 * Clean on some cores only, hence provided for all: rintf and nearbyintf (M33, M55), rint (M55).
 * Not clean and not provided: ldexpf remainderf, and the double functions not in functions.h.
 */
#ifndef RP_MATH_INTERNAL_H
#define RP_MATH_INTERNAL_H

#include <stdint.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define RP_SIGN     0x80000000u
#define RP_INF      0x7F800000u
#define RP_NAN      0x7FC00000u
#define RP_ONE      0x3F800000u
#define RP_FRACTION 0x007FFFFFu

/* ---- bit casts
 * ---------------------------------------------------------------------------------------------- */

static inline uint32_t rp_bits(float x) {
    union {
        float f;
        uint32_t u;
    } v = {.f = x};

    return v.u;
}

static inline float rp_float(uint32_t bits) {
    union {
        uint32_t u;
        float f;
    } v = {.u = bits};

    return v.f;
}

/* The NaN operand `bits`, quiet. */
static inline float rp_quiet(uint32_t bits) {
    return rp_float(bits | 0x00400000u);
}

/* ---- integers
 * -----------------------------------------------------------------------------------------------
 */

/* Leading zeros; v is not 0. */
static inline int rp_clz(uint32_t v) {
    return __builtin_clz(v);
}

/* Leading zeros; v is not 0. (__builtin_clzll would call libgcc on a 32-bit core.) */
static inline int rp_clz64(uint64_t v) {
    uint32_t high = (uint32_t)(v >> 32);

    return high != 0 ? rp_clz(high) : 32 + rp_clz((uint32_t)v);
}

/* High word of a 32 x 32 bit product. */
static inline uint32_t rp_mulhi(uint32_t a, uint32_t b) {
    return (uint32_t)(((uint64_t)a * b) >> 32);
}

/* Product of two 32-bit words. */
static inline uint64_t rp_mul(uint32_t a, uint32_t b) {
    return (uint64_t)a * b;
}

/* a * b / 2^64, at most 2 too small: the product of the low words is left out. */
static inline uint64_t rp_mulhi64(uint64_t a, uint64_t b) {
    uint32_t a1 = (uint32_t)(a >> 32);
    uint32_t a0 = (uint32_t)a;
    uint32_t b1 = (uint32_t)(b >> 32);
    uint32_t b0 = (uint32_t)b;

    return rp_mul(a1, b1) + rp_mulhi(a1, b0) + rp_mulhi(a0, b1);
}

/* One 16-bit digit of a quotient: floor(rem * 2^16 / b), rem < b, b >= 2^31; rem becomes the
 * remainder. The estimate is never too large, and at most 3 too small. */
static inline uint32_t rp_div_digit(uint32_t *rem, uint32_t b) {
    uint32_t q = *rem / ((b >> 16) + 1);
    uint64_t r = ((uint64_t)*rem << 16) - rp_mul(q, b);

    while (r >= b) {
        r -= b;
        ++q;
    }
    *rem = (uint32_t)r;
    return q;
}

/* floor(a * 2^32 / b), a < b, b >= 2^31. */
static inline uint32_t rp_div(uint32_t a, uint32_t b) {
    uint32_t high = rp_div_digit(&a, b);

    return high << 16 | rp_div_digit(&a, b);
}

/* Square root of m in [2^62, 2^64), rounded down. The reciprocal root starts from a quadratic good
 * to 5 bits and doubles its precision twice; one correction by the remainder makes the root exact
 * to one unit, two comparisons make it exact. */
static inline uint32_t rp_sqrt(uint64_t m) {
    uint32_t high = (uint32_t)(m >> 32);
    uint32_t y = 0xAAEEFDFFu - rp_mulhi(high, 0xD2436189u - rp_mulhi(high, 0x68DE5DCDu)); /* Q30 */
    uint64_t s;
    int i;

    for (i = 0; i < 2; ++i) {
        uint32_t t = 0x30000000u - rp_mulhi(high, rp_mulhi(y, y)); /* 3 - m * y^2 in Q28 */

        y = (uint32_t)(rp_mul(y, t) >> 29);
    }
    s = rp_mul(high, y) >> 30;
    s += (uint64_t)(((int64_t)(m - s * s) >> 14) * (int64_t)y >> 49);
    if (s * s > m) {
        --s;
    } else if (m - s * s > 2 * s) {
        ++s;
    }
    return (uint32_t)s;
}

/* ---- unpacking and rounding
 * --------------------------------------------------------------------------------- */

/* Significand in [2^23, 2^24) and exponent of a finite nonzero |x| with bits `abs`: |x| = m *
 * 2^(exp - 23). */
static inline uint32_t rp_unpack(uint32_t abs, int *exp) {
    int shift;

    if (abs >= 0x00800000u) {
        *exp = (int)(abs >> 23) - 127;
        return (abs & RP_FRACTION) | 0x00800000u;
    }
    shift = rp_clz(abs) - 8;
    *exp = -126 - shift;
    return abs << shift;
}

/* Round m * 2^(exp - 31) to nearest even; m >= 2^31, its lowest bit sticky. Subnormals and overflow
 * included. */
static inline float rp_pack(uint32_t sign, uint32_t m, int exp) {
    uint32_t biased = (uint32_t)(exp + 126);

    if (exp > 127) {
        return rp_float(sign | RP_INF);
    }
    if (exp < -126) {
        int shift = -126 - exp;

        if (shift > 25) {
            return rp_float(sign);
        }
        m = m >> shift | (m << (32 - shift) != 0);
        biased = 0;
    }
    m = (m >> 8) + (((m & 0xFFu) + 0x7Fu + ((m >> 8) & 1u)) >> 8);
    return rp_float((sign | biased << 23) + m);
}

/* Round m * 2^exp; m is not 0. */
static inline float rp_pack64(uint32_t sign, uint64_t m, int exp) {
    int shift = rp_clz64(m);

    m <<= shift;
    return rp_pack(sign, (uint32_t)(m >> 32) | ((uint32_t)m != 0), exp + 63 - shift);
}

/* x rounded to an integer, to nearest even. */
static inline float rp_round_to_integer(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t abs = bits & ~RP_SIGN;
    uint32_t below; /* bits that weigh less than 1 */

    if (abs >= 0x4B000000u) { /* 2^23 */
        return abs > RP_INF ? rp_quiet(bits) : x;
    }
    if (abs <= 0x3F000000u) { /* 1/2 */
        return rp_float(bits & RP_SIGN);
    }
    if (abs < RP_ONE) {
        return rp_float((bits & RP_SIGN) | RP_ONE);
    }
    below = 150u - (abs >> 23);
    /* half, less one unit when the integer part is even; a carry into the exponent is right */
    bits += (1u << (below - 1)) - 1 + (below < 23 ? bits >> below & 1u : 1u);
    return rp_float(bits & ~((1u << below) - 1));
}

/* ---- exponential kernel
 * ------------------------------------------------------------------------------------- */

/* 2^f - 1 for a fraction f in Q32, in Q32; minimax polynomial of degree 7, error 2^-34 +
 * truncation. */
static inline uint32_t rp_exp2_fraction(uint32_t f) {
    uint32_t t = 0x1678Cu;

    t = 0x96C18u + rp_mulhi(t, f);
    t = 0x57F15Fu + rp_mulhi(t, f);
    t = 0x27614E8u + rp_mulhi(t, f);
    t = 0xE3593C3u + rp_mulhi(t, f);
    t = 0x3D7F7A4Au + rp_mulhi(t, f);
    t = 0xB1721808u + rp_mulhi(t, f);
    return rp_mulhi(t, f);
}

/* 2^v for v in Q32, as a significand in [2^31, 2^32); its exponent in *exp. */
static inline uint32_t rp_exp2(uint64_t v, int *exp) {
    *exp = (int)(uint32_t)(v >> 32);
    return RP_SIGN + (rp_exp2_fraction((uint32_t)v) >> 1);
}

/* e^x - e^-x (subtract) or e^x + e^-x for v = x * log2(e) >= 2^-13 in Q32: result * 2^*exp. */
static inline uint64_t rp_exp_pair(uint64_t v, int *exp, int subtract) {
    int small_exp;
    uint64_t small = (uint64_t)rp_exp2(0 - v, &small_exp) << 31;
    uint64_t large = (uint64_t)rp_exp2(v, exp) << 31;

    small_exp = *exp - small_exp;
    small = small_exp < 64 ? small >> small_exp : 0;
    *exp -= 62;
    return subtract ? large - small : large + small;
}

/* m * 2^(exp - 23) * log2(e) in Q32, for a 24-bit m and -41 <= exp <= 7. */
static inline uint64_t rp_mul_log2e(uint32_t m, int exp) {
    uint64_t p = rp_mul(m, 0xB8AA3B29u) + rp_mulhi(m, 0x5C17F0BCu);

    return p >> (22 - exp);
}

/* ---- logarithm kernel
 * --------------------------------------------------------------------------------------- */

/* atanh(s)/s - 1 in Q37 for z = s^2 in Q37, s <= 3 - sqrt(8); error 2^-45 + truncation. */
static inline uint32_t rp_atanh_tail(uint32_t z) {
    uint32_t t = 0x19114EEAu;

    t = 0x1C62B1EEu + (rp_mulhi(t, z) >> 5);
    t = 0x2492823Au + (rp_mulhi(t, z) >> 5);
    t = 0x333332D5u + (rp_mulhi(t, z) >> 5);
    t = 0x55555556u + (rp_mulhi(t, z) >> 5);
    return rp_mulhi(t, z);
}

/* atanh(s) for s = q * 2^-(24 + zeros) <= 3 - sqrt(8), zeros >= 9: a 63-bit value times 2^-(55 +
 * zeros). */
static inline uint64_t rp_atanh(uint32_t q, int zeros) {
    uint32_t s = zeros < 41 ? q >> (zeros - 9) : 0;
    uint32_t tail = rp_atanh_tail((uint32_t)(rp_mul(s, s) >> 29));

    return ((uint64_t)q << 31) + (rp_mul(q, tail) >> 6);
}

/* log(x) = k * log(2) + 2 * atanh(s) * (negative ? -1 : 1), s = difference / sum. */
struct rp_log {
    uint32_t difference; /* left-aligned, then halved */
    uint32_t sum;        /* left-aligned */
    int zeros; /* s = difference / sum * 2^(8 - zeros); 0 difference: x is a power of two */
    int k;
    int negative;
};

/* Split x = m * 2^(exp - 23), m a 24-bit significand, about 2^k with |log2(x) - k| <= 1/2. */
static inline struct rp_log rp_log_split(uint32_t m, int exp) {
    int up = m > 0xB504F3u;
    uint32_t one = 0x00800000u << up;
    struct rp_log l = {.zeros = 9, .k = exp + up, .negative = up};
    uint32_t difference = up ? one - m : m - one;

    l.sum = (m + one) << 7;
    if (difference != 0) {
        l.zeros = rp_clz(difference);
        l.difference = difference << l.zeros >> 1;
    }
    return l;
}

/* The same for x = m * 2^exp, m any 64-bit value but 0. */
static inline struct rp_log rp_log_split64(uint64_t m, int exp) {
    int shift = rp_clz64(m);
    struct rp_log l = {.zeros = 9, .k = exp + 63 - shift};

    m <<= shift;
    l.negative = m > 0xB504F333F9DE6484u;
    l.k += l.negative;
    l.sum = (uint32_t)(m >> 33) + (0x40000000u << l.negative);
    m = l.negative ? 0 - m : m - ((uint64_t)1 << 63);
    if (m != 0) {
        shift = rp_clz64(m);
        l.zeros = shift + 8;
        l.difference = (uint32_t)(m << shift >> 33);
    }
    return l;
}

/* (x + sqrt(y)) * 2^exp, split; x and y in Q60, x <= 2 and 2^-6 <= y <= 5. */
static inline struct rp_log rp_log_split_root(uint64_t x, uint64_t y, int exp) {
    int shift = rp_clz64(y) & ~1;
    uint64_t root = rp_sqrt(y << shift); /* Q(30 + shift / 2) */

    return rp_log_split64(x + (root << 30 >> (shift / 2)), exp - 60);
}

/* Round k * unit + v * 2^(-53 - zeros), the second term negative if l says so; unit in Q55. */
static inline float rp_log_round(const struct rp_log *l, uint64_t v, uint64_t unit) {
    uint32_t sign = l->negative ? RP_SIGN : 0;
    int exp = -53 - l->zeros;

    if (l->k != 0) {
        v >>= l->zeros - 2;
        v = unit * (uint64_t)(int64_t)l->k + (l->negative ? 0 - v : v);
        sign = (uint32_t)(v >> 32) & RP_SIGN;
        v = sign != 0 ? 0 - v : v;
        exp = -55;
    }
    if (v == 0) {
        return 0.0f;
    }
    return rp_pack64(sign, v, exp);
}

/* log(2) and log10(2) in Q55. */
#define RP_LN2     0x58B90BFBE8E7BDu
#define RP_LOG10_2 0x268826A13EF3FEu

/* Natural logarithm of what was split. */
static inline float rp_log_natural(const struct rp_log *l) {
    return rp_log_round(l, rp_atanh(rp_div(l->difference, l->sum), l->zeros) >> 1, RP_LN2);
}

/* The logarithm, to any base, of 0, infinity, NaN or a negative number with these bits. */
static inline float rp_log_special(uint32_t bits) {
    if (bits << 1 == 0) {
        return rp_float(RP_SIGN | RP_INF);
    }
    if (bits << 1 > RP_INF << 1) {
        return rp_quiet(bits);
    }
    return rp_float(bits == RP_INF ? RP_INF : RP_NAN);
}

/* ---- error function kernel ------------------------------------------------------------------ */

/* erf(x)/x in Q31 for x = m * 2^(exp - 23) < 1; error 2^-35 + truncation. */
static inline uint32_t rp_erf_ratio(uint32_t m, int exp) {
    uint32_t z = exp < -16 ? 0 : m << 8 >> (-1 - exp);
    uint32_t t = 0x762E2u;

    z = rp_mulhi(z, z);
    t = 0x379AFCu - rp_mulhi(z, t - rp_mulhi(z, 0xA268u));
    t = 0x1562B1Au - rp_mulhi(z, t);
    t = 0x6E0A763u - rp_mulhi(z, t);
    t = 0x1CE2F09Bu - rp_mulhi(z, t);
    t = 0x6049D19Au - rp_mulhi(z, t);
    return 0x906EBA82u - (rp_mulhi(z, t) >> 1);
}

/* e^(x^2) * erfc(x) in Q32 for x in Q28, 1 <= x < 10.2: a polynomial of degree 9 in
 * w = 8 * (1 / (x + 5/2) - 0.18222716); error 2^-32.8 + truncation. */
static inline uint32_t rp_erfcx(uint32_t x) {
    uint32_t d = x + 0x28000000u;
    int shift = rp_clz(d);
    int64_t w = (int32_t)((rp_div(0x40000000u, d << shift) << shift) - 0xBA99C5D5u); /* Q31 */
    int64_t t = 0x2A3F + (0x20CB * w >> 31);

    t = -0x26E21 + (t * w >> 31);
    t = -0x80560 + (t * w >> 31);
    t = 0x20CE6B + (t * w >> 31);
    t = 0x17A92C7 + (t * w >> 31);
    t = 0x6F315F5 + (t * w >> 31);
    t = 0x16062F50 + (t * w >> 31);
    t = 0x34C6B949 + (t * w >> 31);
    return (uint32_t)(0x2DFF2BA7 + (t * w >> 31));
}

/* erfc(x) = result * 2^*result_exp for x = m * 2^(exp - 23), 1 <= x < 10.2. */
static inline uint64_t rp_erfc(uint32_t m, int exp, int *result_exp) {
    uint64_t square = rp_mul(m, m) << 16; /* x^2 = square * 2^(2 exp - 62) */
    uint32_t e;

    /* log2(e) in Q63; x^2 * log2(e) = square * 2^(2 exp - 61), then Q32 */
    square = rp_mulhi64(square, 0xB8AA3B295C17F0BBu) >> (29 - 2 * exp);
    e = rp_exp2(0 - square, result_exp);
    *result_exp -= 63;
    return rp_mul(e, rp_erfcx(m << 5 << exp));
}

#endif
