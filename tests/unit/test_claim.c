/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of base/claim: a folder is removed by its owner, or by others once the owner has died.
 */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/claim.h"
#include "base/file.h"
#include "base/path.h"

static struct rp_claim make(struct unit *u) {
    struct rp_claim claim;
    ACCEPTED(u, rp_claim_make(&claim, &u->arena, u->dir, "rp-", &u->err));
    assert_true(rp_path_is_dir(claim.path));
    return claim;
}

static void fill(struct unit *u, const char *dir) {
    struct stat st;
    const char *file = rp_path_join(&u->arena, dir, "deep/er/file");
    ACCEPTED(u, rp_make_dirs(rp_path_dir(&u->arena, file), &u->err));
    ACCEPTED(u, rp_file_write(file, "x", 1, &u->err));
    unit_text(u, "precious", "kept");
    if (lstat(rp_path_join(&u->arena, dir, "link"), &st) != 0) {
        assert_int_equal(symlink(unit_path(u, "precious"), rp_path_join(&u->arena, dir, "link")),
                         0);
        assert_int_equal(symlink(u->dir, rp_path_join(&u->arena, dir, "deep/up")), 0);
    }
}

static void is_removed_by_its_owner(void **state) {
    struct unit *u = *state;
    struct rp_claim claim = make(u);
    const char *path = claim.path;
    fill(u, path);
    rp_claim_remove(&claim);
    assert_false(rp_path_is_dir(path));
    assert_null(claim.path);
    rp_claim_remove(&claim); /* nothing left to do */
    assert_string_equal(unit_slurp(u, "precious", NULL), "kept");
}

static void is_left_alone_while_it_is_held(void **state) {
    struct unit *u = *state;
    struct rp_claim first = make(u), second = make(u);
    assert_true(rp_path_is_dir(first.path));
    rp_claim_keep(&second);
    struct rp_claim third = make(u); /* nobody may remove a kept one */
    struct rp_strings names = {0};
    ACCEPTED(u, rp_list_dir(&u->arena, u->dir, &names, &u->err));
    assert_int_equal(names.count, 3);
    rp_claim_remove(&first);
    rp_claim_remove(&third);
}

/* Like a kill: the lock is gone with the process, the folder is not. */
static const char *abandoned(struct unit *u) {
    struct rp_claim claim = make(u);
    fill(u, claim.path);
    close(claim.lock);
    return claim.path;
}

static void is_removed_when_nobody_holds_it(void **state) {
    struct unit *u = *state;
    const char *dead = abandoned(u);
    struct rp_claim next = make(u);
    assert_false(rp_path_is_dir(dead));
    assert_string_equal(unit_slurp(u, "precious", NULL), "kept");
    rp_claim_remove(&next);
}

/* A started program that lives on also holds it. */
static void is_held_by_what_was_started(void **state) {
    struct unit *u = *state;
    struct rp_claim claim = make(u);
    const char *path = claim.path;
    pid_t child = fork();
    if (child == 0) {
        execlp("sleep", "sleep", "100", (char *)NULL);
        _exit(1);
    }
    close(claim.lock);
    struct rp_claim next = make(u);
    assert_true(rp_path_is_dir(path));
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    struct rp_claim last = make(u);
    assert_false(rp_path_is_dir(path));
    rp_claim_remove(&next);
    rp_claim_remove(&last);
}

/* Folders that only look like it: each lacks one thing. */
static void leaves_what_is_not_surely_ours(void **state) {
    struct unit *u = *state;
    const char *open_to_all = abandoned(u);
    assert_int_equal(chmod(open_to_all, 0755), 0);
    const char *no_lock = rp_format(&u->arena, "%s/rp-abcdef", u->dir);
    assert_int_equal(mkdir(no_lock, 0700), 0);
    const char *lock_is_link = rp_format(&u->arena, "%s/rp-ABCDEF", u->dir);
    assert_int_equal(mkdir(lock_is_link, 0700), 0);
    unit_text(u, "lock", "");
    assert_int_equal(symlink("../lock", rp_path_join(&u->arena, lock_is_link, ".relocpack-lock")),
                     0);
    const char *long_name = rp_format(&u->arena, "%s/rp-1234567", u->dir);
    struct rp_claim claim = make(u);
    assert_int_equal(rename(claim.path, long_name), 0);
    close(claim.lock);
    const char *elsewhere = rp_format(&u->arena, "%s/elsewhere", u->dir);
    claim = make(u);
    assert_int_equal(rename(claim.path, elsewhere), 0);
    close(claim.lock);
    const char *link = rp_format(&u->arena, "%s/rp-aaaaaa", u->dir);
    assert_int_equal(symlink("elsewhere", link), 0);
    struct rp_claim next = make(u);
    assert_true(rp_path_is_dir(open_to_all));
    assert_true(rp_path_is_dir(no_lock));
    assert_true(rp_path_is_dir(lock_is_link));
    assert_true(rp_path_is_dir(long_name));
    assert_true(rp_path_is_dir(elsewhere));
    assert_true(rp_path_is_link(link));
    rp_claim_remove(&next);
}

static void names_the_folder_that_takes_none(void **state) {
    struct unit *u = *state;
    struct rp_claim claim;
    REFUSED(u, rp_claim_make(&claim, &u->arena, unit_path(u, "no"), "rp-", &u->err), RP_E_SYSTEM,
            "/no'");
    assert_null(claim.path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(is_removed_by_its_owner),         UNIT(is_left_alone_while_it_is_held),
        UNIT(is_removed_when_nobody_holds_it), UNIT(is_held_by_what_was_started),
        UNIT(leaves_what_is_not_surely_ours),  UNIT(names_the_folder_that_takes_none),
    };
    return RUN(tests);
}
