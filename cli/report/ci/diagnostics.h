/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --diagnostics: notes, warnings and the error of a run as JSON lines
 * (docs/diagnostics.schema.json), whether it succeeds or not. A command that has the option keeps a
 * struct rp_diagnosed in its option struct; main.c writes them when the command has returned.
 */
#ifndef RP_CLI_REPORT_CI_DIAGNOSTICS_H
#define RP_CLI_REPORT_CI_DIAGNOSTICS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/diagnostic.h"
#include "base/error.h"
#include "base/json.h"
#include "cli/options.h"

struct rp_outcome;

/* A test case of --junit. */
struct rp_case {
    const char *group, *name;
    const char *failure;          /* NULL: passed */
    struct rp_strings properties; /* "name=value" */
};
struct rp_cases {
    struct rp_case *items;
    size_t count;
    size_t capacity;
};

/* What the options for pipelines name, and what the command has to say. */
struct rp_diagnosed {
    const char *path; /* comes first, because the option's row stores it here; NULL: not given */
    const char *annotate;
    const char *sarif;
    const char *junit;
    struct rp_diagnostics list;
    struct rp_cases cases;
    bool log_spares_inputs; /* it is certain that --log names no file that is read */
    /* what --annotate means, set by rp_annotate_choose */
    bool github;
    const char *gitlab; /* file */
};
enum { RP_CI_FILES = 4 };
/* The members that name files, for loops. */
#define RP_CI_PATHS(diagnosed)                                                                     \
    { &(diagnosed)->path, &(diagnosed)->sarif, &(diagnosed)->gitlab, &(diagnosed)->junit }

#define RP_DIAGNOSTICS_START "{\"id\":\"RP" /* every line begins so */

#define RP_SARIF_SCHEMA "https://json.schemastore.org/sarif-2.1.0.json"
#define RP_JUNIT_START  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"relocpack\""

// clang-format off
#define RP_DIAGNOSTICS_ROWS(offset) \
    {0, "diagnostics", RP_OPT_TEXT, offset, "FILE", "write notes, warnings and the error to FILE as JSON lines, even when the run fails (-: standard output)", NULL, .marks = RP_MARK_ASIDE | RP_MARK_WRITES, .group = RP_HELP_REPORTS}, \
    {0, "annotate", RP_OPT_MAYBE, (offset) + offsetof(struct rp_diagnosed, annotate), "[FORM]", "show the same on the changed lines: github (on the standard error output), gitlab[=FILE] (default: gl-code-quality-report.json), or auto, which knows where it runs (the default)", "auto", .marks = RP_MARK_ASIDE | RP_MARK_WRITES, .group = RP_HELP_REPORTS}, \
    {0, "sarif", RP_OPT_TEXT, (offset) + offsetof(struct rp_diagnosed, sarif), "FILE", "write the same to FILE as SARIF 2.1.0", NULL, .marks = RP_MARK_ASIDE | RP_MARK_WRITES, .group = RP_HELP_REPORTS}
#define RP_JUNIT_ROW(offset) \
    {0, "junit", RP_OPT_TEXT, (offset) + offsetof(struct rp_diagnosed, junit), "FILE", "write the runs to FILE as test cases in JUnit's XML, even when the command fails", NULL, .marks = RP_MARK_ASIDE | RP_MARK_WRITES, .group = RP_HELP_REPORTS}
// clang-format on

/* The rp_diagnosed in a command's option struct; NULL when the command has none. */
struct rp_diagnosed *rp_diagnosed_of(const struct rp_command *command, void *options);
/* Notes, warnings, then the error (its id is 0 when there is none) and what a compiler diagnosed of
 * it. */
struct rp_diagnostics rp_diagnostics_all(struct rp_arena *arena,
                                         const struct rp_diagnosed *diagnosed,
                                         const struct rp_error *failure);
/* Writes a line for each. */
void rp_diagnostics_write(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                          struct rp_buf *out);

/* The error of a run: a member of a command's JSON, and the first of what it becomes in all
 * outputs.
 */
struct rp_diagnostic rp_diagnostic_of(struct rp_arena *arena, const struct rp_error *failure);

/*
 * For a command with --log: appends the command line, notes, the error and the exit code. The build
 * has already written the commands and their output. Does nothing without --log. Until the inputs
 * are known (diagnosed->log_spares_inputs), it appends only to a file that is empty or holds a log.
 */
bool rp_log_end(const struct rp_command *command, const struct rp_command_line *line,
                const struct rp_diagnosed *diagnosed, const struct rp_error *failure,
                struct rp_error *err);

/* A diagnostic as an object. base_names: files are named without their folders. */
struct rp_json *rp_diagnostic_json(const struct rp_diagnostic *diagnostic, bool base_names);

/*
 * Reads "FILE:LINE:COLUMN: error: TEXT", as gcc, clang and the assembler write it. Returns false
 * for any other line.
 */
bool rp_compiler_line(struct rp_arena *arena, const char *line, size_t len,
                      struct rp_diagnostic *out);

#endif
