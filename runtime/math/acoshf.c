// SPDX-License-Identifier: Apache-2.0
/*
 * acoshf: 2 * atanh(sqrt((x - 1) / (x + 1))) up to 33/32, else log(x + sqrt(x^2 - 1)).
 *
 * Largest error on all floats: 0.514 ulp.
 */
#include "internal.h"

float acoshf(float x);

/* acosh(x) for x = m * 2^-23, 1 < x < 33/32. */
static inline float acoshf_near_one(uint32_t m) {
    uint32_t n = m - 0x00800000u;
    int zeros = rp_clz(n);
    uint64_t q = rp_div(n << zeros >> 1, (m + 0x00800000u) << 7); /* times 2^-(zeros + 24) */

    q <<= 32 - (zeros & 1);
    zeros = (zeros + 56 - (zeros & 1)) / 2 - 24;
    return rp_pack64(0, rp_atanh(rp_sqrt(q), zeros), -54 - zeros);
}

float acoshf(float x) {
    uint32_t bits = rp_bits(x);
    struct rp_log l;
    uint64_t square;
    uint32_t m;
    int exp;

    if (bits - RP_ONE >= RP_INF - RP_ONE) { /* below 1, infinity, NaN */
        if (bits << 1 > RP_INF << 1) {
            return rp_quiet(bits);
        }
        return rp_float(bits == RP_INF ? RP_INF : RP_NAN);
    }
    if (bits == RP_ONE) {
        return 0.0f;
    }
    m = rp_unpack(bits, &exp);
    if (bits < 0x3F840000u) {
        return acoshf_near_one(m);
    }
    square = (rp_mul(m, m) << 14) - (exp <= 30 ? (uint64_t)1 << 60 >> (2 * exp) : 0);
    l = rp_log_split_root((uint64_t)m << 37, square, exp);
    return rp_log_natural(&l);
}
