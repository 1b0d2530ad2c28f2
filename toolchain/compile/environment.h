/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which variables of the environment reach the programs that are started: those in a table here,
 * and those that the user named with --pass-env. All others are removed, because compilers, linkers
 * and make take orders from more variables than anybody can list.
 */
#ifndef RP_TOOLCHAIN_COMPILE_ENVIRONMENT_H
#define RP_TOOLCHAIN_COMPILE_ENVIRONMENT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * The environment of a program, ended by NULL: the variables of ours that are allowed or in passed
 * (or NULL), with changes (or NULL): "NAME=VALUE" sets, "NAME" removes. The locale is C.
 */
char **rp_environment_make(struct rp_arena *arena, const struct rp_strings *passed,
                           const struct rp_strings *changes);

/* May --pass-env hand on these names? RP_E_USAGE. */
bool rp_environment_check(const struct rp_strings *passed, struct rp_error *err);

#endif
