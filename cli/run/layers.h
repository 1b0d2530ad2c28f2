/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the time of a model goes on a board, part by part. Nodes where its run-time has call-backs;
 * else functions: of C code by a twin of the image with hooks (twin.h), of code that comes compiled
 * by breakpoints (breaks.h). All of these run after the image itself, which runs without any.
 */
#ifndef RP_CLI_RUN_LAYERS_H
#define RP_CLI_RUN_LAYERS_H

#include "cli/run/run.h"

/*
 * Makes what the profile needs from what the image's report says. RP_E_USAGE: there is no report,
 * or nothing says what the image was made from; RP_E_PROFILE: it was made from something else;
 * errors of the build.
 */
bool rp_layers_build(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);
/*
 * The same without --profile, for an image that is installed: its nodes by call-backs, if it has
 * any, with the names that the run-time knows. Nothing is made for it.
 */
void rp_layers_plain(const struct rp_run *run, struct rp_run_image *image);
/* The twin of an image, or NULL. */
struct rp_run_image *rp_layers_twin(const struct rp_run_image *image);
/*
 * Fills in the profile of the image's first input. The image has run, is no longer installed and
 * still in memory; a twin takes its place. RP_E_BOARD.
 */
bool rp_layers_run(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);
void rp_layers_close(struct rp_run_image *image);

#endif
