/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What CI reads of a run: JSON lines, SARIF, GitLab's code quality, JUnit and GitHub's workflow
 * commands, all from one list of diagnostics. main.c calls this before and after each command.
 */
#ifndef RP_CLI_REPORT_CI_CI_H
#define RP_CLI_REPORT_CI_CI_H

#include "cli/report/ci/outcome.h"

/*
 * Before the command runs: empties files of an earlier run, and fails where nothing can be written,
 * or where another option names the same file or stream. Outputs that are refused are taken out of
 * diagnosed. options: of the command, around diagnosed; NULL when they could not be parsed.
 * RP_E_USAGE, RP_E_SYSTEM.
 */
bool rp_ci_begin(struct rp_diagnosed *diagnosed, const struct rp_command *command,
                 const void *options, struct rp_error *err);
/*
 * Writes one of RP_CI_FILES files, if it is wanted. The last one can also say that another could
 * not be written.
 */
bool rp_ci_write(const struct rp_outcome *outcome, unsigned which, struct rp_error *err);
/* GitHub's workflow commands, on the standard error output; nothing without the option. */
void rp_ci_print(const struct rp_outcome *outcome);

#endif
