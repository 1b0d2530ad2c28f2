/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a run, for people and as JSON. */
#ifndef RP_CLI_RUN_PRINT_H
#define RP_CLI_RUN_PRINT_H

#include "cli/run/run.h"

/* Prints them, unless --quiet is given, and writes --json. */
bool rp_run_print(struct rp_run *run, struct rp_error *err);

/* The inferences that there were, as test cases of --junit. */
void rp_run_cases(struct rp_run *run);

#endif
