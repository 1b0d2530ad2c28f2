/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/file: limits, kinds of files, atomic replacement, trees, full disks. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <signal.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"

static void reads_whole_files(void **state) {
    struct unit *u = *state;
    struct rp_bytes bytes;
    char *path = unit_write(u, "a", "x\0y", 3);
    ACCEPTED(u, rp_file_read(&u->arena, path, 3, &bytes, &u->err));
    assert_int_equal(bytes.size, 3);
    assert_memory_equal(bytes.data, "x\0y", 4); /* with the 0 behind it */
    path = unit_write(u, "empty", "", 0);
    ACCEPTED(u, rp_file_read(&u->arena, path, 0, &bytes, &u->err));
    assert_int_equal(bytes.size, 0);
    assert_int_equal(bytes.data[0], 0);
}

static void refuses_what_is_no_file(void **state) {
    struct unit *u = *state;
    struct rp_bytes bytes;
    uint64_t size;
    char *path = unit_write(u, "a", "1234", 4);
    REFUSED(u, rp_file_read(&u->arena, path, 3, &bytes, &u->err), RP_E_INPUT, "has 4 bytes");
    char *none = unit_path(u, "none");
    REFUSED(u, rp_file_read(&u->arena, none, 9, &bytes, &u->err), RP_E_INPUT, "No such file");
    REFUSED(u, rp_file_head(&u->arena, none, 9, &bytes, &u->err), RP_E_INPUT, "No such file");
    REFUSED(u, rp_file_size(none, &size, &u->err), RP_E_INPUT, "No such file");
    REFUSED(u, rp_file_read(&u->arena, u->dir, 9, &bytes, &u->err), RP_E_INPUT, "regular");
    REFUSED(u, rp_file_head(&u->arena, u->dir, 9, &bytes, &u->err), RP_E_INPUT, "regular");
    REFUSED(u, rp_file_size(u->dir, &size, &u->err), RP_E_INPUT, "regular");
    REFUSED(u, rp_file_read(&u->arena, "/dev/zero", 9, &bytes, &u->err), RP_E_INPUT, "regular");
}

static void reads_heads(void **state) {
    struct unit *u = *state;
    struct rp_bytes bytes;
    char *path = unit_text(u, "a", "0123456789");
    ACCEPTED(u, rp_file_head(&u->arena, path, 4, &bytes, &u->err));
    assert_int_equal(bytes.size, 4);
    assert_string_equal((const char *)bytes.data, "0123");
    ACCEPTED(u, rp_file_head(&u->arena, path, 100, &bytes, &u->err));
    assert_int_equal(bytes.size, 10);
}

/* Another name of the file keeps what it had. */
static void edits(void **state) {
    struct unit *u = *state;
    struct rp_edits edits = {0};
    char *path = unit_text(u, "a", "0123456789"), *other = unit_path(u, "b");
    ACCEPTED(u, rp_file_edit(&u->arena, unit_path(u, "none"), &edits, &u->err));
    *RP_PUSH(&u->arena, &edits) = (struct rp_edit){9, 'y'};
    *RP_PUSH(&u->arena, &edits) = (struct rp_edit){0, 'x'};
    ACCEPTED(u, rp_file_edit(&u->arena, path, &edits, &u->err));
    assert_string_equal(unit_slurp(u, "a", NULL), "x12345678y");
    assert_int_equal(link(path, other), 0);
    edits.items[0].byte = 'z';
    ACCEPTED(u, rp_file_edit(&u->arena, path, &edits, &u->err));
    assert_string_equal(unit_slurp(u, "a", NULL), "x12345678z");
    assert_string_equal(unit_slurp(u, "b", NULL), "x12345678y");
    REFUSED(u, rp_file_edit(&u->arena, unit_path(u, "none"), &edits, &u->err), RP_E_SYSTEM, "none");
}

