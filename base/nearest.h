/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": the known word that a mistyped one is nearest to. */
#ifndef RP_BASE_NEAREST_H
#define RP_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * How many letters have to be inserted, left out, replaced or swapped with their neighbour to turn
 * one word into the other. Case does not count, and - equals _. A word of more than 63 letters has
 * the largest distance to every other.
 */
unsigned rp_word_distance(const char *a, const char *b);
enum { RP_WORD_BYTES = 64 };
/*
 * Finds the nearest of the known words, which are separated by blanks; the first of several equally
 * near ones. false: none is near enough to be what was meant.
 */
bool rp_nearest(char found[RP_WORD_BYTES], const char *word, const char *known);
/*
 * The same, of up to max words, the nearest first. Returns how many were found.
 */
size_t rp_nearest_few(char found[][RP_WORD_BYTES], size_t max, const char *word, const char *known);
/* Sets the hint "did you mean X?" unless nothing is near; prefix goes before X. Always false. */
bool rp_hint_nearest(struct rp_error *err, const char *word, const char *prefix, const char *known);

#endif
