/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of two reports, side by side. Pure. */
#ifndef RP_CLI_FACTS_COMPARE_H
#define RP_CLI_FACTS_COMPARE_H

#include "cli/facts/facts.h"

/* One of them is NULL: only the other has it. Names differ when a symbol was renamed. */
struct rp_change {
    const struct rp_fact *old, *new;
};

struct rp_diff {
    struct rp_arena *arena;
    const struct rp_facts *old, *new;
    struct rp_change *items; /* by group; all of memory and time, of others what has changed */
    size_t count;
    size_t capacity;
};

/*
 * Facts of the same group, name and place belong together; where there are several of them, in
 * their order. A symbol that is gone and one that is new are one that was renamed, if size and
 * place are the same. Symbols and functions: what changed most comes first. Of two sources of
 * different kinds, only what both have is compared; of
 * symbols, sections and layers, only if both have any.
 */
void rp_diff_make(struct rp_diff *out, const struct rp_facts *old, const struct rp_facts *new);
/* The number of a fact; 0 if there is none. */
int64_t rp_number_of(const struct rp_fact *fact);
bool rp_is_changed(const struct rp_change *change);

#endif
