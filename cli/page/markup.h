/* SPDX-License-Identifier: Apache-2.0 */
/* Text of reports, made harmless for HTML and SVG. */
#ifndef RP_CLI_PAGE_MARKUP_H
#define RP_CLI_PAGE_MARKUP_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

/*
 * The text for an element or a quoted attribute. What XML cannot hold, control characters and
 * bytes that are not UTF-8, is written as \xNN; marks that turn the direction of writing as
 * U+FFFD, since they would change how the text around them looks.
 */
const char *rp_markup(struct rp_arena *arena, const char *text);
/* The same, cut to that many characters, the last of which is then an ellipsis. */
const char *rp_markup_cut(struct rp_arena *arena, const char *text, size_t most);
/* A cell of a table with a name, which is cut if it is very long; the whole is in the tooltip. */
void rp_markup_name(struct rp_buf *out, const char *tag, const char *name);
/* "12.3 %", "under 0.1 %"; "" if there is no whole. */
const char *rp_share(struct rp_arena *arena, uint64_t part, uint64_t whole);

#endif
