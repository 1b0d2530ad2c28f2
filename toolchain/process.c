/* SPDX-License-Identifier: Apache-2.0 */
/* Running other programs: see process.h. */
#include "toolchain/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static volatile sig_atomic_t caught;

static void on_signal(int number) {
    caught = number;
}

void rp_process_catch_signals(void) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal; /* no SA_RESTART: waiting ends */
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        sigaction(numbers[i], NULL, &old);
        if (old.sa_handler != SIG_IGN) /* nohup stays nohup */
            sigaction(numbers[i], &action, NULL);
    }
    signal(SIGCHLD, SIG_DFL); /* when the parent ignores it, waitpid would know no child */
}

static bool same_name(const char *entry, const char *change) {
    size_t len = strcspn(change, "=");
    return strncmp(entry, change, len) == 0 && entry[len] == '=';
}

static char **make_env(struct rp_arena *arena, const struct rp_strings *changes) {
    size_t count = 0;
    while (environ[count] != NULL)
        count++;
    size_t extra = changes != NULL ? changes->count : 0;
    char **env = rp_alloc(arena, count + extra + 1, sizeof *env);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        bool changed = false;
        for (size_t k = 0; k < extra; k++)
            changed = changed || same_name(environ[i], changes->items[k]);
        if (!changed)
            env[used++] = environ[i];
    }
    for (size_t k = 0; k < extra; k++)
        if (strchr(changes->items[k], '=') != NULL)
            env[used++] = rp_strdup(arena, changes->items[k]);
    return env;
}

static char **make_argv(struct rp_arena *arena, const struct rp_strings *words) {
    char **argv = rp_alloc(arena, words->count + 1, sizeof *argv);
    for (size_t i = 0; i < words->count; i++)
        argv[i] = rp_strdup(arena, words->items[i]);
    return argv;
}

static void redirect(posix_spawn_file_actions_t *actions, const struct rp_process *process) {
    posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (process->stdout_path != NULL)
        posix_spawn_file_actions_addopen(actions, STDOUT_FILENO, process->stdout_path,
                                         O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (process->stderr_path != NULL)
        posix_spawn_file_actions_addopen(actions, STDERR_FILENO, process->stderr_path,
                                         O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (process->cwd != NULL)
        posix_spawn_file_actions_addchdir_np(actions, process->cwd);
}

/* A group of its own: what the program starts can be stopped with it. */
static bool start(const struct rp_process *process, pid_t *pid, struct rp_error *err) {
    struct rp_arena arena = {0};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);
    redirect(&actions, process);
    char **argv = make_argv(&arena, process->argv);
    int why =
        posix_spawnp(pid, argv[0], &actions, &attributes, argv, make_env(&arena, process->env));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    rp_arena_release(&arena);
    return why == 0 || rp_fail(err, RP_E_TOOL_MISSING, "cannot run '%s': %s",
                               process->argv->items[0], strerror(why));
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int decode(int raw) {
    return WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
}

/* With a time limit, waiting is polling: it only serves emulators that may hang. */
static pid_t wait_some(pid_t pid, int *raw, double deadline) {
    if (deadline == 0.0 && caught == 0) /* after a signal nobody is waited for */
        return waitpid(pid, raw, 0);
    for (;;) {
        pid_t got = waitpid(pid, raw, WNOHANG);
        if (got != 0 || caught != 0 || now() > deadline)
            return got;
        struct timespec pause = {0, 5 * 1000 * 1000};
        nanosleep(&pause, NULL);
    }
}

static bool finish(const struct rp_process *process, pid_t pid, double deadline, int *status,
                   struct rp_error *err) {
    int raw = 0;
    pid_t got = wait_some(pid, &raw, deadline);
    while (got < 0 && errno == EINTR && caught == 0)
        got = wait_some(pid, &raw, deadline);
    if (got == pid) {
        *status = decode(raw);
        return !rp_process_interrupted(err);
    }
    kill(-pid, caught != 0 ? SIGTERM : SIGKILL);
    while (waitpid(pid, &raw, 0) < 0 && errno == EINTR)
        ;
    *status = -1;
    return caught == 0 ||
           rp_fail(err, RP_E_INTERRUPTED, "interrupted by signal %d while running '%s'", caught,
                   process->argv->items[0]);
}

bool rp_process_interrupted(struct rp_error *err) {
    return caught != 0 && !rp_fail(err, RP_E_INTERRUPTED, "interrupted by signal %d", caught);
}

bool rp_process_run_all(const struct rp_process *processes, size_t count, int *statuses,
                        struct rp_error *err) {
    struct rp_arena arena = {0};
    pid_t *pids = rp_alloc(&arena, count, sizeof *pids);
    double *deadlines = rp_alloc(&arena, count, sizeof *deadlines);
    bool ok = true;
    size_t started = 0;
    for (; ok && started < count; started += ok) {
        ok = start(&processes[started], &pids[started], err);
        deadlines[started] =
            processes[started].timeout_s != 0 ? now() + processes[started].timeout_s : 0.0;
    }
    for (size_t i = 0; i < started; i++)
        ok = finish(&processes[i], pids[i], deadlines[i], &statuses[i], err) && ok;
    rp_arena_release(&arena);
    return ok;
}

bool rp_process_run(const struct rp_process *process, int *status, struct rp_error *err) {
    return rp_process_run_all(process, 1, status, err);
}
