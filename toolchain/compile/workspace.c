/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a build: see workspace.h. */
#include "toolchain/compile/workspace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/process.h"

/* units.mk is written first and begins like this: a folder that has it is ours. */
static const char MARK_FILE[] = "units.mk", MARK[] = "OBJECTS :=";

/* $TMPDIR or /tmp. */
static const char *temporary_dir(void) {
    const char *root = getenv("TMPDIR");
    return root != NULL && root[0] != '\0' ? root : "/tmp";
}

/* ---- a named one ---- */

/*
 * Two runs in one folder would mix their objects. Where folders cannot be locked, nothing is done.
 */
static bool lock_folder(struct rp_workspace *workspace, struct rp_error *err) {
    workspace->lock = open(workspace->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (workspace->lock < 0)
        return rp_fail_errno(err, errno, "cannot open", workspace->dir);
    while (flock(workspace->lock, LOCK_EX) != 0 && errno == EINTR)
        if (rp_process_interrupted(err))
            return false;
    return true;
}

/* Did relocpack make the workspace? */
static bool is_ours(const struct rp_workspace *workspace) {
    struct rp_bytes head;
    return rp_file_head(workspace->arena, rp_path_join(workspace->arena, workspace->dir, MARK_FILE),
                        strlen(MARK), &head, NULL) &&
           strcmp((const char *)head.data, MARK) == 0;
}

bool rp_workspace_may_write(const struct rp_workspace *workspace, const char *name,
                            struct rp_error *err) {
    const char *first = rp_strndup(workspace->arena, name, strcspn(name, "/"));
    if (!rp_strings_have(&workspace->foreign, first))
        return true;
    rp_fail(err, RP_E_FOREIGN, "cannot build in '%s': '%s' exists, and relocpack did not make it",
            workspace->dir, first);
    return rp_hint(err, "give --workspace an empty folder");
}

/* Removes what make would take for products of this run. */
static bool remove_results(const struct rp_workspace *workspace, struct rp_error *err) {
    static const char *const results[] = {"obj", "image.elf", "image.map"};
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        const char *path = rp_path_join(workspace->arena, workspace->dir, results[i]);
        if (!rp_workspace_may_write(workspace, results[i], err))
            return false;
        rp_remove_tree(path);
        if (access(path, F_OK) == 0)
            return rp_fail(err, RP_E_SYSTEM, "cannot remove '%s' of an earlier run", path);
    }
    return true;
}

static bool take_named(struct rp_workspace *workspace, const char *wanted, struct rp_error *err) {
    struct rp_arena *arena = workspace->arena;
    workspace->dir = rp_path_absolute(arena, wanted, err);
    if (workspace->dir == NULL || !rp_make_dirs(workspace->dir, err) ||
        !lock_folder(workspace, err))
        return false;
    if (!is_ours(workspace) && !rp_list_dir(arena, workspace->dir, &workspace->foreign, err))
        return false;
    return remove_results(workspace, err) && rp_workspace_may_write(workspace, MARK_FILE, err) &&
           rp_file_write(rp_path_join(arena, workspace->dir, MARK_FILE), MARK, strlen(MARK), err);
}

/* ---- */

static bool make_temporary(struct rp_workspace *workspace, struct rp_error *err) {
    workspace->temporary = true;
    if (!rp_claim_make(&workspace->claim, workspace->arena, temporary_dir(), "relocpack-", err))
        return false;
    workspace->dir = workspace->claim.path;
    if (workspace->dir != NULL)
        workspace->dir = rp_path_absolute(workspace->arena, workspace->dir, err);
    return workspace->dir != NULL;
}

bool rp_workspace_open(struct rp_workspace *workspace, struct rp_arena *arena, const char *wanted,
                       struct rp_error *err) {
    *workspace = (struct rp_workspace){.arena = arena, .claim = {.lock = -1}, .lock = -1};
    return (wanted == NULL ? make_temporary(workspace, err) : take_named(workspace, wanted, err)) &&
           rp_make_dirs(rp_path_join(arena, workspace->dir, "obj"), err);
}

void rp_workspace_close(struct rp_workspace *workspace, bool keep) {
    if (workspace->lock >= 0)
        close(workspace->lock);
    workspace->lock = -1;
    if (keep)
        rp_claim_keep(&workspace->claim);
    else
        rp_claim_remove(&workspace->claim);
}

bool rp_workspace_is_own(const struct rp_workspace *workspace, const char *path) {
    static const char *const ours[] = {"obj/", "image.", "rewritten/", "loader/",   "static/",
                                       "gcc/", "llvm/",  "run-",       "generated/"};
    size_t len = workspace->dir != NULL ? strlen(workspace->dir) : 0;
    if (len == 0 || strncmp(path, workspace->dir, len) != 0 || path[len] != '/')
        return false;
    const char *name = path + len + 1;
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (rp_has_prefix(name, ours[i]))
            return true;
    return workspace->temporary || rp_strings_have(&workspace->written, name);
}

/* ---- space ---- */

static uint64_t space_in(const char *dir) {
    struct statvfs st;
    if (statvfs(dir, &st) != 0 || (st.f_files != 0 && st.f_favail == 0))
        return 0;
    return (uint64_t)st.f_bavail * (st.f_frsize != 0 ? st.f_frsize : st.f_bsize);
}

/* Can a file of some size be written there? This shows quotas and limits, too. */
static bool takes_a_file(const struct rp_workspace *workspace, const char *dir) {
    enum { SOME = 16384 };
    static const char bytes[SOME];
    char *path = rp_path_join(workspace->arena, dir, "relocpack-space-XXXXXX");
    int fd = mkstemp(path);
    int why = fd < 0 || !rp_write_all(fd, bytes, SOME) ? errno : 0;
    if (fd >= 0) {
        why = close(fd) != 0 && why == 0 ? errno : why;
        (void)unlink(path);
    }
    return why != ENOSPC && why != EDQUOT && why != EFBIG;
}

bool rp_workspace_has_space(const struct rp_workspace *workspace, const char *output,
                            struct rp_error *err) {
    static const char *const marks[] = {"No space left on device", "Disk quota exceeded",
                                        "File too large", "File size limit exceeded"};
    const char *dirs[] = {workspace->dir != NULL ? workspace->dir : "/", temporary_dir()};
    const char *why = NULL, *where = NULL;
    for (size_t i = 0; why == NULL && i < sizeof marks / sizeof marks[0]; i++)
        why = strstr(output, marks[i]) != NULL ? marks[i] : NULL;
    for (size_t i = 0; where == NULL && i < 2; i++)
        where = takes_a_file(workspace, dirs[i]) ? NULL : dirs[i];
    if (why == NULL && where == NULL)
        return true;
    if (where == NULL) /* the file that was cut has been removed: blame the fuller folder */
        where = space_in(dirs[1]) < space_in(dirs[0]) ? dirs[1] : dirs[0];
    rp_fail(err, RP_E_NO_SPACE, "no space left in '%s': %s", where,
            why != NULL ? why : "not even a small file can be written there");
    return rp_hint(err, workspace->temporary
                            ? "make room, or set TMPDIR to a folder that has some"
                            : "make room, or give --workspace a folder that has some; temporary "
                              "files of the compiler are in TMPDIR");
}
