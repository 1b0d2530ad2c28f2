/* SPDX-License-Identifier: Apache-2.0 */
/* Files and folders, each looked at once: see known.h. */
#include "cli/generate/known.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "elfpack/image/integrity.h"

enum { COARSE_S = 2 };

void rp_known_begin(struct rp_known *known, struct rp_arena *arena) {
    *known = (struct rp_known){.arena = arena,
                               .files = {.arena = arena},
                               .sums = {.arena = arena},
                               .folders = {.arena = arena},
                               .names = {.arena = arena},
                               .paths = {.arena = arena},
                               .pairs = {.arena = arena},
                               .tools = {.arena = arena}};
}

/* ---- files ---- */

struct rp_known_file *rp_known_file(struct rp_known *known, const char *path) {
    struct rp_known_file **at =
        (struct rp_known_file **)rp_map_at(&known->files, path, strlen(path));
    struct rp_known_file *file = *at;
    struct stat st;
    if (file != NULL)
        return file;
    *at = file = rp_alloc(known->arena, 1, sizeof *file);
    *file =
        (struct rp_known_file){.path = rp_strdup(known->arena, path), .kind = '-', .identity = ""};
    if (stat(path, &st) != 0)
        return file;
    file->kind = S_ISDIR(st.st_mode) ? 'd' : S_ISREG(st.st_mode) ? 'f' : 'o';
    file->changed = st.st_ctim;
    file->written = st.st_mtim;
    file->identity = rp_format(
        known->arena, "%llx:%llx:%llx:%lld.%09ld:%lld.%09ld", (unsigned long long)st.st_dev,
        (unsigned long long)st.st_ino, (unsigned long long)st.st_size, (long long)st.st_mtim.tv_sec,
        st.st_mtim.tv_nsec, (long long)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
    return file;
}

const char *rp_known_sum(struct rp_known *known, const char *path) {
    struct rp_known_file *file = rp_known_file(known, path);
    if (file->kind != 'f')
        return "-";
    /* a compiler's assembler and linker have many names */
    void **at = rp_map_at(&known->sums, file->identity, strlen(file->identity));
    if (*at == NULL) {
        char *hex = *at = rp_alloc(known->arena, RP_SHA256_HEX, 1);
        if (!rp_sha256_file(path, hex, NULL))
            hex[0] = '-', hex[1] = '\0';
    }
    return *at;
}

const char *rp_known_real(struct rp_known *known, const char *path) {
    struct rp_known_file *file = rp_known_file(known, path);
    if (file->real == NULL) {
        char *real = realpath(path, NULL);
        file->real = real == NULL              ? "-"
                     : strcmp(real, path) == 0 ? file->path
                                               : rp_strdup(known->arena, real);
        free(real);
    }
    return file->real;
}

int rp_known_order(const struct timespec *a, const struct timespec *b) {
    return a->tv_sec != b->tv_sec ? (a->tv_sec > b->tv_sec) - (a->tv_sec < b->tv_sec)
                                  : (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

bool rp_known_is_later(const char *path, const struct timespec *start) {
    struct stat st, link;
    return stat(path, &st) != 0 || lstat(path, &link) != 0 ||
           rp_known_order(&st.st_ctim, start) > 0 || rp_known_order(&link.st_ctim, start) > 0;
}

bool rp_known_is_settled(const struct timespec *changed, const struct timespec *moment) {
    struct timespec until = *changed;
    until.tv_sec += changed->tv_nsec == 0 ? COARSE_S : 0;
    return rp_known_order(&until, moment) < 0;
}

/* ---- folders ---- */

static int by_name(const void *one, const void *other) {
    const struct rp_known_entry *a = one, *b = other;
    return strcmp(a->name, b->name);
}

struct rp_known_name *rp_known_name(struct rp_known *known, const char *name, size_t len) {
    struct rp_known_name **at = (struct rp_known_name **)rp_map_at(&known->names, name, len);
    if (*at == NULL)
        *at = rp_alloc(known->arena, 1, sizeof **at);
    return *at;
}

static void list(struct rp_known *known, struct rp_known_folder *folder) {
    DIR *dir = opendir(folder->path);
    folder->unknown = dir == NULL && errno != ENOENT && errno != ENOTDIR;
    if (dir == NULL)
        return;
    for (const struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
            continue;
        *RP_PUSH(known->arena, rp_known_name(known, name, strlen(name))) = folder;
        *RP_PUSH(known->arena, folder) =
            (struct rp_known_entry){rp_strdup(known->arena, name), entry->d_type == DT_REG   ? 'f'
                                                                   : entry->d_type == DT_DIR ? 'd'
                                                                                             : 'l'};
    }
    closedir(dir);
    if (folder->count != 0)
        qsort(folder->items, folder->count, sizeof *folder->items, by_name);
}

struct rp_known_folder *rp_known_folder(struct rp_known *known, const char *path) {
    struct rp_known_folder **at =
        (struct rp_known_folder **)rp_map_at(&known->folders, path, strlen(path));
    struct rp_known_folder *folder = *at;
    if (folder == NULL) {
        *at = folder = rp_alloc(known->arena, 1, sizeof *folder);
        folder->path = rp_strdup(known->arena, path);
        list(known, folder);
    }
    return folder;
}

size_t rp_known_place(const struct rp_known_folder *folder, const char *name, size_t len) {
    size_t low = 0, high = folder->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strncmp(folder->items[middle].name, name, len) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
