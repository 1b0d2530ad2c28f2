/* SPDX-License-Identifier: Apache-2.0 */
/* The first step: turns the options into target, tools, dialect and model. */
#ifndef RP_CLI_PIPELINE_OPEN_H
#define RP_CLI_PIPELINE_OPEN_H

#include "cli/pipeline/package.h"

/* Finds templates/ and runtime/: RELOCPACK_DATADIR, beside the program, or as installed. */
const char *rp_data_dir(struct rp_arena *arena, struct rp_error *err);
/* Sets every member of package. The options have to outlive it. */
bool rp_package_open(struct rp_package *package, struct rp_arena *arena,
                     const struct rp_source_options *options, struct rp_error *err);
/*
 * Starts the next round with package->decided and the model as it was opened, in the same
 * workspace. What would be compiled with the same arguments is not compiled again.
 */
void rp_package_begin_round(struct rp_package *package);

/*
 * Fills in the options of a build, without its data_dir, from what the user wants of the tools.
 * RP_E_TOOL_MISSING: the launcher was not found.
 */
bool rp_tools_choose(struct rp_build_options *tools, struct rp_arena *arena,
                     const struct rp_source_options *options, struct rp_error *err);

#endif
