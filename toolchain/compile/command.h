/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Command lines of programs that the user names: placeholders and their values. quote.h splits such
 * a line into words.
 */
#ifndef RP_TOOLCHAIN_COMPILE_COMMAND_H
#define RP_TOOLCHAIN_COMPILE_COMMAND_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* The first value of this name in a list of "NAME=VALUE"; NULL: there is none, or it is empty. */
const char *rp_command_value(const struct rp_strings *values, const char *name);

/* Is {NAME} in one of the words? */
bool rp_command_has(const struct rp_strings *words, const char *name);

/*
 * Appends words to line, with {NAME} replaced by values of this name. A word with several values is
 * repeated for each, one without a value omitted, and so is the previous word, if it begins with
 * "-" and has no placeholder. RP_E_USAGE: a {NAME} is in neither known nor values.
 */
bool rp_command_fill(struct rp_arena *arena, const struct rp_strings *words,
                     const struct rp_strings *values, struct rp_strings *line,
                     struct rp_error *err);

#endif
