// SPDX-License-Identifier: Apache-2.0
/* Deterministic argument samples for check_math. See check_math.h. */
#include "check_math.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { STEP = 2003 }; /* prime */

/* Zero, subnormals, ends of ranges, integers, ties, NaNs; used with both signs. */
static const uint32_t special_floats[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00000003, 0x00400000, 0x007FFFFF, 0x00800000, 0x00800001,
    0x3E800000, 0x3EAAAAAB, 0x3EFFFFFF, 0x3F000000, 0x3F000001, 0x3F3504F3, 0x3F7FFFFF, 0x3F800000,
    0x3F800001, 0x3FB504F3, 0x3FB504F4, 0x3FC00000, 0x40000000, 0x40200000, 0x40400000, 0x40A00000,
    0x4AFFFFFF, 0x4B000000, 0x4B000001, 0x4B7FFFFF, 0x4B800000, 0x4B800001, 0x4EFFFFFF, 0x4F000000,
    0x5EFFFFFF, 0x5F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF,
};

/* Where a function of runtime/math changes its method. */
static const uint32_t threshold_floats[] = {
    0x32000000, 0x33000000, 0x39000000, 0x39800000, 0x3E000000, 0x3E800000, 0x3E900000, 0x3EAAAAAB,
    0x3F000000, 0x3F3504F3, 0x3F800000, 0x3F840000, 0x3FB504F3, 0x407C0000, 0x41200000, 0x41220000,
    0x41900000, 0x42AEAC50, 0x42B17218, 0x42B2D4FC, 0x42B40000, 0x42CFF1B5, 0x42D00000, 0x43000000,
    0x43150000, 0x43180000, 0x47000000, 0x4B000000, 0x4C800000, 0x4F000000, 0x5F000000, 0x7F800000,
};

