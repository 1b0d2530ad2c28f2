/* SPDX-License-Identifier: Apache-2.0 */
/* A set of texts, with lookups in constant time. */
#ifndef RP_BASE_SET_H
#define RP_BASE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/map.h"

/* Zeroed, it is empty. */
struct rp_set {
    struct rp_map indices;
};

/*
 * Adds a copy of a text; false: the set has it. index, unless NULL: the position in which it was
 * added.
 */
bool rp_set_add(struct rp_arena *arena, struct rp_set *set, const char *text, size_t *index);

#endif
