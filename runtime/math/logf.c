// SPDX-License-Identifier: Apache-2.0
/*
 * logf: log(x) = k * log(2) + 2 * atanh(s), s = (m - 1) / (m + 1) for x = m * 2^k and m between
 * sqrt(1/2) and sqrt(2). Near 1, k is 0 and the result keeps the relative precision of s.
 *
 * Largest error on all floats: 0.508 ulp.
 */
#include "internal.h"

float logf(float x);

float logf(float x) {
    uint32_t bits = rp_bits(x);
    struct rp_log l;
    int exp;

    if (bits - 1 >= RP_INF - 1) { /* 0, infinity, NaN, negative */
        return rp_log_special(bits);
    }
    bits = rp_unpack(bits, &exp);
    l = rp_log_split(bits, exp);
    return rp_log_natural(&l);
}
