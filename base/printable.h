/* SPDX-License-Identifier: Apache-2.0 */
/* Text that comes from files and other programs, made harmless for terminals. */
#ifndef RP_BASE_PRINTABLE_H
#define RP_BASE_PRINTABLE_H

#include "base/arena.h"

/* The text with \xNN in place of each byte of a control character or of invalid UTF-8. */
const char *rp_printable(struct rp_arena *arena, const char *text);
/* The same for a text of several lines: line ends and tabs stay. */
const char *rp_printable_lines(struct rp_arena *arena, const char *text);

#endif
