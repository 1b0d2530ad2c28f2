/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a run in the forms that pipelines read: JSON lines, SARIF, GitLab's code quality,
 * JUnit and GitHub's workflow commands. main.c calls this before and after each command.
 */
#ifndef RP_CLI_REPORT_CI_FORMS_H
#define RP_CLI_REPORT_CI_FORMS_H

#include "cli/report/ci/outcome.h"

/* Takes the options from a command line that could not be parsed. */
void rp_forms_wanted(struct rp_diagnosed *said, const struct rp_command *command,
                     const struct rp_command_line *line);
/*
 * Before the command runs: empties files of an earlier run, and fails where nothing can be written,
 * or where another option names the same file or stream. Outputs that are refused are taken out of
 * said. options: of the command, around said; NULL when they could not be parsed. RP_E_USAGE,
 * RP_E_SYSTEM.
 */
bool rp_forms_begin(struct rp_diagnosed *said, const struct rp_command *command,
                    const void *options, struct rp_error *err);
/*
 * Writes one of RP_SAID_FILES files, if it is wanted. The last one can also say that another could
 * not be written.
 */
bool rp_forms_write(const struct rp_outcome *outcome, unsigned which, struct rp_error *err);
/* GitHub's workflow commands, on the standard error output; nothing without the option. */
void rp_forms_print(const struct rp_outcome *outcome);

#endif
