// SPDX-License-Identifier: Apache-2.0
/*
 * sqrt: the FPU's instruction where there is one, else an integer square root: 32 bits by rp_sqrt,
 * 32 more by a quotient, and the remainder decides the rounding.
 *
 * Correctly rounded (checked on 1.2 million doubles).
 */
#include "internal_double.h"

double sqrt(double x);

#if defined(__ARM_FP) && (__ARM_FP & 8)

double sqrt(double x) {
    double root;

    __asm__("vsqrt.f64 %P0, %P1" : "=w"(root) : "w"(x));
    return root;
}

#else

/* Square root of m * 2^64 for m in [2^62, 2^64), at most a few units of 2^-64 off. */
static inline uint64_t sqrt_wide(uint64_t m) {
    uint32_t high = rp_sqrt(m);
    uint64_t rest = (m - (uint64_t)high * high) >> 1;

    return (uint64_t)high << 32 | (rest < high ? rp_div((uint32_t)rest, high) : 0xFFFFFFFFu);
}

double sqrt(double x) {
    uint64_t bits = rp_d_bits(x);
    uint64_t root;
    uint64_t m;
    int64_t rest;
    int exp;

    if (bits - 1 >= RP_D_INF - 1) { /* 0, infinity, NaN, negative */
        if (bits << 1 == 0 || bits == RP_D_INF) {
            return x;
        }
        return bits << 1 > RP_D_INF << 1 ? rp_d_quiet(bits) : rp_double(RP_D_NAN);
    }
    m = rp_d_unpack(bits, &exp);
    m >>= 1 - (exp & 1);                       /* x = m * 2^(exp - (exp & 1) - 62) */
    root = sqrt_wide(m) >> 10;                 /* 54 bits */
    rest = (int64_t)((m << 44) - root * root); /* modulo 2^64, but small */
    if (rest < 0) {
        --root;
        rest += (int64_t)(2 * root + 1);
    } else if (rest > (int64_t)(2 * root)) {
        rest -= (int64_t)(2 * root + 1);
        ++root;
    }
    return rp_d_pack(0, root << 1 | (rest != 0), (exp >> 1) + 9);
}

#endif
