// SPDX-License-Identifier: Apache-2.0
/*
 * sqrtf: the FPU's instruction where there is one, else an integer square root with a sticky bit.
 *
 * Correctly rounded (checked on all floats).
 */
#include "internal.h"

float sqrtf(float x);

#if defined(__ARM_FP) && (__ARM_FP & 4)

float sqrtf(float x) {
    float root;

    __asm__("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x));
    return root;
}

#else

float sqrtf(float x) {
    uint32_t bits = rp_bits(x);
    uint64_t m;
    uint32_t root;
    int exp;

    if (bits - 1 >= RP_INF - 1) { /* 0, infinity, NaN, negative */
        if (bits << 1 == 0 || bits == RP_INF) {
            return x;
        }
        return bits << 1 > RP_INF << 1 ? rp_quiet(bits) : rp_float(RP_NAN);
    }
    m = rp_unpack(bits, &exp);
    m <<= 39 + (exp & 1); /* x = m * 2^(exp - (exp & 1) - 62) */
    root = rp_sqrt(m);
    return rp_pack(0, root | ((uint64_t)root * root != m), exp >> 1);
}

#endif
