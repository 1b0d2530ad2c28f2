// SPDX-License-Identifier: Apache-2.0
/*
 * See target_math.h. Calls the functions by their own names: link the objects of runtime/math in
 * front of any other math library. No stdio, no allocation.
 */
#include "target_math.h"

#include <stddef.h>

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

enum {
    RANDOM_ARGUMENTS = 5000
};

/* Bits and values of arguments and results, of either width. */
union number {
    uint64_t bits64;
    uint32_t bits32;
    float f;
    double d;
};

/* One call: x and y in, the result out as bits. */
static uint64_t call(unsigned index, union number x, union number y);

static const uint32_t special_floats[] = {
    0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x3EFFFFFF, 0x3F000000, 0x3F7FFFFF,
    0x3F800000, 0x3F800001, 0x3FC00000, 0x40000000, 0x40400000, 0x4B000001, 0x4EFFFFFF,
    0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000, 0x7FFFFFFF,
};

enum {
    SPECIALS = sizeof special_floats / sizeof special_floats[0]
};

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

/* The hash of a function over all its arguments. */
static uint32_t hash_calls(unsigned index, unsigned arity, int is_double) {
    uint32_t hash = 0x811C9DC5u;
    uint32_t state = 0x2545F491u;
    unsigned i;
    unsigned j;

    for (i = 0; i < 2 * SPECIALS; ++i) {
        for (j = 0; j < (arity == 2 ? 2 * SPECIALS : 1); ++j) {
            hash = fnv1a(hash, call(index, special(i, is_double), special(j, is_double)));
        }
    }
    for (i = 0; i < RANDOM_ARGUMENTS; ++i) {
        union number x = any(&state, is_double);

        hash = fnv1a(hash, call(index, x, any(&state, is_double)));
    }
    return hash;
}

/* lrintf where a 32-bit long holds the result: elsewhere C leaves it open. */
static uint64_t call_long(long (*function)(float), union number x) {
    if ((x.bits32 & 0x7FFFFFFFu) >= 0x4F000000u) {
        return 0;
    }
    return (uint32_t)function(x.f);
}

// clang-format off
#define CALL_FLOAT_1(name)  x.f = name(x.f); return x.bits32;
#define CALL_FLOAT_2(name)  x.f = name(x.f, y.f); return x.bits32;
#define CALL_DOUBLE_1(name) x.d = name(x.d); return x.bits64;
#define CALL_DOUBLE_2(name) x.d = name(x.d, y.d); return x.bits64;
#define CALL_LONG_1(name)   return call_long(name, x);
#define CALL(name, arity, kind) case INDEX_##name: CALL_##kind##_##arity(name)
#define INDEX(name, arity, kind) INDEX_##name,
#define IS_DOUBLE_FLOAT  0
#define IS_DOUBLE_DOUBLE 1
#define IS_DOUBLE_LONG   0
#define HASH(name, arity, kind) case INDEX_##name: return hash_calls(index, arity, IS_DOUBLE_##kind);
#define NAME(name, arity, kind) case INDEX_##name: return #name;
// clang-format on

enum {
    RP_MATH_FUNCTIONS(INDEX) COUNT
};

const unsigned rp_math_count = COUNT;

static uint64_t call(unsigned index, union number x, union number y) {
    switch (index) {
        RP_MATH_FUNCTIONS(CALL)
    default:
        return 0;
    }
}

uint32_t rp_math_hash(unsigned index) {
    switch (index) {
        RP_MATH_FUNCTIONS(HASH)
    default:
        return 0;
    }
}

const char *rp_math_name(unsigned index) {
    switch (index) {
        RP_MATH_FUNCTIONS(NAME)
    default:
        return NULL;
    }
}
