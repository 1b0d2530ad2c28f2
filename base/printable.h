/* SPDX-License-Identifier: Apache-2.0 */
/* Text that comes from files and other programs, made harmless for terminals. */
#ifndef RP_BASE_PRINTABLE_H
#define RP_BASE_PRINTABLE_H

#include "base/arena.h"

/* The text with \xNN for each byte of control characters and of what is no UTF-8. */
const char *rp_printable(struct rp_arena *arena, const char *text);
/* The same of a text of several lines: line ends and tabs stay. */
const char *rp_printable_lines(struct rp_arena *arena, const char *text);

#endif
