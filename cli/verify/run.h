/* SPDX-License-Identifier: Apache-2.0 */
/* Runs emulations side by side. */
#ifndef RP_CLI_VERIFY_RUN_H
#define RP_CLI_VERIFY_RUN_H

#include "cli/verify/verification.h"

enum { RP_JOBS_MAX = 4 };

/* One emulation. */
struct rp_job {
    const char *label; /* names its folder */
    bool is_static;
    const struct rp_placement *placement;
    struct rp_buf plan;
    const char *log_items;   /* what the emulator logs (its option -d), or NULL … */
    const char *log_filter;  /* … and of which addresses: struct rp_emulation */
    struct rp_answer answer; /* out: read, but not judged */
};
/*
 * Runs up to RP_JOBS_MAX emulations side by side. Their logs are in files (rp_verify_log).
 */
bool rp_verify_emulate(struct rp_verification *verify, struct rp_job *jobs, size_t count,
                       struct rp_error *err);

/* The file with the log of a job that has run. */
const char *rp_verify_log(struct rp_verification *verify, const struct rp_job *job);

/* Reads the emulator's log of what it executes while it runs. */
struct rp_job_log {
    bool (*take)(void *context, const char *bytes, size_t size); /* false: enough, the run ends */
    void *context;
};
/* Runs one emulation. There is no answer when the log's reader had enough. */
bool rp_verify_emulate_logged(struct rp_verification *verify, struct rp_job *job,
                              const struct rp_job_log *log, struct rp_error *err);

#endif
