/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders: see file.h. */
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

/* O_NONBLOCK: a pipe without a writer is then an error rather than an endless wait. */
static bool open_regular(const char *path, int *fd, struct stat *st, struct rp_error *err) {
    *fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0)
        return fail_input(err, path, strerror(errno));
    if (fstat(*fd, st) != 0 || !S_ISREG(st->st_mode)) {
        close(*fd);
        return fail_input(err, path, "it is not a regular file");
    }
    return true;
}

static bool read_all(int fd, uint8_t *data, size_t size) {
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(fd, data + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

bool rp_file_head(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err) {
    rp_file_note(path);
    int fd;
    struct stat st = {0};
    if (!open_regular(path, &fd, &st, err))
        return false;
    size_t size = (uint64_t)st.st_size < limit ? (size_t)st.st_size : limit;
    uint8_t *data = rp_alloc(arena, size + 1, 1);
    bool ok = read_all(fd, data, size);
    close(fd);
    *out = (struct rp_bytes){data, size};
    return ok || fail_input(err, path, "it changed or could not be read to its end");
}

bool rp_file_look(struct rp_arena *arena, const char *path, size_t limit, struct rp_bytes *out,
                  struct rp_error *err) {
    int fd;
    struct stat st = {0};
    if (!open_regular(path, &fd, &st, err))
        return false;
    if ((uint64_t)st.st_size > limit) {
        close(fd);
        return rp_fail(err, RP_E_INPUT, "cannot read '%s': it has %lld bytes, more than %zu", path,
                       (long long)st.st_size, limit);
    }
    size_t size = (size_t)st.st_size;
    uint8_t *data = rp_alloc(arena, size + 1, 1);
    bool ok = read_all(fd, data, size);
    close(fd);
    if (!ok)
        return fail_input(err, path, "it changed or could not be read to its end");
    *out = (struct rp_bytes){data, size};
    return true;
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

bool rp_file_write(const char *path, const void *data, size_t size, struct rp_error *err) {
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0)
        return rp_fail_errno(err, errno, "cannot create", path);
    bool ok = rp_write_all(fd, data, size);
    int why = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    return ok || rp_fail_errno(err, why, "cannot write", path);
}

/* Gives path a file of its own when that has other names. */
static bool detach(struct rp_arena *arena, const char *path, struct rp_error *err) {
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
    if (!detach(arena, path, err))
        return false;
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0;
    for (size_t i = 0; ok && i < edits->count; i++)
        ok = pwrite(fd, &edits->items[i].byte, 1, (off_t)edits->items[i].offset) == 1;
    int why = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    return ok || rp_fail_errno(err, why, "cannot change", path);
}

bool rp_file_append(const char *path, const char *text, size_t size, struct rp_error *err) {
    if (rp_stream_is(path))
        return rp_stream_write(path, text, size, err);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0)
        return rp_fail_errno(err, errno, "cannot write", path);
    bool ok = rp_write_all(fd, text, size);
    int why = errno;
    if (close(fd) != 0 && ok) {
        ok = false;
        why = errno;
    }
    return ok || rp_fail_errno(err, why, "cannot write", path);
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
    rewinddir(list); /* the place in it is shared with dir */
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            (kept == NULL || strcmp(entry->d_name, kept) != 0))
            remove_at(dir, entry->d_name);
    closedir(list);
}

void rp_remove_tree(const char *path) {
    remove_at(AT_FDCWD, path);
}

static int compare_names(const void *a, const void *b) {
    const char *const *x = a;
    const char *const *y = b;
    return strcmp(*x, *y);
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
    if (names->count != 0)
        qsort(names->items, names->count, sizeof *names->items, compare_names);
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
                           "%s '%s': '%s' is a link to a folder: name that folder itself", option,
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
           rp_fail(err, RP_E_INPUT, "%s '%s': no C file in it", option, absolute);
}
