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
 * and hold no absolute address then. Sets *count to how many these are.
 */
bool rp_package_free_r9(struct rp_package *package, size_t *count, struct rp_error *err);
/* All of them as they were: for calls through pointers, which only the link shows. */
bool rp_package_keep_r9(struct rp_package *package, struct rp_error *err);

#endif
