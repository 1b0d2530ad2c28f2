/* SPDX-License-Identifier: Apache-2.0 */
/* Runs other programs: see process.h. */
#include "toolchain/compile/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/printable.h"
#include "toolchain/compile/environment.h"

#define GRACE_S 2.0 /* seconds for a program that was asked to end */
#define PAUSE_S 0.02
enum { ORPHANED_MS = 1000 }; /* the same, if this process was killed */

enum { TAIL_BYTES = 1200, TAIL_LINES = 15 };

static volatile sig_atomic_t caught;  /* the first signal */
static volatile sig_atomic_t urgent;  /* a second one came */
static volatile sig_atomic_t waiting; /* for programs, which are ended first */

/* ---- signals ---- */

static void on_signal(int number) {
    if (caught == 0) {
        caught = number;
        return;
    }
    urgent = 1;
    if (waiting)
        return;
    (void)signal(number, SIG_DFL); /* delivered when this handler returns */
    (void)raise(number);
}

static void on_child(int number) {
    (void)number; /* the signal ends a wait */
}

static void set_handler(int number, void (*handler)(int)) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler; /* no SA_RESTART: waiting ends */
    sigaction(number, &action, NULL);
}

void rp_process_catch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        sigaction(numbers[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* nohup stays nohup */
            set_handler(numbers[i], on_signal);
    }
    set_handler(SIGCHLD, on_child); /* if it were ignored, waitpid would know no child */
    /* programs that a compiler started and left behind can be waited for, too */
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

int rp_process_signal(void) {
    return caught;
}

/*
 * While programs run, signals are blocked except during a wait, which they end. So none is missed
 * between checking for one and waiting.
 */
static void hold_signals(sigset_t *before) {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGINT);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    sigaddset(&held, SIGCHLD);
    set_handler(SIGCHLD, on_child);
    sigprocmask(SIG_BLOCK, &held, before);
    waiting = 1;
}

static void release_signals(const sigset_t *before) {
    sigprocmask(SIG_SETMASK, before, NULL);
    waiting = 0;
}

/* ---- starting ---- */

static char **make_argv(struct rp_arena *arena, const struct rp_strings *words) {
    char **argv = rp_alloc(arena, words->count + 1, sizeof *argv);
    for (size_t i = 0; i < words->count; i++)
        argv[i] = rp_strdup(arena, words->items[i]);
    return argv;
}

/* output: a file for both of its streams, or -1. */
static void redirect(posix_spawn_file_actions_t *actions, const struct rp_process *process,
                     int output) {
    posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (output >= 0) {
        posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(actions, output, STDERR_FILENO);
    }
    if (process->stdout_path != NULL)
        posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, process->stdout_path,
                                         O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (process->stderr_path != NULL)
        posix_spawn_file_actions_addopen(actions, STDERR_FILENO, process->stderr_path,
                                         O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (process->cwd != NULL)
        posix_spawn_file_actions_addchdir_np(actions, process->cwd);
}

/*
 * The program gets a process group, so that everything it starts can be stopped with it: group
 * *pid, or a new one if that is 0.
 */
static bool start(const struct rp_process *process, int output, pid_t *pid, struct rp_error *err) {
    struct rp_arena arena = {0};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, *pid);
    redirect(&actions, process, output);
    char **argv = make_argv(&arena, process->argv);
    int why = posix_spawnp(pid, argv[0], &actions, &attributes, argv,
                           rp_environment_make(&arena, process->passed, process->env));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    rp_arena_release(&arena);
    if (why == 0)
        return true;
    rp_fail(err, RP_E_TOOL_MISSING, "cannot run '%s': %s", process->argv->items[0], strerror(why));
    return process->package != NULL &&
           rp_hint(err, "on Debian: apt-get install %s", process->package);
}

double rp_process_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* ---- waiting ---- */

struct running {
    pid_t pid;
    pid_t group; /* that of the program, or of its guard */
    pid_t guard; /* 0: none */
    int leash;   /* the guard's pipe, which closes when this process ends */
    double deadline;
    bool over; /* the program itself has ended */
    bool gone; /* its whole group has: the number may be reused */
};

/*
 * Waits until a descriptor is ready, a child ends, a signal comes or the time is over (below 0: no
 * limit).
 */
static int poll_for(struct pollfd *fds, size_t count, double seconds, const sigset_t *open) {
    struct timespec limit = {(time_t)seconds, 0};
    limit.tv_nsec = (long)((seconds - (double)limit.tv_sec) * 1e9);
    return ppoll(fds, count, seconds < 0 ? NULL : &limit, open);
}

static void pause_for(double seconds, const sigset_t *open) {
    (void)poll_for(NULL, 0, seconds, open);
}

static bool has_ended(struct running *one, int *status) {
    int raw = 0;
    pid_t got = one->over ? 0 : waitpid(one->pid, &raw, WNOHANG);
    if (got == one->pid)
        *status = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
    one->over = one->over || got != 0;
    return one->over;
}

