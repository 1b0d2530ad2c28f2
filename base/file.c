/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes files and folders: see file.h. */
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/set.h"
#include "base/stream.h"

static bool fail_input(struct rp_error *err, const char *path, const char *why) {
    rp_fail(err, RP_E_INPUT, "cannot read '%s': %s", path, why);
    return rp_fail_in(err, path, 0);
}

/* ---- the journal ---- */

static struct {
    struct rp_arena *arena;
    struct rp_strings *list;
    struct rp_set seen;
} journal;

void rp_file_journal(struct rp_arena *arena, struct rp_strings *list) {
    journal.arena = arena;
    journal.list = list;
    journal.seen = (struct rp_set){0};
    for (size_t i = 0; list != NULL && i < list->count; i++)
        (void)rp_set_add(arena, &journal.seen, list->items[i], NULL);
}

void rp_file_note(const char *path) {
    if (journal.list == NULL)
        return;
    const char *copy = rp_strdup(journal.arena, path);
    if (rp_set_add(journal.arena, &journal.seen, copy, NULL))
        rp_strings_push(journal.arena, journal.list, copy);
}

/* ---- reading and writing ---- */

/*
 * Opens a regular file and gets its size; -1 and RP_E_INPUT: it cannot be opened. Because of
 * O_NONBLOCK, a pipe without a writer is an error and not an endless wait.
 */
static int open_regular(const char *path, uint64_t *size, struct rp_error *err) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        fail_input(err, path, strerror(errno));
    } else if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        close(fd);
        fd = -1;
        fail_input(err, path, "it is not a regular file");
    } else {
        *size = (uint64_t)st.st_size;
    }
    return fd;
}

/* Reads out->size bytes and closes the file. */
static bool read_and_close(struct rp_arena *arena, const char *path, int fd, struct rp_bytes *out,
                           struct rp_error *err) {
    uint8_t *data = rp_alloc(arena, out->size + 1, 1);
    size_t done = 0;
    ssize_t got = 1;
    while (done < out->size && (got > 0 || (got < 0 && errno == EINTR))) {
        got = read(fd, data + done, out->size - done);
        done += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    out->data = data;
    return done == out->size || fail_input(err, path, "it changed or could not be read to its end");
}

bool rp_file_head(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err) {
    uint64_t size = 0;
    rp_file_note(path);
    int fd = open_regular(path, &size, err);
    if (fd < 0)
        return false;
    out->size = size < limit ? (size_t)size : limit;
    return read_and_close(arena, path, fd, out, err);
}

bool rp_file_look(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err) {
    uint64_t size = 0;
    int fd = open_regular(path, &size, err);
    if (fd < 0)
        return false;
    if (size > limit) {
        close(fd);
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': it has %llu bytes, more than %zu", path,
                       (unsigned long long)size, limit);
    }
    out->size = (size_t)size;
    return read_and_close(arena, path, fd, out, err);
}

bool rp_file_read(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err) {
    rp_file_note(path);
    return rp_file_look(arena, path, limit, out, err);
}

bool rp_write_all(int fd, const void *data, size_t size) {
    const char *at = data;
    while (size != 0) {
        ssize_t put = write(fd, at, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        at += put;
        size -= (size_t)put;
    }
    return true;
}

/* Closes a written file, which may fail on a full disk. If !ok, errno is that of a failed write. */
static bool close_written(int fd, bool ok, const char *what, const char *path,
                          struct rp_error *err) {
    int why = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    return ok || rp_fail_errno(err, why, what, path);
}

bool rp_file_write(const char *path, const void *data, size_t size, struct rp_error *err) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return rp_fail_errno(err, errno, "cannot create", path);
    return close_written(fd, rp_write_all(fd, data, size), "cannot write", path, err);
}

/* Breaks hard links: replaces the file by a copy if it has other names. */
static bool break_links(struct rp_arena *arena, const char *path, struct rp_error *err) {
    struct rp_bytes all = {0};
    struct stat st = {0};
    if (stat(path, &st) != 0)
        return rp_fail_errno(err, errno, "cannot change", path);
    if (st.st_nlink < 2)
        return true;
    return rp_file_look(arena, path, SIZE_MAX - 1, &all, err) &&
           (unlink(path) == 0 || rp_fail_errno(err, errno, "cannot change", path)) &&
           rp_file_write(path, all.data, all.size, err);
}

