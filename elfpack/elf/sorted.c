/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted arrays: see sorted.h. */
#include "elfpack/elf/sorted.h"

#include <stdlib.h>

size_t rp_lower_bound(const void *key, const void *items, size_t count, size_t size,
                      int (*compare)(const void *key, const void *item)) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare(key, (const char *)items + middle * size) > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_words(const void *a, const void *b) {
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

void rp_words_sort(struct rp_words *words) {
    if (words->count != 0)
        qsort(words->items, words->count, sizeof *words->items, compare_words);
}

size_t rp_words_find(const struct rp_words *words, uint32_t word) {
    return rp_lower_bound(&word, words->items, words->count, sizeof word, compare_words);
}

bool rp_words_have(const struct rp_words *words, uint32_t word) {
    size_t at = rp_words_find(words, word);
    return at < words->count && words->items[at] == word;
}