static void writes_and_truncates(void **state) {
    struct unit *u = *state;
    uint64_t size;
    char *path = unit_text(u, "a", "a longer text");
    ACCEPTED(u, rp_file_write(path, "ab", 2, &u->err));
    assert_string_equal(unit_slurp(u, "a", NULL), "ab");
    ACCEPTED(u, rp_file_size(path, &size, &u->err));
    assert_int_equal(size, 2);
    ACCEPTED(u, rp_file_write(path, NULL, 0, &u->err));
    ACCEPTED(u, rp_file_size(path, &size, &u->err));
    assert_int_equal(size, 0);
    REFUSED(u, rp_file_write(unit_path(u, "no/such"), "a", 1, &u->err), RP_E_SYSTEM,
            "cannot create");
}

static void reports_full_disks(void **state) {
    struct unit *u = *state;
    REFUSED(u, rp_file_write("/dev/full", "ab", 2, &u->err), RP_E_NO_SPACE, "/dev/full");
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit old, small = {1000, 1000};
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    static const char many[5000];
    bool ok = rp_file_write(unit_path(u, "big"), many, sizeof many, &u->err);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    signal(SIGXFSZ, SIG_DFL);
    REFUSED(u, ok, RP_E_NO_SPACE, "big");
}

static void appends(void **state) {
    struct unit *u = *state;
    char *path = unit_path(u, "log");
    ACCEPTED(u, rp_file_append(path, "one\n", 4, &u->err));
    ACCEPTED(u, rp_file_append(path, "two\n", 4, &u->err));
    assert_string_equal(unit_slurp(u, "log", NULL), "one\ntwo\n");
    ACCEPTED(u, rp_file_append("/dev/null", "x", 1, &u->err));
    REFUSED(u, rp_file_append("/dev/full", "x", 1, &u->err), RP_E_NO_SPACE, "/dev/full");
    REFUSED(u, rp_file_append(unit_path(u, "no/log"), "x", 1, &u->err), RP_E_SYSTEM, "no/log");
}

/* A FIFO is opened only once: its reader takes a close for the end. */
static void appends_to_a_fifo(void **state) {
    struct unit *u = *state;
    char *path = unit_path(u, "fifo"), got[16] = "";
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    ACCEPTED(u, rp_file_append(path, "one\n", 4, &u->err));
    assert_int_equal(read(reader, got, 4), 4);
    assert_int_equal(read(reader, got, 4), -1); /* and not 0, which is the end */
    ACCEPTED(u, rp_file_append(path, "two\n", 4, &u->err));
    assert_int_equal(read(reader, got, sizeof got), 4);
    close(reader);
    REFUSED(u, rp_file_append(path, "x", 1, &u->err), RP_E_SYSTEM, "Broken pipe");
    REFUSED(u, rp_file_append(path, "x", 1, &u->err), RP_E_SYSTEM, "Broken pipe");
}

/* Every file that was read, once; no others, and none after the journal has ended. */
static void keeps_a_journal(void **state) {
    struct unit *u = *state;
    struct rp_strings list = {0};
    struct rp_bytes bytes;
    char *a = unit_text(u, "a", "1"), *b = unit_text(u, "b", "2"), *c = unit_text(u, "c", "3");
    rp_file_journal(&u->arena, &list);
    for (int i = 0; i < 2; i++) {
        ACCEPTED(u, rp_file_read(&u->arena, a, 9, &bytes, &u->err));
        ACCEPTED(u, rp_file_head(&u->arena, b, 1, &bytes, &u->err));
    }
    ACCEPTED(u, rp_file_look(&u->arena, c, 9, &bytes, &u->err));
    REFUSED(u, rp_file_look(&u->arena, unit_path(u, "d"), 9, &bytes, &u->err), RP_E_INPUT, "/d'");
    rp_file_journal(NULL, NULL);
    ACCEPTED(u, rp_file_read(&u->arena, c, 9, &bytes, &u->err));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.items[0], a);
    assert_string_equal(list.items[1], b);
}

