/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was asked for. It is written to the JSON report and read back by `verify`, which builds the
 * model again from it. Both use the rows of the options (enum rp_recorded in cli/options.h).
 */
#ifndef RP_CLI_REPORT_RUN_H
#define RP_CLI_REPORT_RUN_H

#include "base/json.h"
#include "cli/options.h"
#include "cli/report/report.h"

/* Adds the member "choices": everything but paths. */
void rp_choices_json(struct rp_json *root, const struct rp_report *report);
/* Adds the member "run": times and paths as well. */
void rp_run_json(struct rp_json *root, const struct rp_report *report);

/* Who reads a report, and how. */
struct rp_report_use {
    const char *path;
    const struct rp_command *reader; /* its rows are what the user could name again */
    bool trusted;                    /* --trust-report */
    bool is_read;                    /* set by rp_report_read; false: not a report, or damaged */
    bool has_paths;              /* set by rp_report_read; false: it was made with --reproducible */
    struct rp_strings missing;   /* set by rp_run_read: files that only the report names and that
                                    are not there … */
    const char *missing_options; /* … and how they are named instead */
    const char *build_id;        /* set by rp_report_read: of the image that it is about; or NULL */
    uint32_t code_bytes;         /* of the image's instructions; 0: it does not say */
};

/*
 * Takes what the user has not given from a member "run" or "choices". RP_E_UNTRUSTED: that would
 * start or load a program (cli/report/trust.h).
 */
bool rp_run_read(struct rp_report_use *use, struct rp_arena *arena, const struct rp_json *run,
                 struct rp_source_options *source, struct rp_error *err);

#endif