bool rp_file_edit(struct rp_arena *arena, const char *path, const struct rp_edits *edits,
                  struct rp_error *err) {
    if (edits->count == 0)
        return true;
    if (!break_links(arena, path, err))
        return false;
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = true;
    if (fd < 0)
        return rp_fail_errno(err, errno, "cannot change", path);
    for (size_t i = 0; ok && i < edits->count; i++)
        ok = pwrite(fd, &edits->items[i].byte, 1, (off_t)edits->items[i].offset) == 1;
    return close_written(fd, ok, "cannot change", path, err);
}

bool rp_file_append(const char *path, const char *text, size_t size, struct rp_error *err) {
    if (rp_stream_is(path))
        return rp_stream_write(path, text, size, err);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return rp_fail_errno(err, errno, "cannot write", path);
    return close_written(fd, rp_write_all(fd, text, size), "cannot write", path, err);
}

bool rp_file_size(const char *path, uint64_t *size, struct rp_error *err) {
    struct stat st;
    if (stat(path, &st) != 0)
        return fail_input(err, path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return fail_input(err, path, "it is not a regular file");
    *size = (uint64_t)st.st_size;
    return true;
}

bool rp_make_dirs(const char *path, struct rp_error *err) {
    struct rp_arena arena = {0};
    char *copy = rp_strdup(&arena, path);
    bool ok = true;
    for (char *slash = strchr(copy + 1, '/'); ok; slash = strchr(slash + 1, '/')) {
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(copy, 0777) != 0 && !(errno == EEXIST && rp_path_is_dir(copy)))
            ok = rp_fail_errno(err, errno, "cannot create folder", copy);
        if (slash == NULL)
            break;
        *slash = '/';
    }
    rp_arena_release(&arena);
    return ok;
}

static void remove_at(int parent, const char *name) {
    int dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (dir >= 0) {
        rp_empty_dir(dir, NULL);
        close(dir);
    }
    (void)unlinkat(parent, name, dir >= 0 ? AT_REMOVEDIR : 0);
}

void rp_empty_dir(int dir, const char *kept) {
    int copy = fcntl(dir, F_DUPFD_CLOEXEC, 0);
    DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list == NULL) {
        if (copy >= 0)
            close(copy);
        return;
    }
    rewinddir(list); /* dir shares its position */
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (kept == NULL || strcmp(entry->d_name, kept) != 0))
            remove_at(dir, entry->d_name);
    closedir(list);
}

void rp_remove_tree(const char *path) {
    remove_at(AT_FDCWD, path);
}

bool rp_list_dir(struct rp_arena *arena, const char *path, struct rp_strings *names,
                 struct rp_error *err) {
    DIR *dir = opendir(path);
    if (dir == NULL)
        return fail_input(err, path, strerror(errno));
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            rp_strings_push(arena, names, rp_strdup(arena, entry->d_name));
    closedir(dir);
    rp_strings_sort(names);
    return true;
}

static bool add_source(struct rp_arena *arena, const char *option, const char *path,
                       struct rp_strings *sources, struct rp_error *err) {
    struct rp_strings names = {0};
    if (rp_path_is_file(path)) {
        rp_strings_push(arena, sources, path);
        return true;
    }
    if (!rp_path_is_dir(path))
        return rp_fail(err, RP_E_INPUT, "%s '%s': no such file or folder", option, path);
    if (!rp_list_dir(arena, path, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++) {
        const char *below = rp_path_join(arena, path, names.items[i]);
        bool folder = rp_path_is_dir(below);
        if (folder && rp_path_is_link(below))
            return rp_fail(err, RP_E_INPUT,
                           "%s '%s': '%s' is a link to a folder; name that folder itself", option,
                           path, below);
        if ((folder || rp_has_suffix(below, ".c")) &&
            !add_source(arena, option, below, sources, err))
            return false;
    }
    return true;
}

bool rp_list_sources(struct rp_arena *arena, const char *option, const char *path,
                     struct rp_strings *sources, struct rp_error *err) {
    const size_t before = sources->count;
    const char *absolute = rp_path_absolute(arena, path, err);
    if (absolute == NULL || !add_source(arena, option, absolute, sources, err))
        return false;
    return sources->count != before ||
           rp_fail(err, RP_E_INPUT, "%s '%s': it contains no C file", option, absolute);
}
