/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chooses where images, weights and instances lie on the board, before anything is sent. Internal
 * RAM is used first, external RAM for what does not fit.
 */
#ifndef RP_CLI_RUN_PLACE_H
#define RP_CLI_RUN_PLACE_H

#include "cli/run/run.h"

/*
 * Fills in the places of all images from run->space: each in the same memory as the others, or with
 * --no-overlay in memory of its own. RP_E_BOARD: an address is in no memory of the board, in memory
 * that cannot be written or not executed, or is taken; RP_E_VERIFY: there is no room; RP_E_USAGE.
 */
bool rp_run_place(struct rp_run *run, struct rp_error *err);

#endif
