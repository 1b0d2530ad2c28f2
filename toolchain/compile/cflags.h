/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler options that a user may add: those that change the code, but not which files are
 * written where.
 */
#ifndef RP_TOOLCHAIN_COMPILE_CFLAGS_H
#define RP_TOOLCHAIN_COMPILE_CFLAGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The first of the words that could make a compiler start or load another program, or write a file
 * elsewhere; NULL: there is none.
 */
const char *rp_cflags_starts(const struct rp_strings *words);
/*
 * The same words, with paths as the current folder has them: compilers run in the workspace.
 * Folders that are searched become absolute, and files of -include and -imacros that are in the
 * current folder; other files are searched for. RP_E_SYSTEM: there is no current folder.
 */
bool rp_cflags_absolute(struct rp_arena *arena, const struct rp_strings *words,
                        struct rp_strings *out, struct rp_error *err);
/* The words of --cflags. RP_E_USAGE names the first one that is not allowed, and why. */
bool rp_cflags_check(const struct rp_strings *words, struct rp_error *err);

#endif
