/* SPDX-License-Identifier: Apache-2.0 */
/* Runs other programs; no other file does. Never uses a shell. */
#ifndef RP_TOOLCHAIN_COMPILE_PROCESS_H
#define RP_TOOLCHAIN_COMPILE_PROCESS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* What a program wrote to standard output and standard error. */
struct rp_process_output {
    char *text;  /* in the caller's arena, ended by a 0 byte */
    size_t size; /* at most RP_PROCESS_OUTPUT_MAX: the rest is cut off */
};
enum { RP_PROCESS_OUTPUT_MAX = 64 << 20 };

struct rp_process {
    const struct rp_strings *argv;   /* argv[0] is looked up on PATH */
    const char *package;             /* Debian's, which has the program; NULL: not known */
    const char *cwd;                 /* NULL = the current one */
    const struct rp_strings *env;    /* changes, as in environment.h; NULL = none */
    const struct rp_strings *passed; /* variables that are handed on; NULL = none */
    const char *stdout_path;         /* NULL = inherited */
    const char *stderr_path;         /* NULL = inherited; may be equal to stdout_path */
    unsigned timeout_s; /* 0 = none; when it is over, the program is killed and *status is -1 */
};

/*
 * Runs programs at the same time and waits for all. A second process guards them: even if this one
 * is killed, the programs and whatever they started end within a second. *statuses: for each, its
 * exit status, 128 + signal if a signal ended it, or -1 after a time-out. RP_E_TOOL_MISSING: one
 * cannot be started. RP_E_INTERRUPTED: this process got a signal and has ended the programs and
 * whatever they started.
 */
bool rp_process_run_all(const struct rp_process *processes, size_t count, int *statuses,
                        struct rp_error *err);

/*
 * Runs one program and keeps its output in memory, so that a full disk cannot truncate it. With
 * stdout_path, keeps only standard error; stderr_path is ignored. Errors of rp_process_run_all,
 * RP_E_SYSTEM, RP_E_NO_SPACE.
 */
bool rp_process_read(const struct rp_process *process, struct rp_arena *arena,
                     struct rp_process_output *output, int *status, struct rp_error *err);

/* The last lines of an output, each as "\n LINE", made harmless for terminals; or "". */
const char *rp_last_lines(struct rp_arena *arena, const char *output);

/*
 * Starts a program in the background, in a new group with a guard, with standard input from
 * /dev/null and without timeout_s. NULL and RP_E_TOOL_MISSING or RP_E_INTERRUPTED: it cannot be
 * started.
 */
struct rp_background;
struct rp_background *rp_process_start(const struct rp_process *process, struct rp_arena *arena,
                                       struct rp_error *err);
/* Has it ended? Then *status is as above. */
bool rp_process_ended(struct rp_background *background, int *status);
/*
 * Ends the program, if it still runs, and whatever it started: asks, waits two seconds, kills. May
 * be called twice.
 */
void rp_process_stop(struct rp_background *background);

/*
 * Waits until fd (-1: none) is ready for events as in poll, a signal comes, a child ends or the
 * time is over. Returns whether fd is ready.
 */
bool rp_process_wait_for(int fd, short events, double seconds);
/* Seconds of a monotonic clock. */
double rp_process_now(void);

/* Has this process got one of the signals below? Then true and RP_E_INTERRUPTED. */
bool rp_process_interrupted(struct rp_error *err);
/* The first of these signals, or 0. */
int rp_process_signal(void);

/*
 * From now on, SIGINT, SIGTERM and SIGHUP end running programs and make rp_process_run_all and
 * rp_process_read fail. A program that has not ended after two seconds is killed; after a second
 * signal, at once. A second signal while no program runs ends this process. Signals that were
 * ignored when this process started stay ignored, also in the programs. Call this once, first.
 */
void rp_process_catch_signals(void);
/* Ends the guard of programs that have been waited for. To be called last. */
void rp_process_end(void);

#endif
