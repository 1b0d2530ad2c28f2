/* SPDX-License-Identifier: Apache-2.0 */
/* What the pipeline does differently when clang compiles for Cortex-M: see clang.c. */
#ifndef RP_CLI_PIPELINE_CLANG_H
#define RP_CLI_PIPELINE_CLANG_H

#include "cli/pipeline/package.h"

/* Are all sources C? RP_E_COMPILE names the first one that is not. */
bool rp_clang_takes_sources(const struct rp_package *package, struct rp_error *err);
/*
 * Before the model's objects are made: rewrites its assembly so that constants can be moved
 * (toolchain/compile/clang_asm.h). Does nothing for gcc.
 */
bool rp_clang_move_constants(struct rp_package *package, struct rp_error *err);
/* After the scan: drops what could not be moved, and large arrays, from linked.scan.large. */
void rp_clang_keep_large(struct rp_package *package);
/*
 * After compiling: is there a table of constant addresses that could not be moved? If so, the image
 * has to patch a copy of itself, as with -r copy-only.
 */
bool rp_clang_has_tables(struct rp_package *package, bool *found, struct rp_error *err);

#endif
