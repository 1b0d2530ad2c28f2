/* SPDX-License-Identifier: Apache-2.0 */
/*
 * r9 as an ordinary register in what does not need it. Position-independent code keeps r9 for the
 * GOT, and loops of kernels, which work on pointers alone, are slower by the register they lack.
 */
#ifndef RP_CLI_PIPELINE_R9_H
#define RP_CLI_PIPELINE_R9_H

#include <stdbool.h>

#include "cli/pipeline/package.h"

/*
 * Compiles units again without -fpic when they load nothing from the GOT, call no unit that does,
 * and hold no absolute address then. Sets compiled.plain unless there is none.
 */
bool rp_package_free_r9(struct rp_package *package, struct rp_error *err);
/* Before anything is compiled: the same units as in an earlier try, choice.plain. */
void rp_package_use_free_r9(struct rp_package *package);

#endif
