/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of files and folders, each looked at once however many stamps name it: what it is,
 * its identity, its SHA-256, the names in a folder. In: paths. Out: facts, which nobody changes.
 */
#ifndef RP_CLI_GENERATE_KNOWN_H
#define RP_CLI_GENERATE_KNOWN_H

#include <stdbool.h>
#include <time.h>

#include "base/map.h"

/* Zero-initialise, with rp_known_begin. */
struct rp_known {
    struct rp_arena *arena;
    struct rp_map files, sums, folders, names;
    struct rp_map paths, pairs; /* of around.c */
    struct rp_map tools;        /* of tools.c */
    unsigned turn;              /* of around.c */
};
void rp_known_begin(struct rp_known *known, struct rp_arena *arena);

/*
 * device:inode:size:mtime:ctime. Whoever writes to a file changes its ctime, and nobody can set it
 * back. In a kernel's tick, which may be some milliseconds, a file may change twice.
 */
struct rp_known_file {
    const char *path;
    char kind; /* 'f' a file, 'd' a folder, 'o' another thing, '-' nothing or a link to nothing */
    const char *identity;             /* "": nothing is there */
    struct timespec changed, written; /* ctime, mtime */
    const char *real;                 /* of rp_known_real */
};
struct rp_known_file *rp_known_file(struct rp_known *known, const char *path);
/* SHA-256 in digits; "-" of a file that cannot be read. */
const char *rp_known_sum(struct rp_known *known, const char *path);
/* The path without links; "-": nothing is there. */
const char *rp_known_real(struct rp_known *known, const char *path);

struct rp_known_entry {
    const char *name;
    char kind; /* 'f' a file, 'd' a folder, 'l' a link or what has to be looked at */
};
struct rp_known_folder {
    const char *path;
    struct rp_known_entry *items; /* sorted by name; none: it is no folder */
    size_t count, capacity;
    bool unknown;  /* it cannot be listed, though files in it may be found */
    unsigned turn; /* of around.c: which stamp was the last to name it, … */
    size_t index;  /* … and as the how manieth */
};
struct rp_known_folder *rp_known_folder(struct rp_known *known, const char *path);
/* The place of the first entry whose name is not less than that of len bytes. */
size_t rp_known_place(const struct rp_known_folder *folder, const char *name, size_t len);

/* All folders that were listed and have a name; count grows. */
struct rp_known_name {
    struct rp_known_folder **items;
    size_t count, capacity;
};
struct rp_known_name *rp_known_name(struct rp_known *known, const char *name, size_t len);

/* Below, at or above 0: a is before, at or after b. */
int rp_known_order(const struct timespec *a, const struct timespec *b);
/* Was anything at the path, or a link there, made, renamed or changed after that moment? */
bool rp_known_is_later(const char *path, const struct timespec *start);
/*
 * Would another change after that moment show in the times of a file? Times in whole seconds are
 * those of a file system that has no finer ones, or that has two seconds (FAT).
 */
bool rp_known_is_settled(const struct timespec *changed, const struct timespec *moment);

#endif
