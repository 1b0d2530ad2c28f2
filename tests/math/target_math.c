// SPDX-License-Identifier: Apache-2.0
/*
 * See target_math.h. Calls the functions by their own names: link the objects of runtime/math in
 * front of any other math library. No stdio, no allocation.
 */
#include "target_math.h"

#include "../../runtime/math/functions.h"

// clang-format off
#define DECLARE_FLOAT_1(name)  float name(float);
#define DECLARE_FLOAT_2(name)  float name(float, float);
#define DECLARE_DOUBLE_1(name) double name(double);
#define DECLARE_DOUBLE_2(name) double name(double, double);
#define DECLARE_LONG_1(name)   long name(float);
#define DECLARE(name, arity, kind) DECLARE_##kind##_##arity(name)
// clang-format on

RP_MATH_FUNCTIONS(DECLARE)

enum { RANDOM_ARGUMENTS = 5000 };

/* Bits and values of arguments and results, of either width. */
union number {
    uint64_t bits64;
    uint32_t bits32;
    float f;
    double d;
};

enum kind { FLOAT, DOUBLE, LONG };

/* The member that kind and arity name is set. */
struct function {
    const char *name;
    unsigned arity;
    enum kind kind;
    union {
        float (*float_1)(float);
        float (*float_2)(float, float);
        double (*double_1)(double);
        double (*double_2)(double, double);
        long (*long_1)(float);
    } call;
};

// clang-format off
#define ROW_FLOAT_1  .float_1
#define ROW_FLOAT_2  .float_2
#define ROW_DOUBLE_1 .double_1
#define ROW_DOUBLE_2 .double_2
#define ROW_LONG_1   .long_1
#define ROW(name, arity, kind) {#name, arity, kind, {ROW_##kind##_##arity = name}},
// clang-format on

static const struct function functions[] = {RP_MATH_FUNCTIONS(ROW)};

const unsigned rp_math_count = sizeof functions / sizeof functions[0];

static const uint32_t special_floats[] = {
    0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x3EFFFFFF, 0x3F000000, 0x3F7FFFFF,
    0x3F800000, 0x3F800001, 0x3FC00000, 0x40000000, 0x40400000, 0x4B000001, 0x4EFFFFFF,
    0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF,
};

enum { SPECIALS = sizeof special_floats / sizeof special_floats[0] };

static uint32_t next_random(uint32_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static uint32_t fnv1a(uint32_t hash, uint64_t value) {
    int i;

    for (i = 0; i < 8; ++i) {
        hash = (hash ^ (uint32_t)(value & 0xFFu)) * 0x01000193u;
        value >>= 8;
    }
    return hash;
}

/* A special float, as a float or as the double with the same place among doubles. */
static union number special(unsigned i, int is_double) {
    uint32_t bits = special_floats[i / 2];
    uint64_t sign = i & 1u;
    union number n = {0};

    if (!is_double) {
        n.bits32 = bits | (uint32_t)sign << 31;
    } else if (bits >= 0x7F800000u) {
        n.bits64 = 0x7FF0000000000000u | (uint64_t)(bits & 0x007FFFFFu) << 29 | sign << 63;
    } else if (bits < 0x00800000u) {
        n.bits64 = bits | sign << 63;
    } else {
        n.bits64 = ((uint64_t)bits << 29) + ((uint64_t)(1023 - 127) << 52) + (bits & 1u);
        n.bits64 |= sign << 63;
    }
    return n;
}

/* A random number: any bit pattern, or one with an exponent near that of 1. */
static union number any(uint32_t *state, int is_double) {
    union number n = {0};
    uint32_t high = next_random(state);
    uint32_t low = next_random(state);

    if (!is_double) {
        n.bits32 = (low & 1u) != 0 ? high : (high & 0x83FFFFFFu) + 0x3D000000u;
    } else {
        n.bits64 = (low & 1u) != 0 ? high : (high & 0x807FFFFFu) + 0x3FA00000u;
        n.bits64 = n.bits64 << 32 | low;
    }
    return n;
}

/* The result of one call, as bits. */
static uint64_t call(const struct function *f, union number x, union number y) {
    switch (f->kind) {
    case FLOAT:
        x.f = f->arity == 1 ? f->call.float_1(x.f) : f->call.float_2(x.f, y.f);
        return x.bits32;
    case DOUBLE:
        x.d = f->arity == 1 ? f->call.double_1(x.d) : f->call.double_2(x.d, y.d);
        return x.bits64;
    case LONG:
        /* only where a 32-bit long holds the result: elsewhere C leaves it open */
        return (x.bits32 & 0x7FFFFFFFu) < 0x4F000000u ? (uint32_t)f->call.long_1(x.f) : 0;
    }
    return 0;
}

uint32_t rp_math_hash(unsigned index) {
    const struct function *f = &functions[index];
    int is_double = f->kind == DOUBLE;
    uint32_t hash = 0x811C9DC5u;
    uint32_t state = 0x2545F491u;
    unsigned i;
    unsigned j;

    for (i = 0; i < 2 * SPECIALS; ++i) {
        for (j = 0; j < (f->arity == 2 ? 2 * SPECIALS : 1); ++j) {
            hash = fnv1a(hash, call(f, special(i, is_double), special(j, is_double)));
        }
    }
    for (i = 0; i < RANDOM_ARGUMENTS; ++i) {
        union number x = any(&state, is_double);

        hash = fnv1a(hash, call(f, x, any(&state, is_double)));
    }
    return hash;
}

const char *rp_math_name(unsigned index) {
    return functions[index].name;
}
