/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of text, for a terminal or as a Markdown table. */
#ifndef RP_BASE_GRID_H
#define RP_BASE_GRID_H

#include "base/arena.h"
#include "base/buf.h"

/* Zero-initialise and set arena. Add the columns first, then for each row as many cells. */
struct rp_grid {
    struct rp_arena *arena;
    struct rp_strings heads;
    uint64_t left; /* bit by column: flush left, otherwise right */
    struct rp_strings cells;
};

void rp_grid_column(struct rp_grid *grid, const char *head, bool left);
void rp_grid_cell(struct rp_grid *grid, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* 1234567 → "1,234,567" */
const char *rp_commas(struct rp_arena *arena, uint64_t value);
/* -1234567 → "-1,234,567"; +1 → "+1" */
const char *rp_signed(struct rp_arena *arena, int64_t value);
void rp_grid_number(struct rp_grid *grid, uint64_t number);
/* Escapes a text for Markdown, so that it does not end a cell or become emphasis or HTML. */
const char *rp_escaped(struct rp_arena *arena, const char *text);
void rp_grid_print(const struct rp_grid *grid, bool markdown, struct rp_buf *out);

#endif
