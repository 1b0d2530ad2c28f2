/* SPDX-License-Identifier: Apache-2.0 */
/* Makes text from files and other programs harmless for terminals. */
#ifndef RP_BASE_PRINTABLE_H
#define RP_BASE_PRINTABLE_H

#include "base/arena.h"

/* The text with \xNN for each byte of a control character, a deceptive one or invalid UTF-8. */
const char *rp_printable(struct rp_arena *arena, const char *text);
/* The same for a text of several lines: line ends and tabs are kept. */
const char *rp_printable_lines(struct rp_arena *arena, const char *text);
/*
 * The same for a message of relocpack with names from outside: a line end is kept only if the next
 * line begins with two blanks, as those of relocpack do. Commands of CI systems ("::" at the
 * beginning of a line, "##[") are escaped.
 */
const char *rp_printable_message(struct rp_arena *arena, const char *text);

#endif
