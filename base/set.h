/* SPDX-License-Identifier: Apache-2.0 */
/* A set of texts. A lookup takes the same time however many there are. */
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
 * Adds a text, which is copied. False: it was there. index, unless NULL: how many texts were there
 * before it was added.
 */
bool rp_set_add(struct rp_arena *arena, struct rp_set *set, const char *text, size_t *index);

#endif
