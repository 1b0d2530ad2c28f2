// SPDX-License-Identifier: Apache-2.0
/*
 * log1pf: log(w) with w = 1 + x exact in 64 bits. Near 0 the result keeps the relative precision
 * of s = x / (2 + x).
 *
 * Largest error on all floats: 0.508 ulp.
 */
#include "internal.h"

float log1pf(float x);

float log1pf(float x) {
    uint32_t bits = rp_bits(x);
    uint32_t abs = bits & ~RP_SIGN;
    struct rp_log l;
    uint64_t w;
    uint32_t m;
    int exp;

    if (abs < 0x33000000u) { /* 2^-25: x^2 / 2 is at most a quarter of an ulp */
        return x;
    }
    if (bits >= (RP_SIGN | RP_ONE)) { /* -1 and below, NaN */
        return rp_log_special(bits == (RP_SIGN | RP_ONE) ? 0 : bits);
    }
    if (abs >= RP_INF) {
        return rp_log_special(bits);
    }
    m = rp_unpack(abs, &exp);
    if (exp >= 0) { /* 1 + x = w * 2^(exp - 62) */
        w = ((uint64_t)m << 39) + (exp <= 30 ? (uint64_t)1 << 62 >> exp : 0);
    } else { /* w * 2^-62 */
        w = (uint64_t)m << (39 + exp);
        w = ((uint64_t)1 << 62) + (bits != abs ? 0 - w : w);
        exp = 0;
    }
    l = rp_log_split64(w, exp - 62);
    return rp_log_natural(&l);
}
