/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/path: taking names apart, joining them, C identifiers, programs. */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"

static void joins(void **state) {
    struct unit *u = *state;
    static const char *const cases[][3] = {
        {"a", "b", "a/b"},         {"a/", "b", "a/b"},  {"", "b", "b"},
        {".", "b", "b"},           {"/", "b", "/b"},    {"a", "/b", "/b"},
        {"a b", "c d", "a b/c d"}, {"..", "b", "../b"}, {"a", "", "a/"},
        {".", "", "./"},           {"", "", ""}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(rp_path_join(&u->arena, cases[i][0], cases[i][1]), cases[i][2]);
}

static void takes_apart(void **state) {
    struct unit *u = *state;
    /* path, folder, last component, stem */
    static const char *const cases[][4] = {{"a.c", ".", "a.c", "a"},
                                           {"/a.c", "/", "a.c", "/a"},
                                           {"x/y.tar.gz", "x", "y.tar.gz", "x/y.tar"},
                                           {"x.d/y", "x.d", "y", "x.d/y"},
                                           {"x/.hidden", "x", ".hidden", "x/.hidden"},
                                           {"x/", "x", "", "x/"},
                                           {"", ".", "", ""},
                                           {"a b/c.d.c", "a b", "c.d.c", "a b/c.d"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_string_equal(rp_path_dir(&u->arena, cases[i][0]), cases[i][1]);
        assert_string_equal(rp_path_base(cases[i][0]), cases[i][2]);
        assert_string_equal(rp_path_stem(&u->arena, cases[i][0]), cases[i][3]);
    }
}

static void tells_ends(void **state) {
    (void)state;
    assert_true(rp_has_suffix("a.json", ".json"));
    assert_true(rp_has_suffix(".json", ".json"));
    assert_false(rp_has_suffix("json", ".json"));
    assert_string_equal(rp_path_member("d (1)/l.a(b.o)"), "(b.o)");
    assert_string_equal(rp_path_member("l.a(conv (1).o)"), "(conv (1).o)");
    assert_null(rp_path_member("d (1)/m.o"));
    assert_null(rp_path_member("m).o)"));
    assert_null(rp_path_member(""));
    assert_true(rp_has_suffix("a", ""));
    assert_true(rp_has_prefix("stm32h7", "stm32"));
    assert_false(rp_has_prefix("stm3", "stm32"));
    assert_true(rp_has_prefix("", ""));
}

static void makes_absolute(void **state) {
    struct unit *u = *state;
    char cwd[4096];
    assert_non_null(getcwd(cwd, sizeof cwd));
    assert_string_equal(rp_path_absolute(&u->arena, "/a/b", &u->err), "/a/b");
    char *got = rp_path_absolute(&u->arena, "a/b", &u->err);
    assert_true(rp_has_prefix(got, cwd));
    assert_string_equal(got + strlen(cwd), "/a/b");
    got = rp_path_absolute(&u->arena, ".", &u->err);
    assert_true(rp_path_same(got, cwd));
}

static void knows_kinds(void **state) {
    struct unit *u = *state;
    char *file = unit_text(u, "f", "");
    assert_int_equal(symlink("f", unit_path(u, "link")), 0);
    assert_int_equal(symlink("nowhere", unit_path(u, "dangling")), 0);
    assert_true(rp_path_is_file(file) && !rp_path_is_dir(file));
    assert_true(rp_path_is_dir(u->dir) && !rp_path_is_file(u->dir));
    assert_true(rp_path_is_file(unit_path(u, "link")));
    assert_false(rp_path_is_file(unit_path(u, "dangling")));
    assert_true(rp_path_same(file, unit_path(u, "link")));
    assert_false(rp_path_same(file, u->dir));
    assert_false(rp_path_same(unit_path(u, "no"), unit_path(u, "no")));
}

/* The result is always an identifier, and identifiers stay as they are. */
static void makes_identifiers(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {{"net_1", "net_1"}, {"my-net.v2", "my_net_v2"},
                                           {"1st", "_1st"},    {"", "_"},
                                           {"int", "_int"},    {"a b", "a_b"},
                                           {"\xC3\xA4", "__"}, {"while", "_while"},
                                           {"_", "_"},         {"main", "_main"},
                                           {"INT", "INT"},     {"$x", "_x"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(rp_c_identifier(&u->arena, cases[i][0]), cases[i][1]);
    for (int byte = 1; byte < 256; byte++) {
        const char text[] = {(char)byte, 'x', 0};
        const char *name = rp_c_identifier(&u->arena, text);
        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_"),
                         strlen(name));
        assert_false(name[0] >= '0' && name[0] <= '9');
    }
}

static void raises_case(void **state) {
    struct unit *u = *state;
    assert_string_equal(rp_upper(&u->arena, "net_1a\xC3\xA4"), "NET_1A\xC3\xA4");
}

static void finds_programs(void **state) {
    struct unit *u = *state;
    char *old = rp_strdup(&u->arena, getenv("PATH"));
    char *tool = unit_text(u, "tool", "#!/bin/sh\n");
    assert_int_equal(mkdir(unit_path(u, "d"), 0777), 0);
    assert_int_equal(mkdir(unit_path(u, "d/tool"), 0777), 0); /* a folder is no program */
    char *path = rp_format(&u->arena, "/nowhere:%s/d:%s", u->dir, u->dir);
    assert_int_equal(setenv("PATH", path, 1), 0);
    assert_null(rp_find_program(&u->arena, "tool")); /* not executable yet */
    assert_int_equal(chmod(tool, 0755), 0);
    assert_string_equal(rp_find_program(&u->arena, "tool"), tool);
    assert_null(rp_find_program(&u->arena, "other"));
    assert_string_equal(rp_find_program(&u->arena, tool), tool);
    assert_null(rp_find_program(&u->arena, unit_path(u, "other")));
    assert_int_equal(setenv("PATH", "", 1), 0);
    assert_null(rp_find_program(&u->arena, "tool"));
    assert_int_equal(setenv("PATH", old, 1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(joins),       UNIT(takes_apart),       UNIT(tells_ends),  UNIT(makes_absolute),
        UNIT(knows_kinds), UNIT(makes_identifiers), UNIT(raises_case), UNIT(finds_programs),
    };
    return RUN(tests);
}
