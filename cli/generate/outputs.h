/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a run of `generate` writes, and their names. */
#ifndef RP_CLI_GENERATE_OUTPUTS_H
#define RP_CLI_GENERATE_OUTPUTS_H

#include "cli/generate/generation.h"

/*
 * Writes image, weights, C array, loader and reports, all of them or none. text: the report as
 * text. RP_E_CHANGED when an input has changed since the run began; RP_E_USAGE when an output would
 * replace an input.
 */
bool rp_generation_write(struct rp_generation *run, struct rp_buf *text, struct rp_error *err);

#endif
