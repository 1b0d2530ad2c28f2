/* SPDX-License-Identifier: Apache-2.0 */
/* Values by text: see table.h. Open addressing, at most half full. */
#include "base/table.h"

#include <string.h>

enum { ROOM_MIN = 64 };

/* Eight bytes at a time: keys are paths, which are long and begin alike. */
static uint64_t hash_of(const char *key, size_t len) {
    static const uint64_t factor = 0x9e3779b97f4a7c15U; /* 2^64 by the golden ratio, Knuth 6.4 */
    uint64_t hash = len, part;
    while (len != 0) {
        size_t size = len < sizeof part ? len : sizeof part;
        part = 0;
        memcpy(&part, key, size);
        hash = (hash ^ part) * factor;
        hash ^= hash >> 29;
        key += size;
        len -= size;
    }
    return hash;
}

/* The slot of the key, or the free one where it belongs. */
static struct rp_table_slot *find(const struct rp_table *table,
                                  const struct rp_table_slot *wanted) {
    size_t at = (size_t)wanted->hash & (table->room - 1);
    while (table->slots[at].key != NULL &&
           (table->slots[at].hash != wanted->hash || table->slots[at].len != wanted->len ||
            memcmp(table->slots[at].key, wanted->key, wanted->len) != 0))
        at = (at + 1) & (table->room - 1);
    return &table->slots[at];
}

static void grow(struct rp_table *table) {
    const struct rp_table old = *table;
    table->room = old.room != 0 ? 2 * old.room : ROOM_MIN;
    table->slots = rp_alloc(table->arena, table->room, sizeof *table->slots);
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i].key != NULL)
            *find(table, &old.slots[i]) = old.slots[i];
}

void **rp_table_at(struct rp_table *table, const char *key, size_t len) {
    struct rp_table_slot wanted = {.key = key, .len = len, .hash = hash_of(key, len)};
    if (2 * table->count >= table->room)
        grow(table);
    struct rp_table_slot *slot = find(table, &wanted);
    if (slot->key == NULL) {
        *slot = wanted;
        slot->key = rp_strndup(table->arena, key, len);
        table->count++;
    }
    return &slot->value;
}
