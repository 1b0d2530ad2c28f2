/* SPDX-License-Identifier: Apache-2.0 */
/* Text of reports, made harmless for HTML, SVG and JSON in a page. */
#ifndef RP_CLI_PAGE_MARKUP_H
#define RP_CLI_PAGE_MARKUP_H

#include <stdint.h>

#include "base/arena.h"
#include "base/buf.h"

/*
 * The text for an element or a quoted attribute. Control characters, bytes that are not UTF-8 and
 * marks that turn the direction of writing are written as \xNN; U+FFFE and U+FFFF, which XML
 * cannot hold, as U+FFFD.
 */
const char *rp_markup(struct rp_arena *arena, const char *text);
/* The same, cut to that many characters, the last of which is then an ellipsis. */
const char *rp_markup_cut(struct rp_arena *arena, const char *text, size_t most);
/*
 * The same text in quotes, as JSON for an element of a page; line ends and tabs stay. It has no
 * '<', so nothing in it ends the element.
 */
void rp_markup_json(struct rp_buf *out, const char *text);
/* "12.3 %", "under 0.1 %"; "" if there is no whole. */
const char *rp_share(struct rp_arena *arena, uint64_t part, uint64_t whole);

#endif
