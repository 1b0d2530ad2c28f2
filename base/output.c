/* SPDX-License-Identifier: Apache-2.0 */
/* Output files that appear all together: see output.h. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

/* What became of one file while committing. */
enum placed {
    NOT_PLACED,
    PLACED_NEW,      /* nothing of that name was there */
    PLACED_EXCHANGED /* the old file is in the hidden folder now */
};

bool rp_outputs_begin(struct rp_outputs *set, struct rp_arena *arena, const char *dir,
                      struct rp_error *err) {
    *set = (struct rp_outputs){.arena = arena, .dir = dir};
    set->made_dir = !rp_path_is_dir(dir);
    if (!rp_make_dirs(dir, err))
        return false;
    char *stage = rp_path_join(arena, dir, ".relocpack-XXXXXX");
    if (mkdtemp(stage) == NULL) {
        rp_fail_errno(err, errno, "cannot write into folder", dir);
        rp_outputs_abort(set);
        return false;
    }
    set->stage = stage;
    return true;
}

const char *rp_outputs_add(struct rp_outputs *set, const char *name) {
    rp_strings_push(set->arena, &set->names, name);
    return rp_path_join(set->arena, set->stage, name);
}

void rp_outputs_drop(struct rp_outputs *set, const char *name) {
    if (rp_path_is_file(rp_outputs_final(set, name)))
        rp_strings_push(set->arena, &set->dropped, name);
}

const char *rp_outputs_final(struct rp_outputs *set, const char *name) {
    return rp_path_join(set->arena, set->dir, name);
}

static int place(const char *staged, const char *target, enum placed *how) {
    if (renameat2(AT_FDCWD, staged, AT_FDCWD, target, RENAME_NOREPLACE) == 0) {
        *how = PLACED_NEW;
        return 0;
    }
    int why = errno; /* looking at the target changes errno when it is a link to nowhere */
    if (why == EEXIST && rp_path_is_dir(target))
        return EISDIR;
    if (why == EEXIST && renameat2(AT_FDCWD, staged, AT_FDCWD, target, RENAME_EXCHANGE) == 0) {
        *how = PLACED_EXCHANGED;
        return 0;
    }
    why = why == EEXIST ? errno : why;
    if (why != EINVAL && why != ENOSYS)
        return why;
    /* A file system without these flags: a plain rename, which cannot be taken back. */
    *how = NOT_PLACED;
    return rename(staged, target) == 0 ? 0 : errno;
}

static void take_back(const char *staged, const char *target, enum placed how) {
    if (how == PLACED_NEW)
        (void)rename(target, staged);
    else if (how == PLACED_EXCHANGED)
        (void)renameat2(AT_FDCWD, staged, AT_FDCWD, target, RENAME_EXCHANGE);
}

/* All exchanges, or none: returns 0 or an errno value; *failed names the file. */
static int place_all(struct rp_outputs *set, size_t *failed) {
    size_t count = set->names.count;
    enum placed *how = rp_alloc(set->arena, count, sizeof *how);
    for (size_t i = 0; i < count; i++) {
        const char *staged = rp_path_join(set->arena, set->stage, set->names.items[i]);
        int why = place(staged, rp_outputs_final(set, set->names.items[i]), &how[i]);
        if (why == 0)
            continue;
        *failed = i;
        while (i-- > 0)
            take_back(rp_path_join(set->arena, set->stage, set->names.items[i]),
                      rp_outputs_final(set, set->names.items[i]), how[i]);
        return why;
    }
    /* now that the new files are there, what is left of the old set goes: it cannot fail half-way
     */
    for (size_t i = 0; i < set->dropped.count; i++)
        (void)unlink(rp_outputs_final(set, set->dropped.items[i]));
    return 0;
}

/* The child: cut off from the parent's signals, it reports {errno, index} through the pipe. */
static void place_in_child(struct rp_outputs *set, int report) {
    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    size_t failed = 0;
    int result[2] = {place_all(set, &failed), (int)failed};
    rp_remove_tree(set->stage);
    ssize_t put = write(report, result, sizeof result);
    _exit(put == (ssize_t)sizeof result ? 0 : 1);
}

static bool run_child(struct rp_outputs *set, int result[2], struct rp_error *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return rp_fail_errno(err, errno, "cannot put files into", set->dir);
    pid_t pid = fork();
    if (pid == 0)
        place_in_child(set, ends[1]);
    close(ends[1]);
    ssize_t got = pid > 0 ? read(ends[0], result, 2 * sizeof result[0]) : -1;
    while (pid > 0 && got < 0 && errno == EINTR)
        got = read(ends[0], result, 2 * sizeof result[0]);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return got == (ssize_t)(2 * sizeof result[0]) ||
           rp_fail(err, RP_E_SYSTEM, "cannot put files into '%s'", set->dir);
}

/* ---- when the child dies on its way: which files are in place is seen by their inodes ---- */

static ino_t *staged_inodes(struct rp_outputs *set) {
    ino_t *inodes = rp_alloc(set->arena, set->names.count, sizeof *inodes);
    struct stat st;
    for (size_t i = 0; i < set->names.count; i++)
        inodes[i] = lstat(rp_path_join(set->arena, set->stage, set->names.items[i]), &st) == 0
                        ? st.st_ino
                        : 0;
    return inodes;
}

static bool is_placed(struct rp_outputs *set, size_t i, const ino_t *inodes) {
    struct stat st;
    return lstat(rp_outputs_final(set, set->names.items[i]), &st) == 0 && st.st_ino == inodes[i];
}

/* True when all were in place: then only old files in the hidden folder are left to be removed. */
static bool recover(struct rp_outputs *set, const ino_t *inodes) {
    size_t placed = 0;
    struct stat st;
    for (size_t i = 0; i < set->names.count; i++)
        placed += is_placed(set, i, inodes);
    for (size_t i = 0; placed != set->names.count && i < set->names.count; i++) {
        const char *staged = rp_path_join(set->arena, set->stage, set->names.items[i]);
        if (is_placed(set, i, inodes))
            take_back(staged, rp_outputs_final(set, set->names.items[i]),
                      lstat(staged, &st) == 0 ? PLACED_EXCHANGED : PLACED_NEW);
    }
    for (size_t i = 0; placed == set->names.count && i < set->dropped.count; i++)
        (void)unlink(rp_outputs_final(set, set->dropped.items[i]));
    return placed == set->names.count;
}

bool rp_outputs_commit(struct rp_outputs *set, struct rp_error *err) {
    int result[2] = {0, 0};
    struct rp_error died = {0};
    const ino_t *inodes = staged_inodes(set);
    if (!run_child(set, result, &died)) {
        if (!recover(set, inodes)) {
            *err = died;
            return false;
        }
        rp_remove_tree(set->stage);
        result[0] = 0;
    }
    if (result[0] != 0)
        return rp_fail_errno(err, result[0], "cannot write",
                             rp_outputs_final(set, set->names.items[result[1]]));
    set->stage = NULL;
    set->made_dir = false;
    return true;
}

void rp_outputs_abort(struct rp_outputs *set) {
    if (set->stage != NULL)
        rp_remove_tree(set->stage);
    if (set->made_dir)
        (void)rmdir(set->dir);
    set->stage = NULL;
}