static bool all_gone(struct running *all, size_t count, int *statuses) {
    bool gone = true;
    for (size_t i = 0; i < count; i++) {
        if (!all[i].gone && has_ended(&all[i], &statuses[i])) {
            while (waitpid(-all[i].group, NULL, WNOHANG) > 0) /* orphans became our children */
                ;
            all[i].gone = kill(-all[i].group, 0) != 0;
        }
        gone = gone && all[i].gone;
    }
    return gone;
}

static void signal_groups(const struct running *all, size_t count, int number) {
    for (size_t i = 0; i < count; i++)
        if (!all[i].gone)
            (void)kill(-all[i].group, number);
}

/*
 * Asks the groups to end, then kills them, because compilers may ignore the request. Even a kill
 * takes a moment.
 */
static void stop(struct running *all, size_t count, int *statuses, const sigset_t *open) {
    double until = rp_process_now() + GRACE_S;
    (void)all_gone(all, count, statuses);
    signal_groups(all, count, SIGTERM);
    while (!all_gone(all, count, statuses) && !urgent && rp_process_now() < until)
        pause_for(PAUSE_S, open);
    signal_groups(all, count, SIGKILL);
    until = rp_process_now() + GRACE_S;
    while (!all_gone(all, count, statuses) && rp_process_now() < until)
        pause_for(PAUSE_S, open);
}

/* Waits until all have ended or a signal came; a program that takes too long is killed. */
static void wait_for(struct running *all, size_t count, int *statuses, const sigset_t *open) {
    for (;;) {
        double rest = -1.0;
        size_t left = 0;
        for (size_t i = 0; i < count; i++) {
            if (has_ended(&all[i], &statuses[i]))
                continue;
            double time = all[i].deadline - rp_process_now();
            left++;
            if (all[i].deadline == 0.0)
                continue;
            if (time <= 0.0) {
                (void)kill(-all[i].group, SIGKILL);
                all[i].deadline = 0.0;
            } else if (rest < 0.0 || time < rest) {
                rest = time;
            }
        }
        if (left == 0 || caught != 0)
            return;
        pause_for(rest, open);
    }
}

bool rp_process_interrupted(struct rp_error *err) {
    return caught != 0 && !rp_fail(err, RP_E_INTERRUPTED, "interrupted by signal %d", caught);
}

/* ---- guards ---- */

/*
 * The guard leads the group, so that its number is not reused. When this process ends for any
 * reason, the guard asks the group to end, so that make returns the jobs that it took from an outer
 * make, then kills the group, including itself. Only system calls are allowed here, because another
 * thread of this process may have held any lock.
 */
static _Noreturn void keep_guard(int leash) {
    char byte;
    (void)setpgid(0, 0);
    (void)signal(SIGINT, SIG_IGN);
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGHUP, SIG_IGN);
    (void)dup2(leash, STDIN_FILENO);
    (void)close_range(STDOUT_FILENO, ~0U, 0);
    while (read(STDIN_FILENO, &byte, 1) < 0 && errno == EINTR)
        ;
    (void)kill(0, SIGTERM);
    (void)poll(NULL, 0, ORPHANED_MS);
    (void)kill(0, SIGKILL);
    _exit(1);
}

static bool start_guard(struct running *one, struct rp_error *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return rp_fail_errno(err, errno, "cannot make", "a pipe");
    one->guard = fork();
    if (one->guard == 0)
        keep_guard(ends[0]);
    int why = errno;
    close(ends[0]);
    one->leash = ends[1];
    if (one->guard < 0) {
        one->guard = 0;
        close(ends[1]);
        return rp_fail_errno(err, why, "cannot start", "a process");
    }
    (void)setpgid(one->guard, one->guard); /* whoever of the two comes first */
    one->pid = one->group = one->guard;
    return true;
}

static void kill_guard(const struct running *one) {
    if (one->guard != 0)
        (void)kill(one->guard, SIGKILL);
}

/* Of a guard that was killed; it may have been waited for, with its group. */
static void forget_guard(struct running *one) {
    if (one->guard == 0)
        return;
    (void)waitpid(one->guard, NULL, 0);
    close(one->leash);
    one->guard = 0;
}

/* ---- to the end ---- */

/* Guards all programs without a time limit, from the first one to the end of this process. */
static struct running common;

void rp_process_end(void) {
    kill_guard(&common);
    forget_guard(&common);
}

/* A program with a time limit gets its own guard, because it may be killed alone. */
static bool start_one(struct running *one, const struct rp_process *process, int output,
                      struct rp_error *err) {
    struct running *guarded = process->timeout_s != 0 ? one : &common;
    if (guarded->guard == 0 && !start_guard(guarded, err))
        return false;
    one->pid = one->group = guarded->group;
    if (!start(process, output, &one->pid, err)) {
        kill_guard(one);
        forget_guard(one);
        return false;
    }
    if (process->timeout_s != 0)
        one->deadline = rp_process_now() + process->timeout_s;
    return true;
}

