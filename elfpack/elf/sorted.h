/* SPDX-License-Identifier: Apache-2.0 */
/* Sorted arrays, and lists of 32-bit words: addresses and offsets. Pure. */
#ifndef RP_ELFPACK_ELF_SORTED_H
#define RP_ELFPACK_ELF_SORTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Index of the first of count sorted items that is not before key; count if all are before it.
 * compare, as for bsearch: above 0 if the item is before key.
 */
size_t rp_lower_bound(const void *key, const void *items, size_t count, size_t size,
                      int (*compare)(const void *key, const void *item));

struct rp_words {
    uint32_t *items;
    size_t count;
    size_t capacity;
};

void rp_words_sort(struct rp_words *words);
/* Index of the first of the sorted words that is not below word. */
size_t rp_words_find(const struct rp_words *words, uint32_t word);
/* Is the word among the sorted words? */
bool rp_words_have(const struct rp_words *words, uint32_t word);

#endif
