// SPDX-License-Identifier: Apache-2.0
/*
 * log2f: log2(x) = k + 2 * atanh(s) / log(2), s = (m - 1) / (m + 1) for x = m * 2^k and m
 * between sqrt(1/2) and sqrt(2). Near 1, k is 0 and the result keeps the relative precision of s.
 *
 * Largest error on all floats: 0.512 ulp.
 */
#include "internal.h"

float log2f(float x);

float log2f(float x) {
    uint32_t bits = rp_bits(x);
    struct rp_log l;
    uint64_t v;
    int exp;

    if (bits - 1 >= RP_INF - 1) { /* 0, infinity, NaN, negative */
        return rp_log_special(bits);
    }
    bits = rp_unpack(bits, &exp);
    l = rp_log_split(bits, exp);
    v = rp_atanh(rp_div(l.difference, l.sum), l.zeros);
    v = rp_mulhi64(v, 0xB8AA3B295C17F0BCu); /* 1 / log(2) in Q63 */
    return rp_log_round(&l, v, (uint64_t)1 << 55);
}
