/* SPDX-License-Identifier: Apache-2.0 */
/* The step before opening, with --generator: a model file becomes C code in the workspace. */
#ifndef RP_CLI_PIPELINE_GENERATED_H
#define RP_CLI_PIPELINE_GENERATED_H

#include "cli/pipeline/package.h"

/*
 * Sets the package's input to what the generator writes; without --generator nothing happens. It
 * runs once for a package, and not at all if options->generator.made is set. RP_E_USAGE and the
 * errors of rp_generate_begin and rp_generate_run.
 */
bool rp_package_generate(struct rp_package *package, struct rp_error *err);
/* Adds who wrote the code to the hint of an error that has none. */
void rp_package_blame_generator(const struct rp_package *package, struct rp_error *err);

/* The hint of an error in code that a program wrote: its name. */
#define RP_HINT_GENERATOR                                                                          \
    "--generator %s wrote this code: --workspace DIR keeps it in DIR/generated"

#endif
