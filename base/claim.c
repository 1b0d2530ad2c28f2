/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary folders with an owner: see claim.h. */
#include "base/claim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

static const char LOCK[] = ".relocpack-lock", NEW[] = ".relocpack-lock.new";
static const char MARK[] = "XXXXXX"; /* mkdtemp's */

static int open_dir(int parent, const char *name) {
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/*
 * Takes the lock before the file gets its final name, so that nobody finds it free while its owner
 * lives. Without O_CLOEXEC, because a compiler that outlives its parent still uses the folder.
 */
static int hold(const char *path) {
    int dir = open_dir(AT_FDCWD, path);
    int lock = dir >= 0 ? openat(dir, NEW, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0600) : -1;
    if (lock >= 0 && (flock(lock, LOCK_EX | LOCK_NB) != 0 || renameat(dir, NEW, dir, LOCK) != 0)) {
        close(lock);
        lock = -1;
    }
    if (dir >= 0) {
        if (lock < 0)
            (void)unlinkat(dir, NEW, 0);
        close(dir);
    }
    return lock;
}

/* ---- folders left by killed runs ---- */

static bool is_named(const char *name, const char *prefix) {
    size_t len = strlen(prefix);
    return strncmp(name, prefix, len) == 0 && strlen(name + len) == strlen(MARK) &&
           strspn(name + len, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
               strlen(MARK);
}

/*
 * Takes the lock of a private folder if it is free and folder and lock file belong to this user,
 * else -1.
 */
static int take_over(int dir) {
    struct stat st;
    if (fstat(dir, &st) != 0 || st.st_uid != geteuid() || (st.st_mode & 077) != 0)
        return -1;
    int lock = openat(dir, LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (lock < 0)
        return -1;
    if (fstat(lock, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
        st.st_nlink == 1 && flock(lock, LOCK_EX | LOCK_NB) == 0)
        return lock;
    close(lock);
    return -1;
}

/* Removes the lock file last, so that a later run continues if this one is interrupted. */
static void remove_held(int parent, const char *name, int dir) {
    rp_empty_dir(dir, LOCK);
    (void)unlinkat(dir, LOCK, 0);
    (void)unlinkat(parent, name, AT_REMOVEDIR);
}

static void sweep_one(int parent, const char *name) {
    int dir = open_dir(parent, name);
    int lock = dir >= 0 ? take_over(dir) : -1;
    if (lock >= 0) {
        remove_held(parent, name, dir);
        close(lock);
    }
    if (dir >= 0)
        close(dir);
}

static void sweep(const char *parent, const char *prefix) {
    DIR *list = opendir(parent);
    if (list == NULL)
        return;
    for (struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list))
        if (is_named(entry->d_name, prefix))
            sweep_one(dirfd(list), entry->d_name);
    closedir(list);
}

bool rp_claim_make(struct rp_claim *claim, struct rp_arena *arena, const char *parent,
                   const char *prefix, struct rp_error *err) {
    char *path = rp_path_join(arena, parent, rp_format(arena, "%s%s", prefix, MARK));
    *claim = (struct rp_claim){.lock = -1};
    sweep(parent, prefix);
    if (mkdtemp(path) == NULL)
        return rp_fail_errno(err, errno, "cannot write into folder", parent);
    *claim = (struct rp_claim){path, hold(path)};
    return true;
}

static void release(struct rp_claim *claim) {
    if (claim->lock >= 0)
        close(claim->lock);
    *claim = (struct rp_claim){.lock = -1};
}

void rp_claim_remove(struct rp_claim *claim) {
    int dir = claim->path != NULL ? open_dir(AT_FDCWD, claim->path) : -1;
    if (dir >= 0) {
        remove_held(AT_FDCWD, claim->path, dir);
        close(dir);
    }
    release(claim);
}

void rp_claim_keep(struct rp_claim *claim) {
    int dir = claim->path != NULL ? open_dir(AT_FDCWD, claim->path) : -1;
    if (dir >= 0) {
        (void)unlinkat(dir, LOCK, 0);
        close(dir);
    }
    release(claim);
}
