/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frees r9 in code that does not need it. Position-independent code keeps r9 for the GOT; loops of
 * kernels, which work on pointers alone, are slower because they lack that register.
 */
#ifndef RP_CLI_PIPELINE_R9_H
#define RP_CLI_PIPELINE_R9_H

#include <stdbool.h>

#include "cli/pipeline/package.h"

/*
 * Compiles units again without -fpic when they load nothing from the GOT, call no unit that does,
 * and then hold no absolute address. Sets compiled.plain if there are such units.
 */
bool rp_package_free_r9(struct rp_package *package, struct rp_error *err);
/* Before anything is compiled: frees r9 in the units of an earlier attempt, choice.plain. */
void rp_package_use_free_r9(struct rp_package *package);

#endif
