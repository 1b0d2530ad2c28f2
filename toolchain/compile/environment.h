/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The environment variables that started programs get: those in a table here, and those that the
 * user names with --pass-env. All others are removed, because compilers, linkers and make obey more
 * variables than anybody can list.
 */
#ifndef RP_TOOLCHAIN_COMPILE_ENVIRONMENT_H
#define RP_TOOLCHAIN_COMPILE_ENVIRONMENT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The environment for a program, ended by NULL: variables of this process that are allowed or in
 * passed (or NULL), with changes (or NULL): "NAME=VALUE" sets, "NAME" removes. The locale is C.
 */
char **rp_environment_make(struct rp_arena *arena, const struct rp_strings *passed,
                           const struct rp_strings *changes);

/* RP_E_USAGE: --pass-env must not pass one of these names on. */
bool rp_environment_check(const struct rp_strings *passed, struct rp_error *err);

#endif
