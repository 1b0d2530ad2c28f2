/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/output: all files or none; the previous files stay if one fails. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "base/stream.h"
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

/* The third file cannot be placed because a folder has its name: the first two are rolled back. */
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

/* ---- files that a user names ---- */

static bool name(struct unit *u, struct rp_outputs *set, const char *path, const char *text) {
    return rp_outputs_add_named(set, unit_path(u, path), text, strlen(text), &u->err);
}

/* One named file, from begin to commit. */
static void put_named(struct unit *u, const char *path, const char *text) {
    struct rp_outputs set;
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, NULL, &u->err));
    ACCEPTED(u, name(u, &set, path, text));
    ACCEPTED(u, rp_outputs_commit(&set, &u->err));
}

/* Another name of the old file keeps the old bytes: it was replaced, not written into. */
static void replaces_named_files_atomically(void **state) {
    struct unit *u = *state;
    struct stat st;
    char *path = unit_text(u, "a", "old");
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(link(path, unit_path(u, "kept")), 0);
    put_named(u, "a", "new!");
    assert_string_equal(unit_slurp(u, "a", NULL), "new!");
    assert_string_equal(unit_slurp(u, "kept", NULL), "old");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    ACCEPTED(u, rp_make_dirs(unit_path(u, "dir"), &u->err));
    struct rp_outputs set;
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, NULL, &u->err));
    REFUSED(u, name(u, &set, "dir", "n"), RP_E_SYSTEM, "is a folder");
    REFUSED(u, name(u, &set, "no/a", "n"), RP_E_SYSTEM, "no folder");
    rp_outputs_abort(&set);
    assert_int_equal(entries(u, u->dir), 3); /* nothing is left over */
}

static void follows_links_of_named_files(void **state) {
    struct unit *u = *state;
    struct stat st;
    unit_text(u, "real", "old");
    ACCEPTED(u, rp_make_dirs(unit_path(u, "sub"), &u->err));
    assert_int_equal(symlink("real", unit_path(u, "one")), 0);
    assert_int_equal(symlink("../one", unit_path(u, "sub/two")), 0);
    assert_int_equal(symlink("sub/fresh", unit_path(u, "nowhere")), 0);
    assert_int_equal(symlink("loop", unit_path(u, "loop")), 0);
    put_named(u, "sub/two", "new");
    put_named(u, "nowhere", "made");
    assert_string_equal(unit_slurp(u, "real", NULL), "new");
    assert_string_equal(unit_slurp(u, "sub/fresh", NULL), "made");
    static const char *const links[] = {"one", "sub/two", "nowhere"};
    for (size_t i = 0; i < COUNT(links); i++) {
        assert_int_equal(lstat(unit_path(u, links[i]), &st), 0);
        assert_true(S_ISLNK(st.st_mode));
    }
    struct rp_outputs set;
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, NULL, &u->err));
    assert_false(name(u, &set, "loop", "x") && rp_outputs_commit(&set, &u->err));
    REFUSED(u, false, RP_E_SYSTEM, "loop");
    rp_outputs_abort(&set);
    assert_int_equal(entries(u, u->dir), 5); /* no hidden folder */
}

static void writes_to_what_cannot_be_replaced(void **state) {
    struct unit *u = *state;
    struct stat st;
    char got[8] = "";
    const char *fifo = unit_path(u, "fifo");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    int reader = open(fifo, O_RDONLY | O_NONBLOCK);
    put_named(u, "fifo", "text");
    assert_int_equal(read(reader, got, sizeof got), 4);
    assert_string_equal(got, "text");
    close(reader);
    assert_int_equal(lstat(fifo, &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    struct rp_outputs set;
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, NULL, &u->err));
    ACCEPTED(u, rp_outputs_add_named(&set, "/dev/null", "x", 1, &u->err));
    ACCEPTED(u, rp_outputs_add_named(&set, "/dev/null", "y", 1, &u->err));
    ACCEPTED(u, rp_outputs_commit(&set, &u->err));
    assert_int_equal(stat("/dev/null", &st), 0);
    assert_true(S_ISCHR(st.st_mode));
}

/* A stream that accepts nothing: the files of the set are not put in place. */
static void a_stream_belongs_to_the_set(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    unit_text(u, "a", "old");
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, u->dir, &u->err));
    put(u, &set, "a", "new");
    ACCEPTED(u, rp_outputs_add_named(&set, "/dev/full", "x", 1, &u->err));
    REFUSED(u, rp_outputs_commit(&set, &u->err), RP_E_NO_SPACE, "/dev/full");
    rp_outputs_abort(&set);
    assert_string_equal(unit_slurp(u, "a", NULL), "old");
    assert_int_equal(entries(u, u->dir), 1);
}

