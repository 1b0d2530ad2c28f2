// SPDX-License-Identifier: Apache-2.0
/* Arguments for check_math: deterministic samples, as bit patterns. */
#ifndef RP_TEST_CHECK_MATH_H
#define RP_TEST_CHECK_MATH_H

#include <stdint.h>

/* Called with the bits of each argument (y is 0 for functions of one argument). */
typedef void (*sample_visitor)(void *context, uint64_t x, uint64_t y);

/* About two million floats: special values, the neighbourhood of every threshold, of every power of
 * two and of the multiples of pi/4 and log(2)/2, and every 2003rd bit pattern. */
void sample_floats(sample_visitor visit, void *context);

/* Pairs of floats for the function `name`, about two million times density. */
void sample_float_pairs(const char *name, unsigned density, sample_visitor visit, void *context);

/* Doubles, or pairs of doubles if arity is 2, for the function `name`: about 60,000 times density.
 */
void sample_doubles(const char *name, int arity, unsigned density, sample_visitor visit,
                    void *context);

#endif
