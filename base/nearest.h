/* SPDX-License-Identifier: Apache-2.0 */
/* "Did you mean": finds the known word nearest to a mistyped one. */
#ifndef RP_BASE_NEAREST_H
#define RP_BASE_NEAREST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/*
 * The number of letters to insert, delete, replace or swap with their neighbour to turn one word
 * into the other. Case does not matter, and - equals _. A word of more than 63 letters is at
 * distance UINT_MAX.
 */
unsigned rp_word_distance(const char *a, const char *b);
enum { RP_WORD_BYTES = 64 };
/*
 * Finds the nearest of the known words, which are separated by blanks; the first of several equally
 * near ones. false: none is near enough.
 */
bool rp_nearest(char found[RP_WORD_BYTES], const char *word, const char *known);
/* Finds up to max such words, the nearest first. Returns their number. */
size_t rp_nearest_few(char found[][RP_WORD_BYTES], size_t max, const char *word, const char *known);
/* Sets the hint "did you mean PREFIX WORD?" (without the blank) if a word is near. Always false. */
bool rp_hint_nearest(struct rp_error *err, const char *word, const char *prefix, const char *known);

#endif
