/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Colour and progress, only for people: on a terminal, without NO_COLOR, not with --quiet.
 */
#ifndef RP_CLI_TERMINAL_H
#define RP_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/printable.h"

enum rp_colour { RP_PLAIN, RP_RED, RP_GREEN, RP_YELLOW };

/* The escape sequence, or "" where there is no terminal. */
const char *rp_colour(FILE *stream, enum rp_colour colour);
/* Overwrites one progress line on stderr; "" wipes it. Nothing where stderr is no terminal. */
void rp_progress(bool quiet, const char *text);
/* "relocpack: warning RP1060: …" on stderr, a line each, with the hint on another. */
void rp_print_notes(struct rp_arena *arena, const struct rp_diagnostics *notes);

/* The result of a command as JSON, on stdout; frees it. */
void rp_print_json(struct rp_json *value);

#endif
