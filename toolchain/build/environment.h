/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What of the environment reaches the programs that are started: names that are in a table here, or
 * that the user named with --pass-env. All else stays out, for compilers, linkers and make take
 * orders from more variables than anybody can list.
 */
#ifndef RP_TOOLCHAIN_BUILD_ENVIRONMENT_H
#define RP_TOOLCHAIN_BUILD_ENVIRONMENT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The environment of a program, ended by NULL: of ours what is allowed or in passed (or NULL), with
 * changes (or NULL): "NAME=VALUE" is set, "NAME" is not there. The locale is C.
 */
char **rp_environment_make(struct rp_arena *arena, const struct rp_strings *passed,
                           const struct rp_strings *changes);

/* May --pass-env hand on these names? RP_E_USAGE. */
bool rp_environment_check(const struct rp_strings *passed, struct rp_error *err);

/* The allowed names by position, NULL past the end; "CCACHE_*" stands for all that begin so. */
const char *rp_environment_allowed(size_t index);

#endif
