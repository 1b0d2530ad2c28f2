/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was asked for, in the JSON report, and read back from there: `verify` builds the model again
 * by it. Both go by the rows of the options (enum rp_recorded in cli/options.h).
 */
#ifndef RP_CLI_REPORT_RUN_H
#define RP_CLI_REPORT_RUN_H

#include "base/json.h"
#include "cli/report/report.h"

/* Member "choices": what is no path. */
void rp_choices_json(struct rp_json *root, const struct rp_report *report);
/* Member "run": times and paths, too. */
void rp_run_json(struct rp_json *root, const struct rp_report *report);
/* Takes what the user has not said from a member "run" or "choices". */
void rp_run_read(struct rp_arena *arena, const struct rp_json *run,
                 struct rp_source_options *source);

#endif
