/* SPDX-License-Identifier: Apache-2.0 */
/* The outputs of a run: gathered, saved and compared with what they should be. */
#ifndef RP_CLI_RUN_OUTPUTS_H
#define RP_CLI_RUN_OUTPUTS_H

#include "cli/run/run.h"

/*
 * Fills in the assessment of each image: outputs of the first run of each input, and what
 * --expected, --labels and --compare ask for; writes --save-output. Options about outputs are for
 * one image: RP_E_USAGE.
 */
bool rp_run_assess(struct rp_run *run, struct rp_error *err);
/* The first run, from 0, that computes something else than the first one of its input; or 0. */
size_t rp_run_changed(const struct rp_run *run, const struct rp_run_image *image);
/* RP_E_VERIFY when outputs are not what they should be. */
bool rp_run_judge(const struct rp_run *run, struct rp_error *err);

#endif
