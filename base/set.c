/* SPDX-License-Identifier: Apache-2.0 */
/* A set of texts: see set.h. The map's values point to the indices, which begin with 0. */
#include "base/set.h"

#include <string.h>

bool rp_set_add(struct rp_arena *arena, struct rp_set *set, const char *text, size_t *index) {
    set->indices.arena = arena;
    size_t count = set->indices.count;
    void **value = rp_map_at(&set->indices, text, strlen(text));
    bool is_new = *value == NULL;
    if (is_new) {
        size_t *own = rp_alloc(arena, 1, sizeof *own);
        *own = count;
        *value = own;
    }
    if (index != NULL)
        *index = *(const size_t *)*value;
    return is_new;
}
