/* SPDX-License-Identifier: Apache-2.0 */
/* What a report of `generate` says of memory, in the words of budgets. In: JSON. Out: numbers. */
#ifndef RP_CLI_FACTS_MEMORY_H
#define RP_CLI_FACTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct rp_memory_figure {
    const char *name; /* of a budget: "flash" */
    uint64_t bytes;
};

struct rp_memory_figures {
    bool acts_outside; /* activations may lie outside: totals have none */
    struct rp_memory_figure *items;
    size_t count;
    size_t capacity;
};

/* Adds the figures of a report, a text of len bytes and a 0. False: it is not a report. */
bool rp_memory_read(struct rp_memory_figures *figures, struct rp_arena *arena, const char *text,
                    size_t len);

#endif
