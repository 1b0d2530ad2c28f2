/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiler options that a user may add: those that change the code, but not which files are
 * written where.
 */
#ifndef RP_TOOLCHAIN_BUILD_CFLAGS_H
#define RP_TOOLCHAIN_BUILD_CFLAGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The first of the words that could make a compiler start or load another program, or write a file
 * elsewhere; NULL: there is none.
 */
const char *rp_cflags_starts(const struct rp_strings *words);
/* The words of --cflags. RP_E_USAGE names the first one that is not allowed, and why. */
bool rp_cflags_check(const struct rp_strings *words, struct rp_error *err);

#endif
