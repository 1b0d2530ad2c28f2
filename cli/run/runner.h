/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware that runs images on a board: built for its RAM, loaded and started. */
#ifndef RP_CLI_RUN_RUNNER_H
#define RP_CLI_RUN_RUNNER_H

#include "cli/run/run.h"

/*
 * Builds it for the board's first RAM that holds it, and takes its memory from the space that is
 * free. RP_E_BOARD: there is no room for it.
 */
bool rp_runner_build(struct rp_run *run, struct rp_error *err);
/*
 * Loads it through the GDB server, sees that it has arrived, starts it. The core has to be stopped.
 * RP_E_BOARD: memory does not keep what is written.
 */
bool rp_runner_start(struct rp_run *run, struct rp_error *err);

#endif
