/* SPDX-License-Identifier: Apache-2.0 */
/* A map from texts to values, in an arena. */
#ifndef RP_BASE_MAP_H
#define RP_BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct rp_map_slot {
    const char *key; /* NULL: free */
    size_t len;
    uint64_t hash;
    void *value;
};

/* Set arena and leave the rest 0. */
struct rp_map {
    struct rp_arena *arena;
    struct rp_map_slot *slots;
    size_t count, room; /* room: a power of two, or 0 */
};

/*
 * Points to the value of a key of len bytes, which is NULL if the key is new. The key is copied.
 * The pointer is valid until the next call; the caller owns what the value points to.
 */
void **rp_map_at(struct rp_map *map, const char *key, size_t len);

#endif
