/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines of programs that the user names: places to be filled, and values for them. quote.h
 * splits such a line into words.
 */
#ifndef RP_TOOLCHAIN_COMPILE_COMMAND_H
#define RP_TOOLCHAIN_COMPILE_COMMAND_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* The first value of that name in a list of "NAME=VALUE"; NULL: none, or an empty one. */
const char *rp_command_value(const struct rp_strings *values, const char *name);

/* Is {NAME} in one of the words? */
bool rp_command_has(const struct rp_strings *words, const char *name);

/*
 * Appends words to line, with {NAME} replaced by values of that name. A word with several values
 * comes once for each. A word with none is left out. Both go for the word before it, too, if that
 * begins with "-" and has no place itself. RP_E_USAGE: {NAME} that is in neither known nor values.
 */
bool rp_command_fill(struct rp_arena *arena, const struct rp_strings *words,
                     const struct rp_strings *values, struct rp_strings *line,
                     struct rp_error *err);

#endif
