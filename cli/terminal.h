/* SPDX-License-Identifier: Apache-2.0 */
/* Colour and progress are for people: they need a terminal, no NO_COLOR and no --quiet. */
#ifndef RP_CLI_TERMINAL_H
#define RP_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/printable.h"

enum rp_colour { RP_PLAIN, RP_RED, RP_GREEN, RP_YELLOW };

/* The escape sequence for a colour, or "" when the stream is not a terminal. */
const char *rp_colour(FILE *stream, enum rp_colour colour);
/* Columns of the terminal at stdout, 40 to 100; 80 when that is none. */
size_t rp_terminal_width(void);
/* Overwrites one progress line on stderr; "" wipes it. Does nothing when stderr is no terminal. */
void rp_progress(bool quiet, const char *text);
/*
 * Prints "relocpack: warning RP1060: …" on stderr, one line each, and hints on lines of their own.
 */
void rp_print_notes(struct rp_arena *arena, const struct rp_diagnostics *notes);
/* Prints them, unless quiet, and adds them to the list of the run. */
void rp_tell_notes(struct rp_arena *arena, struct rp_diagnostics *list,
                   const struct rp_diagnostics *notes, bool quiet);

/* Prints the result of a command as JSON on stdout, and frees it. */
void rp_print_json(struct rp_json *value);
/* Has it? A command that fails after that has said why in its result. */
bool rp_json_is_printed(void);

#endif
