/* SPDX-License-Identifier: Apache-2.0 */
/* Emulations: see run.h. */
#include "cli/verify/run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "toolchain/compile/process.h"

/* The emulator's log, a pipe or a file: in its folder, because -D takes no '%'. */
#define LOG_NAME "log"
enum { LOG_PIPE_BYTES = 1 << 20, LOG_PIECE_BYTES = 1 << 16 };
/* Not a wait for more: a reader that is woken by each line costs more than the line. */
#define LOG_PAUSE_S 0.003
enum { RESULT_MAX = 1 << 30, LOG_MAX = 1 << 20 };

static const char *run_dir(struct rp_verification *verify, const struct rp_job *job) {
    return rp_path_join(verify->arena, verify->model.build.dir,
                        rp_format(verify->arena, "run-%s", job->label));
}

const char *rp_verify_log(struct rp_verification *verify, const struct rp_job *job) {
    return rp_path_join(verify->arena, run_dir(verify, job), LOG_NAME);
}

static const struct rp_firmware *firmware_of(const struct rp_verification *verify,
                                             const struct rp_job *job) {
    return job->is_static ? &verify->firmware.fixed : &verify->firmware.loader;
}

/*
 * Lists the files that the emulator loads: first those of every run, then those of this job. Writes
 * those that are made for the run.
 */
static bool write_blobs(struct rp_verification *verify, const struct rp_job *job,
                        struct rp_emulation *emulation, struct rp_error *err) {
    struct rp_arena *arena = verify->arena;
    const char *dir = run_dir(verify, job);
    const struct rp_board *board = verify->board;
    const struct rp_placement *placement = job->placement;
    struct rp_blob *blobs = rp_alloc(arena, 5 + RELOC_NPU_POOLS_MAX, sizeof *blobs);
    const struct rp_firmware *firmware = firmware_of(verify, job);
    size_t count = 0;
    blobs[count++] = (struct rp_blob){rp_path_join(arena, dir, "vectors.bin"), board->vectors};
    rp_remove_tree(dir); /* an earlier answer must not be taken for this run's */
    bool ok = rp_make_dirs(dir, err) &&
              rp_file_write(blobs[0].path, firmware->vectors, sizeof firmware->vectors, err);
    blobs[count++] = (struct rp_blob){rp_path_join(arena, dir, "plan.bin"),
                                      rp_board_place(board, RP_PLACE_PLAN)};
    ok = ok && rp_file_write(blobs[1].path, job->plan.data, job->plan.len, err);
    if (verify->given.bytes.size != 0) {
        blobs[count++] =
            (struct rp_blob){rp_path_join(arena, dir, "input.bin"), placement->input.address};
        ok = ok &&
             rp_file_write(blobs[2].path, verify->given.bytes.data, verify->given.bytes.size, err);
    }
    if (job->is_static)
        count += verify->format->blobs != NULL ? verify->format->blobs(verify, blobs + count) : 0;
    else
        blobs[count++] = (struct rp_blob){verify->subject.path, placement->image.address};
    if (placement->weights.size != 0)
        blobs[count++] = (struct rp_blob){placement->checks_weights ? verify->subject.weights_path
                                                                    : verify->bare_weights.path,
                                          placement->weights.address};
    for (size_t i = 0; ok && i < count; i++) /* the emulator runs in its folder */
        ok = (blobs[i].path = rp_path_absolute(arena, blobs[i].path, err)) != NULL;
    emulation->blobs = blobs;
    emulation->blob_count = count;
    return ok;
}

/* Writes plan and input into the job's folder, and describes the emulation. */
static bool prepare(struct rp_verification *verify, const struct rp_job *job,
                    struct rp_process *process, struct rp_error *err) {
    struct rp_arena *arena = verify->arena;
    const char *dir = run_dir(verify, job);
    struct rp_strings *argv = rp_alloc(arena, 1, sizeof *argv);
    struct rp_emulation emulation = {
        .emulator = strchr(verify->options->emulator, '/') != NULL
                        ? rp_path_absolute(arena, verify->options->emulator, err)
                        : verify->options->emulator,
        .board = verify->board,
        .firmware = firmware_of(verify, job)->path,
        .icount_shift = RP_ICOUNT_SHIFT,
        .log = job->log_items != NULL ? LOG_NAME : NULL,
        .log_items = job->log_items,
        .log_filter = job->log_filter,
    };
    if (emulation.emulator == NULL || !write_blobs(verify, job, &emulation, err))
        return false;
    rp_emulation_argv(&emulation, arena, argv);
    *process = (struct rp_process){.argv = argv,
                                   .package = "qemu-system-arm",
                                   .cwd = dir,
                                   .passed = &verify->options->source.pass_env,
                                   .stdout_path = rp_path_join(arena, dir, "emulator.log"),
                                   .stderr_path = rp_path_join(arena, dir, "emulator.log"),
                                   .timeout_s = verify->options->timeout_s};
    return true;
}

