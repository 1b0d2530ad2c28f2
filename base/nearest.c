/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the nearest word by edit distance: see nearest.h. */
#include "base/nearest.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

enum { LONGEST = RP_WORD_BYTES - 1 };

static int letter(char c) {
    return c == '-' ? '_' : tolower((unsigned char)c);
}

static unsigned least(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Damerau-Levenshtein distance with swaps of neighbours only: three rows of the table suffice. */
unsigned rp_word_distance(const char *a, const char *b) {
    unsigned rows[3][LONGEST + 1];
    size_t a_len = strlen(a), b_len = strlen(b);
    if (a_len > LONGEST || b_len > LONGEST)
        return UINT_MAX;
    for (size_t k = 0; k <= b_len; k++)
        rows[0][k] = (unsigned)k;
    for (size_t i = 1; i <= a_len; i++) {
        unsigned *now = rows[i % 3];
        const unsigned *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t k = 1; k <= b_len; k++) {
            unsigned other = letter(a[i - 1]) != letter(b[k - 1]);
            now[k] = least(before[k - 1] + other, least(before[k], now[k - 1]) + 1);
            if (i > 1 && k > 1 && letter(a[i - 1]) == letter(b[k - 2]) &&
                letter(a[i - 2]) == letter(b[k - 1]))
                now[k] = least(now[k], two_before[k - 2] + 1);
        }
    }
    return rows[a_len % 3][b_len];
}

/* A third of the letters may be wrong: one of "f4", three of "reproducible". */
static unsigned allowed(const char *word) {
    size_t len = strlen(word);
    return len < 6 ? 1 : len < 9 ? 2 : 3;
}

size_t rp_nearest_few(char found[][RP_WORD_BYTES], size_t max, const char *word,
                      const char *known) {
    const unsigned limit = allowed(word);
    size_t count = 0;
    for (size_t len; *(known += strspn(known, " ")) != '\0'; known += len) {
        char one[RP_WORD_BYTES];
        len = strcspn(known, " ");
        if (len >= sizeof one)
            continue;
        memcpy(one, known, len);
        one[len] = '\0';
        unsigned distance = rp_word_distance(word, one);
        if (distance > limit || distance >= len)
            continue;
        size_t at = count; /* after those that are equally near */
        while (at != 0 && rp_word_distance(word, found[at - 1]) > distance)
            at--;
        if (at == max)
            continue;
        count += count < max;
        memmove(found[at + 1], found[at], (count - at - 1) * sizeof found[0]);
        memcpy(found[at], one, len + 1);
    }
    return count;
}

bool rp_nearest(char found[RP_WORD_BYTES], const char *word, const char *known) {
    char few[1][RP_WORD_BYTES];
    bool any = rp_nearest_few(few, 1, word, known) != 0;
    if (any)
        memcpy(found, few[0], sizeof few[0]);
    return any;
}

bool rp_hint_nearest(struct rp_error *err, const char *word, const char *prefix,
                     const char *known) {
    char found[RP_WORD_BYTES];
    return rp_nearest(found, word, known) ? rp_hint(err, "did you mean %s%s?", prefix, found)
                                          : false;
}
