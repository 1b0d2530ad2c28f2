/* SPDX-License-Identifier: Apache-2.0 */
/* Text that comes from files and other programs, made harmless for terminals. */
#ifndef RP_BASE_PRINTABLE_H
#define RP_BASE_PRINTABLE_H

#include "base/arena.h"

/* The text with \xNN in place of each byte of a control character or of invalid UTF-8. */
const char *rp_printable(struct rp_arena *arena, const char *text);
/* The same for a text of several lines: line ends and tabs stay. */
const char *rp_printable_lines(struct rp_arena *arena, const char *text);
/*
 * For a message of ours with names from outside: a line end stays only before a line that begins
 * with two blanks, as ours do. What runners of pipelines take for a command ("::" at the beginning
 * of a line, "##[") is escaped.
 */
const char *rp_printable_message(struct rp_arena *arena, const char *text);

#endif
