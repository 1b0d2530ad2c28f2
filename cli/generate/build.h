/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the model, again if another choice is better, and what it is compared with. */
#ifndef RP_CLI_GENERATE_BUILD_H
#define RP_CLI_GENERATE_BUILD_H

#include "cli/generate/generation.h"

/* The errors of the pipeline's steps. */
bool rp_generation_build(struct rp_generation *run, struct rp_error *err);

#endif
