/* SPDX-License-Identifier: Apache-2.0 */
/* The compact list of words to rebase: see compact.h. */
#include "elfpack/image/compact.h"

#include "base/buf.h"
#include "runtime/format/reloc_format.h"

enum { SPAN = 4 * RELOC_COMPACT_BITS }; /* bytes that a bitmap stands for */

/* The bitmap of the addresses from base on; moves *next past those that are in it. */
static uint32_t bitmap(const uint32_t *words, size_t count, uint32_t base, size_t *next) {
    uint32_t bits = 0;
    for (; *next < count && words[*next] - base < SPAN; ++*next)
        bits |= UINT32_C(2) << (words[*next] - base) / 4;
    return bits;
}

void rp_compact_encode(struct rp_words *table, struct rp_arena *arena, const uint32_t *words,
                       size_t count) {
    size_t first = table->count;
    for (size_t next = 0; next < count;) {
        uint32_t base = words[next] + 4, bits;
        *RP_PUSH(arena, table) = words[next++];
        for (; (bits = bitmap(words, count, base, &next)) != 0; base += SPAN)
            *RP_PUSH(arena, table) = bits | 1;
    }
    uint32_t bytes = (uint32_t)(4 * (table->count - first));
    *RP_PUSH(arena, table) = RELOC_COMPACT_END | bytes;
}

struct rp_compact rp_compact_find(const uint8_t *file, uint32_t start, uint32_t end) {
    struct rp_compact table = {0};
    if (end < start || end - start < 4)
        return table;
    uint32_t bytes = rp_get_le32(file + end - 4) ^ RELOC_COMPACT_END;
    if (bytes % 4 != 0 || bytes > end - start - 4)
        return table;
    table.at = file + end - 4 - bytes;
    table.bytes = bytes;
    return table;
}

bool rp_compact_next(struct rp_compact *table, uint32_t *where) {
    while (table->bits == 0 && table->bytes != 0) {
        uint32_t word = rp_get_le32(table->at);
        table->at += 4;
        table->bytes -= 4;
        table->where = word % 2 == 0 ? word : table->base;
        table->bits = word % 2 == 0 ? 1 : word >> 1;
        table->base = table->where + (word % 2 == 0 ? 4 : SPAN);
    }
    while (table->bits != 0) {
        bool set = table->bits % 2 != 0;
        *where = table->where;
        table->where += 4;
        table->bits >>= 1;
        if (set)
            return true;
    }
    return false;
}
