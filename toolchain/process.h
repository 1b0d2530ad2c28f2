/* SPDX-License-Identifier: Apache-2.0 */
/* Running other programs; the only place that starts one. No shell, ever. */
#ifndef RP_TOOLCHAIN_PROCESS_H
#define RP_TOOLCHAIN_PROCESS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

struct rp_process {
    const struct rp_strings *argv; /* argv[0] is looked up on PATH */
    const char *cwd;               /* NULL = the current one */
    const struct rp_strings *env;  /* "NAME=VALUE" added or replaced; "NAME" removed; NULL = none */
    const char *stdout_path;       /* NULL = inherited */
    const char *stderr_path;       /* NULL = inherited; may be equal to stdout_path */
    unsigned timeout_s;            /* 0 = none; then it is ended and *status is -1 */
};

/*
 * Runs a program to its end. *status: its exit status, 128 + signal when a signal ended it, -1
 * after a time-out. RP_E_TOOL_MISSING when it cannot be started, RP_E_INTERRUPTED when this process
 * got a signal (the program is ended first).
 */
bool rp_process_run(const struct rp_process *process, int *status, struct rp_error *err);

/* Several at once, each as above; waits for all. */
bool rp_process_run_all(const struct rp_process *processes, size_t count, int *statuses,
                        struct rp_error *err);

/* Whether this process got one of the signals below: then with RP_E_INTERRUPTED. */
bool rp_process_interrupted(struct rp_error *err);

/*
 * SIGINT, SIGTERM and SIGHUP end a running program and make rp_process_run fail, unless this
 * process was started with the signal ignored: then it stays so, here and in what is run. Called
 * once, first.
 */
void rp_process_catch_signals(void);

#endif
