// SPDX-License-Identifier: Apache-2.0
/*
 * lrintf: the FPU's instruction where there is one, else integer rounding to nearest even. Out of
 * range the result saturates, and NaN gives 0.
 *
 * Exact (checked on all floats).
 */
#include "internal.h"

long lrintf(float x);

#if defined(__ARM_FP) && (__ARM_FP & 4)

long lrintf(float x) {
    float rounded;

    __asm__("vcvtr.s32.f32 %0, %1" : "=t"(rounded) : "t"(x));
    return (long)rp_bits(rounded);
}

#else

long lrintf(float x) {
    uint32_t bits = rp_bits(rp_round_to_integer(x));
    uint32_t abs = bits & ~RP_SIGN;
    unsigned long m = (abs & RP_FRACTION) | 0x00800000u;
    unsigned long limit = (~0ul >> 1) + (bits >> 31);

    if (abs > RP_INF || abs < RP_ONE) {
        return 0;
    }
    if (abs >= 0x3F000000u + (sizeof(long) * 8 << 23)) { /* 2^(bits of a long - 1) */
        m = limit;
    } else if (abs < 0x4B000000u) {
        m >>= 150 - (abs >> 23);
    } else {
        m <<= (abs >> 23) - 150;
    }
    return (long)(bits != abs ? 0 - m : m);
}

#endif
