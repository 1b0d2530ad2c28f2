// SPDX-License-Identifier: Apache-2.0
/*
 * rintf: the FPU's instruction on FPv5 and Armv8-M, else integer rounding to nearest even.
 *
 * Exact (checked on all floats).
 */
#include "internal.h"

float rintf(float x);

#if defined(__ARM_FP) && (__ARM_FP & 4) && (__ARM_ARCH >= 8 || (__ARM_FP & 8))

float rintf(float x) {
    float rounded;

    __asm__("vrintx.f32 %0, %1" : "=t"(rounded) : "t"(x));
    return rounded;
}

#else

float rintf(float x) {
    return rp_round_to_integer(x);
}

#endif
