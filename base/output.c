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
#include "base/stream.h"

#ifndef RENAME_EXCHANGE /* musl has it from 1.2.6 on */
#include <linux/fs.h>
#include <sys/syscall.h>
#define renameat2(from_dir, from, to_dir, to, how)                                                 \
    ((int)syscall(SYS_renameat2, (from_dir), (from), (to_dir), (to), (how)))
#endif

/* How the commit has placed a file. */
enum placed {
    NOT_PLACED,
    PLACED_NEW,      /* nothing had this name before */
    PLACED_EXCHANGED /* the old file is now in the hidden folder */
};

/* ---- the set ---- */

/* Finds the hidden folder for files in dir, or makes it. */
static bool stage_in(struct rp_outputs *set, const char *dir, size_t *index, struct rp_error *err) {
    struct rp_claim claim;
    for (size_t i = 0; i < set->stages.count; i++)
        if (rp_path_same(set->stages.items[i].dir, dir)) {
            *index = i;
            return true;
        }
    if (!rp_claim_make(&claim, set->arena, dir, ".relocpack-", err))
        return false;
    *index = set->stages.count;
    *RP_PUSH(set->arena, &set->stages) = (struct rp_stage){dir, claim};
    return true;
}

static const char *stage_path(const struct rp_outputs *set, size_t index) {
    return set->stages.items[index].claim.path;
}

bool rp_outputs_begin(struct rp_outputs *set, struct rp_arena *arena, const char *dir,
                      struct rp_error *err) {
    size_t stage = 0;
    *set = (struct rp_outputs){.arena = arena, .dir = dir};
    if (dir == NULL)
        return true;
    set->made_dir = !rp_path_is_dir(dir);
    if (!rp_make_dirs(dir, err))
        return false;
    if (!stage_in(set, dir, &stage, err)) {
        rp_outputs_abort(set);
        return false;
    }
    set->stage = stage_path(set, stage);
    return true;
}

const char *rp_outputs_add(struct rp_outputs *set, const char *name) {
    struct rp_output_file *file = RP_PUSH(set->arena, &set->files);
    const char *final = rp_outputs_final(set, name);
    *file = (struct rp_output_file){final, final, rp_path_join(set->arena, set->stage, name), 0};
    return file->staged;
}

bool rp_outputs_have(struct rp_outputs *set, const char *name) {
    const char *final = rp_outputs_final(set, name);
    for (size_t i = 0; i < set->files.count; i++)
        if (strcmp(set->files.items[i].final, final) == 0)
            return true;
    return false;
}

void rp_outputs_drop(struct rp_outputs *set, const char *name) {
    if (rp_path_is_file(rp_outputs_final(set, name)))
        rp_strings_push(set->arena, &set->dropped, rp_outputs_final(set, name));
}

const char *rp_outputs_final(struct rp_outputs *set, const char *name) {
    return rp_path_join(set->arena, set->dir, name);
}

/* ---- files that the user names ---- */

/* The target of a dangling link, or the path itself if it is not a link. NULL: too many links. */
static const char *follow(struct rp_arena *arena, const char *path) {
    for (int links = 0; links < 40; links++) {
        char text[4096];
        ssize_t len = readlink(path, text, sizeof text - 1);
        if (len < 0)
            return path;
        text[len] = '\0';
        path = rp_path_join(arena, rp_path_dir(arena, path), rp_strdup(arena, text));
    }
    return NULL;
}

/* The path of the regular file that path leads to or will become; NULL: it is something else. */
static const char *regular_of(struct rp_arena *arena, const char *path) {
    struct stat st, found;
    if (stat(path, &st) != 0)
        return errno == ENOENT ? follow(arena, path) : NULL;
    char *plain = S_ISREG(st.st_mode) ? realpath(path, NULL) : NULL;
    const char *result = plain != NULL ? rp_strdup(arena, plain) : NULL;
    free(plain);
    /* a file in /dev/fd may have lost its name */
    return result != NULL && stat(result, &found) == 0 && found.st_dev == st.st_dev &&
                   found.st_ino == st.st_ino
               ? result
               : NULL;
}

bool rp_output_is_possible(const char *path, struct rp_error *err) {
    struct rp_arena arena = {0};
    bool is_dir = path != NULL && rp_path_is_dir(path);
    const char *final =
        path == NULL || is_dir || rp_stream_is_stdout(path) ? NULL : regular_of(&arena, path);
    const char *dir = final != NULL ? rp_path_dir(&arena, final) : "";
    bool ok = !is_dir || rp_fail(err, RP_E_SYSTEM, "cannot write '%s': it is a folder", path);
    if (final != NULL && !rp_path_is_dir(dir))
        ok = rp_fail(err, RP_E_SYSTEM, "cannot write '%s': there is no folder '%s'", path, dir);
    else if (final != NULL && access(dir, W_OK) != 0)
        ok = rp_fail_errno(err, errno, "cannot write", path);
    rp_arena_release(&arena);
    return ok;
}