static void refuses_one_place_twice(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, rp_make_dirs(unit_path(u, "out"), &u->err));
    assert_int_equal(symlink("out", unit_path(u, "same")), 0);
    assert_int_equal(symlink("out/a", unit_path(u, "to_a")), 0);
    assert_int_equal(mkfifo(unit_path(u, "fifo"), 0600), 0);
    static const char *const pairs[][2] = {
        {"out/b", "out/b"}, {"out/b", "same/b"}, {"out/b", "./out/../same/b"},
        {"out/a", NULL},    {"same/a", NULL},    {"to_a", NULL},
        {"fifo", "fifo"}};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        struct rp_outputs set;
        ACCEPTED(u, rp_outputs_begin(&set, &u->arena, unit_path(u, "out"), &u->err));
        put(u, &set, "a", "new");
        ACCEPTED(u, name(u, &set, pairs[i][0], "x"));
        if (pairs[i][1] != NULL)
            ACCEPTED(u, name(u, &set, pairs[i][1], "y"));
        REFUSED(u, rp_outputs_commit(&set, &u->err), RP_E_USAGE, "two outputs");
        rp_outputs_abort(&set);
        assert_int_equal(entries(u, unit_path(u, "out")), 0);
    }
}

static void spares_inputs(void **state) {
    struct unit *u = *state;
    unit_text(u, "input", "precious");
    ACCEPTED(u, rp_make_dirs(unit_path(u, "out"), &u->err));
    assert_int_equal(link(unit_path(u, "input"), unit_path(u, "out/hard")), 0);
    assert_int_equal(symlink("input", unit_path(u, "soft")), 0);
    assert_int_equal(symlink("../input", unit_path(u, "out/soft")), 0);
    const char *files[] = {unit_path(u, "gone"), unit_path(u, "soft")};
    const struct rp_strings inputs = {files, 2, 2};
    static const char *const named[] = {"input", "soft", "out/../input", "out/hard", "out/soft"};
    for (size_t i = 0; i < COUNT(named); i++) {
        struct rp_outputs set;
        ACCEPTED(u, rp_outputs_begin(&set, &u->arena, NULL, &u->err));
        ACCEPTED(u, name(u, &set, named[i], "x"));
        REFUSED(u, rp_outputs_spare(&set, &inputs, "an input", &u->err), RP_E_USAGE,
                "is an input and would be replaced");
        rp_outputs_abort(&set);
    }
    static const char *const plain[] = {"hard", "soft"};
    for (size_t i = 0; i < COUNT(plain); i++) {
        struct rp_outputs set;
        ACCEPTED(u, rp_outputs_begin(&set, &u->arena, unit_path(u, "out"), &u->err));
        put(u, &set, plain[i], "x");
        /* in the output folder the link itself is replaced: the input stays */
        if (i == 0)
            REFUSED(u, rp_outputs_spare(&set, &inputs, "an input", &u->err), RP_E_USAGE, "hard");
        else
            ACCEPTED(u, rp_outputs_spare(&set, &inputs, "an input", &u->err));
        rp_outputs_abort(&set);
    }
    assert_string_equal(unit_slurp(u, "input", NULL), "precious");
}

/* In the output folder as well, only regular files and links are replaced. */
static void leaves_what_is_no_file(void **state) {
    struct unit *u = *state;
    struct rp_outputs set;
    struct stat st;
    assert_int_equal(mkfifo(unit_path(u, "b"), 0600), 0);
    ACCEPTED(u, rp_outputs_begin(&set, &u->arena, u->dir, &u->err));
    put(u, &set, "a", "new");
    put(u, &set, "b", "new");
    REFUSED(u, rp_outputs_commit(&set, &u->err), RP_E_USAGE, "/b' is not a regular file");
    rp_outputs_abort(&set);
    assert_int_equal(lstat(unit_path(u, "b"), &st), 0);
    assert_true(S_ISFIFO(st.st_mode));
    assert_int_equal(entries(u, u->dir), 1);
}

static void knows_the_standard_output(void **state) {
    struct unit *u = *state;
    assert_true(rp_stream_is_stdout("-"));
    assert_false(rp_stream_is_stdout(NULL));
    assert_false(rp_stream_is_stdout("/dev/null"));
    assert_false(rp_stream_is_stdout(unit_text(u, "f", "")));
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
        UNIT(places_all_files),
        UNIT(replaces_what_was_there),
        UNIT(takes_back_on_failure),
        UNIT(takes_back_on_missing_file),
        UNIT(removes_what_it_made),
        UNIT(replaces_links),
        UNIT(replaces_named_files_atomically),
        UNIT(follows_links_of_named_files),
        UNIT(writes_to_what_cannot_be_replaced),
        UNIT(a_stream_belongs_to_the_set),
        UNIT(refuses_one_place_twice),
        UNIT(spares_inputs),
        UNIT(leaves_what_is_no_file),
        UNIT(knows_the_standard_output),
        UNIT(refuses_impossible_folders),
    };
    return RUN(tests);
}
