/* SPDX-License-Identifier: Apache-2.0 */
/* The words of --mode, ours and those of the vendor's script. */
#ifndef RP_CLI_RUN_MODE_H
#define RP_CLI_RUN_MODE_H

#include "cli/run/run.h"

/* Fills in run->mode. RP_E_USAGE: an unknown word, or xip and copy together. */
bool rp_run_read_mode(struct rp_run *run, struct rp_error *err);

#endif
