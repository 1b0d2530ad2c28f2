/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/output: all files or none, and what was there before stays when one fails. */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "base/path.h"

static void put(struct unit *u, struct rp_outputs *set, const char *name, const char *text) {
    const char *path = rp_outputs_add(set, name);
    ACCEPTED(u, rp_file_write(path, text, strlen(text), &u->err));
}

static size_t entries(struct unit *u, const char *dir) {
    struct rp_strings names = {0};
    ACCEPTED(u, rp_list_dir(&u->arena, dir, &names, &u->err));
    return names.count;
}

static void places_all_files(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    char *dir = unit_path(u, "out/deep");
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, dir, &u->err));
    put(u, &set, "a.bin", "one");
    put(u, &set, "b.bin", "two");
    assert_string_equal(rp_outputs_final(&set, "a.bin"), unit_path(u, "out/deep/a.bin"));
    assert_int_equal(access(rp_outputs_final(&set, "a.bin"), F_OK), -1);
    ACCEPTED(u, rp_outputs_commit(&set, &u->err));
    rp_outputs_abort(&set);
    assert_string_equal(unit_slurp(u, "out/deep/a.bin", NULL), "one");
    assert_string_equal(unit_slurp(u, "out/deep/b.bin", NULL), "two");
    assert_int_equal(entries(u, dir), 2);
}

static void replaces_what_was_there(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    unit_text(u, "a", "old");
    unit_text(u, "other", "kept");
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, u->dir, &u->err));
    put(u, &set, "a", "new");
    ACCEPTED(u, rp_outputs_commit(&set, &u->err));
    assert_string_equal(unit_slurp(u, "a", NULL), "new");
    assert_string_equal(unit_slurp(u, "other", NULL), "kept");
    assert_int_equal(entries(u, u->dir), 2);
}

/* The third file cannot be placed, because a folder has its name: the first two go back. */
static void takes_back_on_failure(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    unit_text(u, "a", "old");
    ACCEPTED(u, rp_make_dirs(unit_path(u, "c"), &u->err));
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, u->dir, &u->err));
    put(u, &set, "a", "new");
    put(u, &set, "b", "new");
    put(u, &set, "c", "new");
    REFUSED(u, rp_outputs_commit(&set, &u->err), RP_E_SYSTEM, "/c': Is a directory");
    rp_outputs_abort(&set);
    assert_string_equal(unit_slurp(u, "a", NULL), "old");
    assert_int_equal(access(unit_path(u, "b"), F_OK), -1);
    assert_true(rp_path_is_dir(unit_path(u, "c")));
    assert_int_equal(entries(u, u->dir), 2);
}

/* A name that was never written: the same. */
static void takes_back_on_missing_file(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, u->dir, &u->err));
    put(u, &set, "a", "new");
    (void)rp_outputs_add(&set, "forgotten");
    REFUSED(u, rp_outputs_commit(&set, &u->err), RP_E_SYSTEM, "forgotten");
    rp_outputs_abort(&set);
    assert_int_equal(entries(u, u->dir), 0);
}

static void removes_what_it_made(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    char *dir = unit_path(u, "out");
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, dir, &u->err));
    put(u, &set, "a", "x");
    rp_outputs_abort(&set);
    assert_int_equal(access(dir, F_OK), -1);
    ACCEPTED(u, rp_make_dirs(dir, &u->err));
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, dir, &u->err));
    rp_outputs_abort(&set);
    rp_outputs_abort(&set);
    assert_int_equal(entries(u, dir), 0); /* it was there before: it stays */
}

/* Links that lead nowhere, or elsewhere, are replaced like any other name. */
static void replaces_links(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    struct stat st;
    unit_text(u, "target", "not touched");
    assert_int_equal(symlink("nowhere", unit_path(u, "dangling")), 0);
    assert_int_equal(symlink("target", unit_path(u, "link")), 0);
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, u->dir, &u->err));
    put(u, &set, "link", "new");
    put(u, &set, "dangling", "new");
    ACCEPTED(u, rp_outputs_commit(&set, &u->err));
    assert_string_equal(unit_slurp(u, "target", NULL), "not touched");
    assert_int_equal(lstat(unit_path(u, "dangling"), &st), 0);
    assert_true(S_ISREG(st.st_mode));
    assert_string_equal(unit_slurp(u, "link", NULL), "new");
}

static void refuses_impossible_folders(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    char *file = unit_text(u, "f", "");
    REFUSED(u, rp_outputs_begin(&set, &u->arena, file, &u->err), RP_E_SYSTEM, "/f");
    REFUSED(u, rp_outputs_begin(&set, &u->arena, "/proc/self/x", &u->err), RP_E_SYSTEM, "/proc");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(places_all_files),           UNIT(replaces_what_was_there),
        UNIT(takes_back_on_failure),      UNIT(takes_back_on_missing_file),
        UNIT(removes_what_it_made),       UNIT(replaces_links),
        UNIT(refuses_impossible_folders),
    };
    return RUN(tests);
}
