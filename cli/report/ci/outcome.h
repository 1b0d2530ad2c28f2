/* SPDX-License-Identifier: Apache-2.0 */
/* How a run ended. ci.h writes it. */
#ifndef RP_CLI_REPORT_CI_OUTCOME_H
#define RP_CLI_REPORT_CI_OUTCOME_H

#include "base/buf.h"
#include "cli/report/ci/diagnostics.h"

struct rp_outcome {
    struct rp_arena *arena;
    const struct rp_command *command;
    const struct rp_command_line *line;
    const struct rp_diagnosed *diagnosed;
    const struct rp_error *failure; /* its id is 0 when there is none */
    int status;                     /* exit code */
    double seconds;                 /* that the command took */
};

/* A diagnostic's message, with its hint on a line of its own. */
const char *rp_outcome_text(const struct rp_outcome *outcome, const struct rp_diagnostic *one);
/* The file as a pipeline names it: from the root of the checkout, when it is in there. */
const char *rp_outcome_place(struct rp_arena *arena, const char *file);
/* What the run was about: its input, its first argument, or ".". For what wants a file for all. */
const char *rp_outcome_input(const struct rp_outcome *outcome);

#endif