static void makes_folders(void **state) {
    struct unit *u = *state;
    char *deep = unit_path(u, "a/b//c/d/");
    ACCEPTED(u, rp_make_dirs(deep, &u->err));
    assert_true(rp_path_is_dir(unit_path(u, "a/b/c/d")));
    ACCEPTED(u, rp_make_dirs(deep, &u->err));
    ACCEPTED(u, rp_make_dirs("/", &u->err));
    unit_text(u, "file", "");
    REFUSED(u, rp_make_dirs(unit_path(u, "file"), &u->err), RP_E_SYSTEM, "file");
    REFUSED(u, rp_make_dirs(unit_path(u, "file/x"), &u->err), RP_E_SYSTEM, "file");
    REFUSED(u, rp_make_dirs("", &u->err), RP_E_SYSTEM, "cannot create folder");
}

static void removes_trees_but_not_through_links(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, rp_make_dirs(unit_path(u, "tree/sub"), &u->err));
    ACCEPTED(u, rp_make_dirs(unit_path(u, "other"), &u->err));
    unit_text(u, "tree/sub/x", "");
    unit_text(u, "other/kept", "");
    assert_int_equal(symlink(unit_path(u, "other"), unit_path(u, "tree/link")), 0);
    rp_remove_tree(unit_path(u, "tree"));
    assert_int_equal(access(unit_path(u, "tree"), F_OK), -1);
    assert_true(rp_path_is_file(unit_path(u, "other/kept")));
    rp_remove_tree(unit_path(u, "tree")); /* not there: no matter */
}

static void lists_sorted(void **state) {
    struct unit *u = *state;
    struct rp_strings names = {0};
    static const char *const made[] = {"b", "B", "a10", "a9", ".hidden", "\xC3\xA4"};
    static const char *const want[] = {".hidden", "B", "a10", "a9", "b", "\xC3\xA4"};
    for (size_t i = 0; i < COUNT(made); i++)
        unit_text(u, made[i], "");
    ACCEPTED(u, rp_list_dir(&u->arena, u->dir, &names, &u->err));
    assert_int_equal(names.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++)
        assert_string_equal(names.items[i], want[i]);
    REFUSED(u, rp_list_dir(&u->arena, unit_path(u, "no"), &names, &u->err), RP_E_INPUT, "no");
}

/* --source and --host-source: a file, or the C files of a folder and of those below. */
static void lists_sources(void **state) {
    struct unit *u = *state;
    struct rp_strings found = {0};
    rp_make_dirs(unit_path(u, "s/below"), &u->err);
    rp_make_dirs(unit_path(u, "s/none"), &u->err);
    unit_text(u, "s/b.c", "");
    unit_text(u, "s/b.h", "");
    unit_text(u, "s/below/a.c", "");
    ACCEPTED(u, rp_list_sources(&u->arena, "--x", unit_path(u, "s"), &found, &u->err));
    ACCEPTED(u, rp_list_sources(&u->arena, "--x", unit_path(u, "s/b.h"), &found, &u->err));
    assert_int_equal(found.count, 3);
    assert_true(rp_has_suffix(found.items[0], "/s/b.c"));
    assert_true(rp_has_suffix(found.items[1], "/s/below/a.c"));
    assert_true(rp_has_suffix(found.items[2], "/s/b.h"));
    REFUSED(u, rp_list_sources(&u->arena, "--x", unit_path(u, "s/none"), &found, &u->err),
            RP_E_INPUT, "no C file");
    REFUSED(u, rp_list_sources(&u->arena, "--x", unit_path(u, "s/no"), &found, &u->err), RP_E_INPUT,
            "--x");
    assert_int_equal(symlink(unit_path(u, "s"), unit_path(u, "s/below/up")), 0);
    REFUSED(u, rp_list_sources(&u->arena, "--x", unit_path(u, "s"), &found, &u->err), RP_E_INPUT,
            "link to a folder");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_whole_files),
        UNIT(refuses_what_is_no_file),
        UNIT(reads_heads),
        UNIT(edits),
        UNIT(writes_and_truncates),
        UNIT(reports_full_disks),
        UNIT(appends),
        UNIT(appends_to_a_fifo),
        UNIT(keeps_a_journal),
        UNIT(makes_folders),
        UNIT(removes_trees_but_not_through_links),
        UNIT(lists_sorted),
        UNIT(lists_sources),
    };
    return RUN(tests);
}
