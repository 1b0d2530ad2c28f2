/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the time of a model goes whose code is C and whose run-time has no call-backs: a twin of
 * the image, compiled with hooks at each entry and exit of a function, runs beside it. What the
 * hooks take is measured and taken off, so that the times of all functions together are those of
 * the image itself.
 */
#ifndef RP_CLI_RUN_TWIN_H
#define RP_CLI_RUN_TWIN_H

#include "cli/run/run.h"

/*
 * Builds the twin in the package of image->layers. Without a twin: the run-time has call-backs, or
 * no function of the model would call a hook, because its code comes compiled. Errors of the build.
 */
bool rp_twin_build(struct rp_run *run, struct rp_run_image *image,
                   const struct rp_source_options *source, struct rp_error *err);
/* Runs it, and fills in the image's profile. RP_E_BOARD: it computes something else. */
bool rp_twin_run(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);

#endif
