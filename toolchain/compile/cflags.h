/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler options that a user may add: those that change the code, but not which files are
 * written.
 */
#ifndef RP_TOOLCHAIN_COMPILE_CFLAGS_H
#define RP_TOOLCHAIN_COMPILE_CFLAGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The first word that could make a compiler start or load another program, or write another file;
 * or NULL.
 */
const char *rp_cflags_starts(const struct rp_strings *words);
/*
 * Makes paths in the words absolute, because compilers run in the workspace: those of folders to
 * search, and of files of -include and -imacros that are in the current folder; other files are
 * searched for. RP_E_SYSTEM: there is no current folder.
 */
bool rp_cflags_absolute(struct rp_arena *arena, const struct rp_strings *words,
                        struct rp_strings *out, struct rp_error *err);
/* Checks the words of --cflags. RP_E_USAGE names the first that is not allowed, and why. */
bool rp_cflags_check(const struct rp_strings *words, struct rp_error *err);

#endif
