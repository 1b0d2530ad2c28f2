// SPDX-License-Identifier: Apache-2.0
/*
 * atanhf: the series kernel below 1/8, else log((1 + |x|) / (1 - |x|)) / 2 = k * log(2) / 2 +
 * atanh(s), s = (1 + |x| - 2^k (1 - |x|)) / (1 + |x| + 2^k (1 - |x|)).
 *
 * Largest error on all floats: 0.504 ulp.
 */
#include "internal.h"

float atanhf(float x);

/* atanh(|x|) for |x| = x * 2^-26, 1/8 <= |x| < 1. */
static inline float atanhf_large(uint32_t sign, uint32_t x) {
    uint32_t n = 0x04000000u + x;
    uint32_t d = 0x04000000u - x;
    int n_zeros = rp_clz(n);
    int d_zeros = rp_clz(d);
    struct rp_log l = {.zeros = 9, .k = d_zeros - n_zeros};
    uint32_t difference;
    uint32_t sum;
    int shift;

    n = n << n_zeros >> 1;
    d = d << d_zeros >> 1;
    if (rp_mulhi(n, 0xB504F334u) > d) { /* n / d > sqrt(2) */
        n >>= 1;
        ++l.k;
    } else if (rp_mulhi(d, 0xB504F334u) > n) {
        d >>= 1;
        --l.k;
    }
    l.negative = d > n;
    difference = l.negative ? d - n : n - d;
    sum = n + d;
    shift = rp_clz(sum);
    l.sum = sum << shift;
    if (difference != 0) {
        l.zeros = rp_clz(difference);
        l.difference = difference << l.zeros >> 1;
        l.zeros += 7 - shift;
    }
    x = rp_bits(rp_log_round(&l, rp_atanh(rp_div(l.difference, l.sum), l.zeros) >> 2, RP_LN2 >> 1));
    return rp_float(sign | x);
}

float atanhf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t sign = bits & RP_SIGN;
    uint32_t abs = bits ^ sign;
    uint32_t m;
    int exp;

    if (abs >= RP_ONE) {
        if (abs > RP_INF) {
            return rp_quiet(bits);
        }
        return rp_float(abs == RP_ONE ? sign | RP_INF : RP_NAN);
    }
    if (abs < 0x39000000u) { /* 2^-13: x^3 / 3 is less than a quarter of an ulp */
        return x;
    }
    m = rp_unpack(abs, &exp);
    if (exp >= -3) {
        return atanhf_large(sign, m << (exp + 3));
    }
    return rp_pack64(sign, rp_atanh(m << 8, 7 - exp), exp - 62);
}
