/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints rows, headings and paragraphs of `ops`, as columns of text or as Markdown. Texts may come
 * from files, so all are made harmless for terminals and escaped for Markdown.
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

/* The text in a form that is safe to print. */
const char *rp_ops_shown(const struct rp_ops_form *form, const char *text);
/* The number of columns that it takes, one for each character. */
int rp_ops_columns(const char *text);
/* The text; when it has too many columns, "..." and its end. In Markdown always all of it. */
const char *rp_ops_shortened(const struct rp_ops_form *form, const char *text, int columns);

/* Cells up to a NULL, with their widths, which are negative to align left. No trailing blanks. */
void rp_ops_put_row(const struct rp_ops_form *form, const char *const *cells, const int *widths);
void rp_ops_put_titles(const struct rp_ops_form *form, const char *const *titles,
                       const int *widths);
void rp_ops_put_heading(const struct rp_ops_form *form, const char *text);
/* An item of a list. In text, lines are wrapped before column 100. */
void rp_ops_put_item(const struct rp_ops_form *form, const char *text);

const char *rp_ops_number(const struct rp_ops_form *form, uint64_t value);
/* "node 3" or "nodes 3 5-9". Numbers ascend, and there is at least one. */
const char *rp_ops_node_list(const struct rp_ops_form *form, const size_t *nodes, size_t count);

#endif
