/* SPDX-License-Identifier: Apache-2.0 */
/* A table with rules, as the vendor's tools print them: rows in, lines of text out. */
#ifndef RP_CLI_REPORT_TABLE_H
#define RP_CLI_REPORT_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

struct rp_table {
    struct rp_arena *arena;
    size_t columns;
    bool centred;            /* otherwise flush left */
    struct rp_strings cells; /* row by row; the first row is the head */
};

/* Adds as many cells as there are columns. */
void rp_table_row(struct rp_table *table, const char *const *cells);
void rp_table_print(const struct rp_table *table, struct rp_buf *out);

#endif