/* Without a result file, the emulator's own words say why. */
static bool read_answer(struct rp_verification *verify, const struct rp_job *job, int status,
                        struct rp_answer *answer, struct rp_error *err) {
    struct rp_bytes bytes, log = {(const uint8_t *)"", 0};
    const char *dir = run_dir(verify, job);
    const char *path = rp_path_join(verify->arena, dir, "result.bin");
    (void)rp_file_read(verify->arena, rp_path_join(verify->arena, dir, "emulator.log"), LOG_MAX,
                       &log, NULL);
    if (status == -1) {
        rp_fail(err, RP_E_VERIFY, "the emulation (%s) did not end within %u seconds", job->label,
                verify->options->timeout_s);
        return rp_hint(err, "--timeout SECONDS gives it more time");
    }
    if (!rp_path_is_file(path))
        return rp_fail(err, RP_E_VERIFY, "the emulation (%s) ended with status %d: %.400s",
                       job->label, status, (const char *)log.data);
    return rp_file_read(verify->arena, path, RESULT_MAX, &bytes, err) &&
           rp_answer_read(answer, verify->arena, &bytes, err);
}

bool rp_verify_emulate(struct rp_verification *verify, struct rp_job *jobs, size_t count,
                       struct rp_error *err) {
    struct rp_process processes[RP_JOBS_MAX] = {0};
    int statuses[RP_JOBS_MAX] = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = prepare(verify, &jobs[i], &processes[i], err);
    if (!ok)
        return false;
    if (!rp_process_run_all(processes, count, statuses, err))
        return false;
    for (size_t i = 0; ok && i < count; i++)
        ok = read_answer(verify, &jobs[i], statuses[i], &jobs[i].answer, err);
    return ok;
}

/* ---- with a log ---- */

/* Opened before there is a writer: the emulator would wait for a reader. */
static int open_log(const char *path, struct rp_error *err) {
    int fd = mkfifo(path, 0600) == 0 ? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) : -1;
    if (fd < 0)
        rp_fail_errno(err, errno, "cannot make", path);
    else
        (void)fcntl(fd, F_SETPIPE_SZ, LOG_PIPE_BYTES); /* otherwise it is slower */
    return fd;
}

enum log_state { LOG_MORE, LOG_EMPTY, LOG_ENOUGH };

static enum log_state read_log(int fd, const struct rp_job_log *log) {
    char piece[LOG_PIECE_BYTES];
    ssize_t got = read(fd, piece, sizeof piece);
    if (got <= 0)
        return LOG_EMPTY;
    return log->take(log->context, piece, (size_t)got) ? LOG_MORE : LOG_ENOUGH;
}

/* Hands on the log until the emulator has ended, or no more is wanted: false. *status: -1 if it
 * took too long. */
static bool follow(struct rp_background *emulator, int fd, const struct rp_job_log *log,
                   unsigned timeout_s, int *status) {
    double until = rp_process_now() + timeout_s;
    *status = -1;
    for (;;) {
        bool ended = rp_process_ended(emulator, status); /* asked first: nothing is missed */
        enum log_state state = read_log(fd, log);
        bool over = ended ? state == LOG_EMPTY : rp_process_now() > until;
        if (state == LOG_ENOUGH || over || rp_process_signal() != 0)
            return state != LOG_ENOUGH;
        if (state == LOG_EMPTY)
            (void)rp_process_wait_for(-1, 0, LOG_PAUSE_S);
    }
}

bool rp_verify_emulate_logged(struct rp_verification *verify, struct rp_job *job,
                              const struct rp_job_log *log, struct rp_error *err) {
    struct rp_process process;
    int status = -1;
    bool all = false;
    if (!prepare(verify, job, &process, err))
        return false;
    int fd = open_log(rp_verify_log(verify, job), err);
    if (fd < 0)
        return false;
    struct rp_background *emulator = rp_process_start(&process, verify->arena, err);
    if (emulator != NULL) {
        all = follow(emulator, fd, log, verify->options->timeout_s, &status);
        rp_process_stop(emulator);
    }
    close(fd);
    if (emulator == NULL)
        return false;
    return !rp_process_interrupted(err) &&
           (!all || read_answer(verify, job, status, &job->answer, err));
}
