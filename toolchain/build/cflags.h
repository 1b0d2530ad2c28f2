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

/* The words of --cflags. RP_E_USAGE names the first one that is not allowed, and why. */
bool rp_cflags_check(const struct rp_strings *words, struct rp_error *err);

#endif