/* If one cannot be started, waits for those before it. */
static bool run_all(const struct rp_process *processes, size_t count, int output, int *statuses,
                    struct rp_error *err) {
    struct rp_arena arena = {0};
    struct running *all = rp_alloc(&arena, count, sizeof *all);
    int *ends = rp_alloc(&arena, count, sizeof *ends);
    sigset_t before;
    bool ok = !rp_process_interrupted(err);
    size_t started = 0;
    for (; ok && started < count; started += ok) {
        ok = start_one(&all[started], &processes[started], output, err);
        ends[started] = -1;
    }
    hold_signals(&before);
    wait_for(all, started, ends, &before);
    for (size_t i = 0; i < started; i++)
        kill_guard(&all[i]);
    if (caught != 0) {
        kill_guard(&common);
        stop(all, started, ends, &before);
        forget_guard(&common);
    }
    release_signals(&before);
    for (size_t i = 0; i < started; i++) {
        forget_guard(&all[i]);
        bool late = processes[i].timeout_s != 0 && all[i].deadline == 0.0;
        statuses[i] = caught != 0 || late ? -1 : ends[i];
    }
    rp_arena_release(&arena);
    if (caught != 0 && started != 0)
        rp_fail(err, RP_E_INTERRUPTED, "interrupted by signal %d while running '%s'", caught,
                processes[0].argv->items[0]);
    return ok && caught == 0;
}

bool rp_process_run_all(const struct rp_process *processes, size_t count, int *statuses,
                        struct rp_error *err) {
    return run_all(processes, count, -1, statuses, err);
}

static bool read_output(int fd, struct rp_arena *arena, struct rp_process_output *output) {
    struct stat st;
    if (fstat(fd, &st) != 0)
        return false;
    output->size = st.st_size < RP_PROCESS_OUTPUT_MAX ? (size_t)st.st_size : RP_PROCESS_OUTPUT_MAX;
    output->text = rp_alloc(arena, output->size + 1, 1);
    for (size_t done = 0; done < output->size;) {
        ssize_t got = pread(fd, output->text + done, output->size - done, (off_t)done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

bool rp_process_read(const struct rp_process *process, struct rp_arena *arena,
                     struct rp_process_output *output, int *status, struct rp_error *err) {
    struct rp_process plain = *process;
    int fd = memfd_create("output", MFD_CLOEXEC);
    *output = (struct rp_process_output){rp_strdup(arena, ""), 0};
    if (fd < 0 || fcntl(fd, F_SETFL, O_APPEND) != 0)
        return rp_fail_errno(err, errno, "cannot keep the output of", process->argv->items[0]);
    plain.stderr_path = NULL;
    bool ok = run_all(&plain, 1, fd, status, err);
    if (!read_output(fd, arena, output) && ok)
        ok = rp_fail(err, RP_E_SYSTEM, "cannot read the output of '%s'", process->argv->items[0]);
    close(fd);
    return ok;
}

const char *rp_last_lines(struct rp_arena *arena, const char *output) {
    size_t len = strlen(output);
    while (len != 0 && strchr(" \n\r\t", output[len - 1]) != NULL)
        len--;
    const char *end = output + len, *from = end;
    for (unsigned lines = 0; from > output && end - from < TAIL_BYTES; from--)
        if (from[-1] == '\n' && ++lines == TAIL_LINES)
            break;
    struct rp_buf out = {.arena = arena};
    for (const char *line = from; line < end;) {
        int len_of_line = (int)strcspn(line, "\n");
        len_of_line = len_of_line < end - line ? len_of_line : (int)(end - line);
        rp_buf_printf(&out, "\n  %.*s", len_of_line, line);
        line += len_of_line + 1;
    }
    return rp_printable_lines(arena, rp_buf_text(&out));
}

/* ---- in the background ---- */

struct rp_background {
    struct running one;
    int status;
    bool stopped;
};

struct rp_background *rp_process_start(const struct rp_process *process, struct rp_arena *arena,
                                       struct rp_error *err) {
    struct rp_background *background = rp_alloc(arena, 1, sizeof *background);
    if (rp_process_interrupted(err) || !start_guard(&background->one, err))
        return NULL;
    background->status = -1;
    if (start(process, -1, &background->one.pid, err))
        return background;
    background->one.over = true;
    rp_process_stop(background);
    return NULL;
}

bool rp_process_ended(struct rp_background *background, int *status) {
    bool ended = background->stopped || has_ended(&background->one, &background->status);
    if (ended)
        *status = background->status;
    return ended;
}

void rp_process_stop(struct rp_background *background) {
    sigset_t before;
    if (background->stopped)
        return;
    background->stopped = true;
    hold_signals(&before);
    kill_guard(&background->one);
    stop(&background->one, 1, &background->status, &before);
    forget_guard(&background->one);
    release_signals(&before);
}

/* ---- waiting for something else ---- */

bool rp_process_wait_for(int fd, short events, double seconds) {
    struct pollfd one = {.fd = fd, .events = events};
    sigset_t before;
    hold_signals(&before);
    int ready = poll_for(&one, fd >= 0, seconds < 0 ? 0 : seconds, &before);
    release_signals(&before);
    return ready > 0;
}
