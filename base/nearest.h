/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": the known word that a mistyped one is nearest to. */
#ifndef RP_BASE_NEAREST_H
#define RP_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * Letters to insert, leave out, replace or swap with their neighbour to make one word of the other,
 * whatever their case; - and _ are the same. Words of more than 63 letters are as far as can be.
 */
unsigned rp_word_distance(const char *a, const char *b);
enum { RP_WORD_BYTES = 64 };
/*
 * Of the known words, which are separated by blanks, the one that is near enough to be meant; of
 * two that are equally near the first. false: none is.
 */
bool rp_nearest(char found[RP_WORD_BYTES], const char *word, const char *known);
/* Sets the hint "did you mean X?" unless nothing is near; prefix goes before X. Always false. */
bool rp_hint_nearest(struct rp_error *err, const char *word, const char *prefix, const char *known);

#endif
