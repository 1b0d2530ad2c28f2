/* SPDX-License-Identifier: Apache-2.0 */
/* Values by text: see map.h. Open addressing, at most half full. */
#include "base/map.h"

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
static struct rp_map_slot *find(const struct rp_map *map, const struct rp_map_slot *wanted) {
    size_t at = (size_t)wanted->hash & (map->room - 1);
    while (map->slots[at].key != NULL &&
           (map->slots[at].hash != wanted->hash || map->slots[at].len != wanted->len ||
            memcmp(map->slots[at].key, wanted->key, wanted->len) != 0))
        at = (at + 1) & (map->room - 1);
    return &map->slots[at];
}

static void grow(struct rp_map *map) {
    const struct rp_map old = *map;
    map->room = old.room != 0 ? 2 * old.room : ROOM_MIN;
    map->slots = rp_alloc(map->arena, map->room, sizeof *map->slots);
    for (size_t i = 0; i < old.room; i++)
        if (old.slots[i].key != NULL)
            *find(map, &old.slots[i]) = old.slots[i];
}

void **rp_map_at(struct rp_map *map, const char *key, size_t len) {
    struct rp_map_slot wanted = {.key = key, .len = len, .hash = hash_of(key, len)};
    if (2 * map->count >= map->room)
        grow(map);
    struct rp_map_slot *slot = find(map, &wanted);
    if (slot->key == NULL) {
        *slot = wanted;
        slot->key = rp_strndup(map->arena, key, len);
        map->count++;
    }
    return &slot->value;
}
