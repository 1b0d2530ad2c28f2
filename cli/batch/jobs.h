/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The jobs of a batch: a cell each, with what is known of its image. Files are written into the
 * folder of all outputs; a make runs what is not up to date. In the folder of a cell stand its
 * outputs and cell.args (its options), cell.stamp, cell.log, cell.jsonl (diagnostics), cell.exit.
 */
#ifndef RP_CLI_BATCH_JOBS_H
#define RP_CLI_BATCH_JOBS_H

#include "cli/batch/matrix.h"
#include "cli/facts/memory.h"
#include "cli/generate/options.h"

enum rp_job_state {
    RP_JOB_CURRENT, /* up to date already */
    RP_JOB_BUILT,
    RP_JOB_FAILED,
    RP_JOB_WAITING, /* to be made */
    RP_JOB_STATES
};

struct rp_job {
    const struct rp_cell *cell;
    const char *folder; /* absolute */
    struct rp_strings words;
    struct rp_generate_options *options; /* what the words mean */
    bool selected;                       /* by --only */
    enum rp_job_state state;
    const char *error;               /* of one that failed: "RP2400: ..." */
    int exit_code;                   /* of one that failed; -1: not known */
    struct rp_memory_figures memory; /* of one that is up to date, from its stamp */
    bool said;                       /* while make runs: that it has ended */
};

struct rp_jobs {
    struct rp_arena *arena;
    const char *output;   /* absolute */
    const char *launcher; /* NULL: not given */
    const char *html;     /* absolute: where a page is to be; NULL: none */
    const char *matrix;   /* path of its file */
    struct rp_strings wrap;
    unsigned jobs; /* at a time; 0: those of an outer make, or one per processor */
    bool keep_going, quiet;
    struct rp_job *items;
    size_t count;
};

/*
 * A job for each cell. RP_E_USAGE names the cell whose options are wrong, or a file that two would
 * write, or that a page would replace.
 */
bool rp_jobs_plan(struct rp_jobs *jobs, const struct rp_matrix *matrix, struct rp_error *err);
/* Finds out which are up to date. */
void rp_jobs_look(struct rp_jobs *jobs);
/* Writes cell.args of all cells, Makefile and build.ninja. RP_E_SYSTEM, RP_E_NO_SPACE, RP_E_USAGE.
 */
bool rp_jobs_write(struct rp_jobs *jobs, struct rp_error *err);
/*
 * Makes those that are selected and not up to date, and notes how each ended. RP_E_INTERRUPTED,
 * RP_E_TOOL_MISSING, RP_E_SYSTEM; cells that fail are no error.
 */
bool rp_jobs_run(struct rp_jobs *jobs, struct rp_error *err);
/* Cells of earlier runs in the folder that are none of these: their names. */
void rp_jobs_find_others(const struct rp_jobs *jobs, struct rp_strings *names);

#endif
