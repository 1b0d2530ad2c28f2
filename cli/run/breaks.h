/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the time of code goes that comes compiled: breakpoints at the calls that the model's entry
 * makes, and behind them. At each stop the counter is read, which stands while the core does. A
 * call's time so has no hook in it; a stop costs milliseconds on the host and few cycles on the
 * core.
 *
 * A core has few breakpoints for flash, so there may be several runs, each with as many calls as
 * the server takes breakpoints for. In RAM it writes instructions, as many as are wanted.
 */
#ifndef RP_CLI_RUN_BREAKS_H
#define RP_CLI_RUN_BREAKS_H

#include "cli/run/run.h"

/*
 * Runs the image again, and adds the calls and the entry itself to the parts of its profile.
 * RP_E_BOARD: there are no breakpoints, or the entry is not known.
 */
bool rp_breaks_run(struct rp_run *run, struct rp_run_image *image, struct rp_error *err);

#endif