static uint32_t float_bits(float x) {
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float float_from(uint32_t bits) {
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint64_t double_bits(double x) {
    uint64_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_from(uint64_t bits) {
    double x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/* xorshift64*; the seed is the state before the first call, not 0. */
static uint64_t next_random(uint64_t *state) {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545F4914F6CDD1Du;
}

/* Uniform in [-1, 1). */
static double next_unit(uint64_t *state) {
    return (double)(int64_t)next_random(state) * 0x1p-63;
}

/* ---- one float ------------------------------------------------------------------------------- */

/* Both signs of the 2 * radius + 1 floats around the one with these bits. */
static void around(uint32_t bits, int radius, sample_visitor visit, void *context) {
    int i;

    for (i = -radius; i <= radius; ++i) {
        uint32_t near = (bits + (uint32_t)i) & 0x7FFFFFFFu;

        visit(context, near, 0);
        visit(context, near | 0x80000000u, 0);
    }
}

void sample_floats(sample_visitor visit, void *context) {
    uint64_t bits;
    size_t i;
    int k;

    for (i = 0; i < COUNT(special_floats); ++i) {
        around(special_floats[i], 2, visit, context);
    }
    for (i = 0; i < COUNT(threshold_floats); ++i) {
        around(threshold_floats[i], 500, visit, context);
    }
    for (k = 0; k < 256; ++k) {
        around((uint32_t)k << 23, 50, visit, context);
    }
    for (k = 1; k < 3000; ++k) {
        around(float_bits((float)(k * 0.78539816339744831)), 2, visit, context);
        around(float_bits((float)(k * 0.34657359027997264)), 2, visit, context);
        around(float_bits((float)(k * 0.5)), 2, visit, context);
    }
    for (bits = 1; bits >> 32 == 0; bits += STEP) {
        visit(context, bits, 0);
    }
}

/* ---- two floats ------------------------------------------------------------------------------ */

static void special_pairs(sample_visitor visit, void *context) {
    size_t i;
    size_t j;

    for (i = 0; i < 2 * COUNT(special_floats); ++i) {
        for (j = 0; j < 2 * COUNT(special_floats); ++j) {
            visit(context, special_floats[i / 2] | (uint32_t)(i & 1) << 31,
                  special_floats[j / 2] | (uint32_t)(j & 1) << 31);
        }
    }
}

/* An x and a y with y * log2(x) between -160 and 160: x anywhere, near 1, or very near 1. */
static void power_pair(uint64_t *state, sample_visitor visit, void *context) {
    uint64_t r = next_random(state);
    uint32_t x = (uint32_t)(r >> 32) & 0x7FFFFFFFu;
    double logarithm;

    switch (r & 3) {
    case 0:
        x = 0x3F800000u + (x % 0x400000u) - 0x200000u;
        break;
    case 1:
        x = 0x3F800000u + (x % 512u) - 256u;
        break;
    default:
        x %= 0x7F800000u;
        break;
    }
    logarithm = log2((double)float_from(x));
    visit(context, x, float_bits((float)(next_unit(state) * 160 / logarithm)));
    /* results next to the overflow and underflow thresholds */
    visit(context, x,
          float_bits((float)((r & 4 ? 128 : -150 + (double)(r >> 3 & 31)) / logarithm)));
    /* integers and halves: exact and nearly exact results */
    visit(context, x | (uint32_t)(r & 8) << 28, float_bits((float)(int)(r >> 4 & 63) / 2 - 16));
}

/* Two floats whose exponents differ by at most 4. */
static void near_pair(uint64_t *state, sample_visitor visit, void *context) {
    uint64_t r = next_random(state);
    uint32_t x = (uint32_t)r;
    uint32_t y = (uint32_t)(r >> 32);

    y = (y & 0x807FFFFFu) | (x & 0x7F800000u);
    visit(context, x, y + ((uint32_t)(r >> 29) % 9 - 4) * 0x00800000u);
    visit(context, x, y);
    visit(context, x, (x & 0x7FFFFFFFu) + (y & 15u));
}

void sample_float_pairs(const char *name, unsigned density, sample_visitor visit, void *context) {
    bool power = strcmp(name, "powf") == 0;
    uint64_t state = 0x9E3779B97F4A7C15u;
    unsigned i;

    special_pairs(visit, context);
    for (i = 0; i < 500000 * density; ++i) {
        uint64_t r = next_random(&state);

        visit(context, r & 0xFFFFFFFFu, r >> 32);
        if (power) {
            power_pair(&state, visit, context);
        } else {
            near_pair(&state, visit, context);
        }
    }
}

/* ---- doubles --------------------------------------------------------------------------------- */

static const uint64_t special_doubles[] = {
    0x0000000000000000, 0x0000000000000001, 0x0000000000000003, 0x000FFFFFFFFFFFFF,
    0x0010000000000000, 0x0010000000000001, 0x3C90000000000000, 0x3C9FFFFFFFFFFFFF,
    0x3CA0000000000000, 0x3E40000000000000, 0x3FD5555555555555, 0x3FE0000000000000,
    0x3FE6A09E667F3BCD, 0x3FEFFFFFFFFFFFFF, 0x3FF0000000000000, 0x3FF0000000000001,
    0x3FF6A09E667F3BCC, 0x3FF6A09E667F3BCD, 0x3FF8000000000000, 0x4000000000000000,
    0x4004000000000000, 0x4008000000000000, 0x4014000000000000, 0x40862E42FEFA39EF,
    0x40862E42FEFA39F0, 0x4087449D0CC14FBD, 0x40874910D52D3051, 0x40874910D52D3052,
    0x4090000000000000, 0x4090CC0000000000, 0x432FFFFFFFFFFFFF, 0x4330000000000000,
    0x4330000000000001, 0x433FFFFFFFFFFFFF, 0x4340000000000000, 0x7FEFFFFFFFFFFFFF,
    0x7FF0000000000000, 0x7FF0000000000001, 0x7FF8000000000000, 0x7FFFFFFFFFFFFFFF,
};

static void special_double_pairs(int arity, sample_visitor visit, void *context) {
    size_t i;
    size_t j;

    for (i = 0; i < 2 * COUNT(special_doubles); ++i) {
        for (j = 0; j < (arity == 2 ? 2 * COUNT(special_doubles) : 1); ++j) {
            visit(context, special_doubles[i / 2] ^ (uint64_t)(i & 1) << 63,
                  special_doubles[j / 2] ^ (uint64_t)(j & 1) << 63);
        }
    }
}

static void double_power_pair(uint64_t *state, sample_visitor visit, void *context) {
    uint64_t r = next_random(state);
    double x = double_from(r >> 1);
    double y;

    if ((r & 3) == 0 || !(x > 0) || isinf(x)) {
        x = 1 + ldexp(next_unit(state), -(int)(r % 50) - 1);
    } else if ((r & 3) == 1) {
        x = exp2(next_unit(state) * 4);
    }
    y = next_unit(state) * 1100 / log2(x);
    visit(context, double_bits(x), double_bits(y));
    y = (r & 4 ? 1024 : -1074 + (double)(r >> 3 & 63)) / log2(x);
    visit(context, double_bits(x), double_bits(y));
    visit(context, double_bits(x) ^ (r & 8) << 60, double_bits((double)(int)(r >> 9 & 63) - 32));
}

/* Any bit pattern, and values around 1, 0 and up to 800. */
static void one_double(uint64_t *state, sample_visitor visit, void *context) {
    double x = next_unit(state);

    visit(context, next_random(state), 0);
    visit(context, double_bits(x * 800), 0);
    visit(context, double_bits(x * 4), 0);
    visit(context, double_bits(1 + ldexp(x, -(int)(next_random(state) % 50))), 0);
    visit(context, double_bits(ldexp(x, -(int)(next_random(state) % 64))), 0);
}

void sample_doubles(const char *name, int arity, unsigned density, sample_visitor visit,
                    void *context) {
    uint64_t state = 0xD1B54A32D192ED03u;
    unsigned i;

    (void)name;
    special_double_pairs(arity, visit, context);
    for (i = 0; i < 12000 * density; ++i) {
        if (arity == 2) {
            uint64_t x = next_random(&state);

            visit(context, x, next_random(&state));
            double_power_pair(&state, visit, context);
        } else {
            one_double(&state, visit, context);
        }
    }
}