static bool stage_regular(struct rp_outputs *set, const struct rp_stream *named, const char *final,
                          struct rp_error *err) {
    struct stat st;
    size_t stage = 0;
    const char *dir = rp_path_dir(set->arena, final);
    if (!rp_path_is_dir(dir))
        return rp_fail(err, RP_E_SYSTEM, "cannot write '%s': there is no folder '%s'", named->path,
                       dir);
    if (!stage_in(set, dir, &stage, err))
        return false;
    const char *staged = rp_path_join(set->arena, stage_path(set, stage),
                                      rp_format(set->arena, "%zu.named", set->files.count));
    *RP_PUSH(set->arena, &set->files) = (struct rp_output_file){named->path, final, staged, stage};
    if (!rp_file_write(staged, named->text, named->size, err))
        return false;
    if (stat(final, &st) == 0)
        (void)chmod(staged, st.st_mode & 0777); /* keeps the permissions */
    return true;
}

bool rp_outputs_add_named(struct rp_outputs *set, const char *path, const char *text, size_t size,
                          struct rp_error *err) {
    struct stat st;
    if (path == NULL)
        return true;
    if (rp_path_is_dir(path))
        return rp_fail(err, RP_E_SYSTEM, "cannot write '%s': it is a folder", path);
    if (stat(path, &st) == 0 && S_ISBLK(st.st_mode))
        return rp_fail(err, RP_E_USAGE, "'%s' is a block device, which relocpack never writes to",
                       path);
    bool output = rp_stream_is_stdout(path);
    const char *final = output ? NULL : regular_of(set->arena, path);
    if (final != NULL)
        return stage_regular(set, &(struct rp_stream){path, text, size}, final, err);
    *RP_PUSH(set->arena, &set->streams) =
        (struct rp_stream){output ? "-" : path, rp_strndup(set->arena, text, size), size};
    return true;
}

/* ---- what must not be replaced ---- */

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool fail_twice(const char *path, struct rp_error *err) {
    return rp_fail(err, RP_E_USAGE, "'%s' is named for two outputs of this run", path);
}

static bool check_streams(const struct rp_outputs *set, struct rp_error *err) {
    for (size_t i = 0; i < set->streams.count; i++)
        for (size_t k = 0; k < i; k++) {
            struct stat st;
            const char *path = set->streams.items[i].path, *other = set->streams.items[k].path;
            bool device = stat(path, &st) == 0 && S_ISCHR(st.st_mode);
            if (strcmp(path, other) == 0 ? !device || path[0] == '-'
                                         : !device && rp_path_same(path, other))
                return fail_twice(path, err);
        }
    return true;
}

bool rp_outputs_check(const struct rp_outputs *set, struct rp_error *err) {
    struct stat st;
    for (size_t i = 0; i < set->files.count; i++) {
        const struct rp_output_file *file = &set->files.items[i];
        /* in one folder, files of the same name are one file, even if it does not exist yet
         */
        for (size_t k = 0; k < i; k++) {
            const struct rp_output_file *other = &set->files.items[k];
            if (file->stage == other->stage &&
                strcmp(rp_path_base(file->final), rp_path_base(other->final)) == 0)
                return fail_twice(file->shown, err);
        }
        if (lstat(file->final, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode) &&
            !S_ISDIR(st.st_mode))
            return rp_fail(err, RP_E_USAGE,
                           "'%s' is not a regular file, and only regular files are replaced",
                           file->shown);
    }
    return check_streams(set, err);
}

/* The stream that writes to the file, or NULL. Devices never count as the same. */
static const char *stream_at(const struct rp_outputs *set, const char *file) {
    struct stat st, target;
    for (size_t i = 0; i < set->streams.count; i++) {
        const char *path = set->streams.items[i].path;
        bool same = strcmp(path, "-") == 0 ? rp_stream_is_stdout(file)
                                           : stat(path, &st) == 0 && stat(file, &target) == 0 &&
                                                 !S_ISCHR(st.st_mode) && same_file(&st, &target);
        if (same)
            return path;
    }
    return NULL;
}

bool rp_outputs_spare(const struct rp_outputs *set, const struct rp_strings *files,
                      const char *what, struct rp_error *err) {
    for (size_t n = 0; n < files->count; n++) {
        struct stat target, own, st;
        const char *stream = stream_at(set, files->items[n]);
        if (stream != NULL)
            return rp_fail(err, RP_E_USAGE, "'%s' is %s and would be written to", stream, what);
        if (stat(files->items[n], &target) != 0 || lstat(files->items[n], &own) != 0)
            continue;
        for (size_t i = 0; i < set->files.count; i++) {
            const char *final = set->files.items[i].final;
            if (lstat(final, &st) == 0 && (same_file(&st, &target) || same_file(&st, &own)))
                return rp_fail(err, RP_E_USAGE,
                               "'%s' is %s and would be replaced; give another --output or --name, "
                               "or another file",
                               set->files.items[i].shown, what);
        }
    }
    return true;
}

/* ---- putting in place ---- */

/* Did the exchange return something other than a file, which somebody put there meanwhile? */
static bool came_back_wrong(const char *staged) {
    struct stat st;
    return lstat(staged, &st) != 0 || (!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode));
}

