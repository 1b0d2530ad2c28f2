/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows, headings and paragraphs of `ops`, as columns of text or as Markdown. Texts may come from
 * files: all are made harmless for terminals, and in Markdown mean nothing but themselves.
 */
#ifndef RP_CLI_OPS_FORM_H
#define RP_CLI_OPS_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct rp_ops_form {
    struct rp_arena *arena;
    bool markdown;
};

/* The text as it may be printed. */
const char *rp_ops_shown(const struct rp_ops_form *form, const char *text);
/* How many columns it takes, a character each. */
int rp_ops_columns(const char *text);
/* The end of a text that has more columns, behind "..."; all of it in Markdown. */
const char *rp_ops_shortened(const struct rp_ops_form *form, const char *text, int columns);

/* Cells up to a NULL, with their widths, negative for text; no blanks at the end of the line. */
void rp_ops_put_row(const struct rp_ops_form *form, const char *const *cells, const int *widths);
void rp_ops_put_titles(const struct rp_ops_form *form, const char *const *titles,
                       const int *widths);
void rp_ops_put_heading(const struct rp_ops_form *form, const char *text);
/* An item of a list; in text, lines end before column 100. */
void rp_ops_put_item(const struct rp_ops_form *form, const char *text);

const char *rp_ops_number(const struct rp_ops_form *form, uint64_t value);
/* "node 3", "nodes 3 5-9": of ascending numbers, at least one. */
const char *rp_ops_node_list(const struct rp_ops_form *form, const size_t *nodes, size_t count);

#endif
