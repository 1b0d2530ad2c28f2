/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compact table (docs/FORMAT.md): a list of words to rebase in the encoding of SHT_RELR (ELF
 * generic ABI, "Relative relocation table"), followed by a word that gives its length. Pure: words
 * in, words out.
 */
#ifndef RP_ELFPACK_IMAGE_COMPACT_H
#define RP_ELFPACK_IMAGE_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "elfpack/elf/sorted.h"

/*
 * Appends the table of count addresses, which are multiples of 4 in ascending order, and its end.
 */
void rp_compact_encode(struct rp_words *table, struct rp_arena *arena, const uint32_t *words,
                       size_t count);

/* The state of a walk through a table that is not trusted. */
struct rp_compact {
    const uint8_t *at;
    uint32_t bytes; /* left, the end not counted */
    uint32_t base;  /* the address that bit 1 of the next bitmap stands for */
    uint32_t bits;  /* of the bitmap begun, the next address in bit 0 */
    uint32_t where;
};

/*
 * Finds the table that ends at file + end and begins at or after file + start. Its last word gives
 * its length; its contents are not checked. Without a table, at is NULL.
 */
struct rp_compact rp_compact_find(const uint8_t *file, uint32_t start, uint32_t end);
/*
 * The next address; false when there are no more. A bitmap without an address before it yields
 * addresses below 124.
 */
bool rp_compact_next(struct rp_compact *table, uint32_t *where);

#endif