static int place(const char *staged, const char *target, enum placed *how) {
    if (renameat2(AT_FDCWD, staged, AT_FDCWD, target, RENAME_NOREPLACE) == 0) {
        *how = PLACED_NEW;
        return 0;
    }
    int why = errno; /* before rp_path_is_dir changes it */
    if (why == EEXIST && rp_path_is_dir(target))
        return EISDIR;
    if (why == EEXIST && renameat2(AT_FDCWD, staged, AT_FDCWD, target, RENAME_EXCHANGE) == 0) {
        if (came_back_wrong(staged))
            return renameat2(AT_FDCWD, staged, AT_FDCWD, target, RENAME_EXCHANGE) == 0 ? EEXIST
                                                                                       : errno;
        *how = PLACED_EXCHANGED;
        return 0;
    }
    why = why == EEXIST ? errno : why;
    if (why != EINVAL && why != ENOSYS)
        return why;
    /* the file system lacks these flags: a plain rename, which cannot be undone */
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
    const struct rp_output_file *files = set->files.items;
    enum placed *how = rp_alloc(set->arena, set->files.count, sizeof *how);
    for (size_t i = 0; i < set->files.count; i++) {
        int why = place(files[i].staged, files[i].final, &how[i]);
        if (why == 0)
            continue;
        *failed = i;
        while (i-- > 0)
            take_back(files[i].staged, files[i].final, how[i]);
        return why;
    }
    /* the new files are in place, so the rest of the old set is removed */
    for (size_t i = 0; i < set->dropped.count; i++)
        (void)unlink(set->dropped.items[i]);
    return 0;
}

static void remove_stages(struct rp_outputs *set) {
    for (size_t i = 0; i < set->stages.count; i++)
        rp_claim_remove(&set->stages.items[i].claim);
}

/* In the child: isolated from the parent's signals, reports {errno, index} through the pipe. */
static void place_in_child(struct rp_outputs *set, int report) {
    setsid();
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    size_t failed = 0;
    int result[2] = {place_all(set, &failed), (int)failed};
    remove_stages(set);
    ssize_t put = write(report, result, sizeof result);
    _exit(put == (ssize_t)sizeof result ? 0 : 1);
}

static const char *shown_dir(const struct rp_outputs *set) {
    return set->dir != NULL ? set->dir : set->stages.items[0].dir;
}

static bool run_child(struct rp_outputs *set, int result[2], struct rp_error *err) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return rp_fail_errno(err, errno, "cannot put files into", shown_dir(set));
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
           rp_fail(err, RP_E_SYSTEM, "cannot put files into '%s'", shown_dir(set));
}

/* ---- if the child dies, inodes tell which files are in place ---- */

static struct stat *staged_files(struct rp_outputs *set) {
    struct stat *all = rp_alloc(set->arena, set->files.count, sizeof *all);
    for (size_t i = 0; i < set->files.count; i++)
        if (lstat(set->files.items[i].staged, &all[i]) != 0)
            all[i].st_ino = 0;
    return all;
}

static bool is_placed(struct rp_outputs *set, size_t i, const struct stat *before) {
    struct stat st;
    return lstat(set->files.items[i].final, &st) == 0 && same_file(&st, &before[i]);
}

/*
 * Undoes a partial placement. true: all files were in place, so only old files have to be removed.
 */
static bool recover(struct rp_outputs *set, const struct stat *before) {
    size_t placed = 0;
    struct stat st;
    for (size_t i = 0; i < set->files.count; i++)
        placed += is_placed(set, i, before);
    for (size_t i = 0; placed != set->files.count && i < set->files.count; i++) {
        const struct rp_output_file *file = &set->files.items[i];
        if (is_placed(set, i, before))
            take_back(file->staged, file->final,
                      lstat(file->staged, &st) == 0 ? PLACED_EXCHANGED : PLACED_NEW);
    }
    for (size_t i = 0; placed == set->files.count && i < set->dropped.count; i++)
        (void)unlink(set->dropped.items[i]);
    return placed == set->files.count;
}

bool rp_outputs_commit(struct rp_outputs *set, struct rp_error *err) {
    int result[2] = {0, 0};
    struct rp_error died = {0};
    if (!rp_outputs_check(set, err))
        return false;
    for (size_t i = 0; i < set->streams.count; i++)
        if (!rp_stream_write(set->streams.items[i].path, set->streams.items[i].text,
                             set->streams.items[i].size, err))
            return false;
    const struct stat *before = staged_files(set);
    if (set->files.count != 0 && !run_child(set, result, &died)) {
        if (!recover(set, before)) {
            *err = died;
            return false;
        }
        result[0] = 0;
    }
    if (result[0] != 0)
        return rp_fail_errno(err, result[0], "cannot write", set->files.items[result[1]].shown);
    remove_stages(set);
    set->stage = NULL;
    set->made_dir = false;
    return true;
}

void rp_outputs_abort(struct rp_outputs *set) {
    remove_stages(set);
    if (set->made_dir)
        (void)rmdir(set->dir);
    set->stage = NULL;
    set->made_dir = false;
}
