/* SPDX-License-Identifier: Apache-2.0 */
/* What is different in the pipeline when clang compiles for Cortex-M: see clang.c. */
#ifndef RP_CLI_PIPELINE_CLANG_H
#define RP_CLI_PIPELINE_CLANG_H

#include "cli/pipeline/package.h"

/* Is there only C? RP_E_COMPILE names the first source that is not. */
bool rp_clang_takes_sources(const struct rp_package *package, struct rp_error *err);
/*
 * Before the model's objects are made: lets its constants be moved (toolchain/build/clang_asm.h).
 * Does nothing for gcc.
 */
bool rp_clang_move_constants(struct rp_package *package, struct rp_error *err);
/* After the scan: drops what could not be moved. Large arrays are in the RAM. */
void rp_clang_keep_large(struct rp_package *package);
/*
 * After compiling: is there a constant table with addresses that could not be moved? Then the image
 * has to patch a copy of itself, as with -r copy-only.
 */
bool rp_clang_has_tables(struct rp_package *package, bool *found, struct rp_error *err);

#endif
