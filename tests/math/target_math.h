// SPDX-License-Identifier: Apache-2.0
/*
 * Hashes of the results of every function of runtime/math over a fixed sample of arguments. The
 * same value on the host and on every core means the same bits.
 */
#ifndef RP_TEST_TARGET_MATH_H
#define RP_TEST_TARGET_MATH_H

#include <stdint.h>

/* Number of functions, in the order of functions.h. */
extern const unsigned rp_math_count;

/* Name of a function; index < rp_math_count. */
const char *rp_math_name(unsigned index);

/* FNV-1a hash over the bits of the results of a function; index < rp_math_count. */
uint32_t rp_math_hash(unsigned index);

#endif
