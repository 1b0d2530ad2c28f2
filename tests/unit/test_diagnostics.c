/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of compilers' lines; the option found in a table and on a command line. */
#include "cli/report/ci/diagnostics.h"
#include "tests/unit/unit.h"

static bool read_line(struct rp_arena *arena, const char *text, struct rp_diagnostic *out) {
    return rp_compiler_line(arena, text, strlen(text), out);
}

static void lines_of_compilers(void **state) {
    static const struct {
        const char *text, *severity, *file;
        unsigned line;
        const char *message;
    } cases[] = {
        {"model.c:3:12: error: 'x' undeclared", "error", "model.c", 3, "'x' undeclared"},
        {"  /a b/model.c:3:12: fatal error: x.h: No such file", "error", "/a b/model.c", 3,
         "x.h: No such file"},
        {"c:d.c:7:1: warning: unused", "warning", "c:d.c", 7, "unused"},
        {"a.s:4: Error: bad instruction `foo'", "error", "a.s", 4, "bad instruction `foo'"},
        {"a.s:4: Warning: odd", "warning", "a.s", 4, "odd"},
        {"m.c:1:2: note: declared: error: here", "note", "m.c", 1, "declared: error: here"},
    };
    struct rp_arena arena = {0};
    struct rp_diagnostic got;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(read_line(&arena, cases[i].text, &got));
        assert_string_equal(got.severity, cases[i].severity);
        assert_string_equal(got.file, cases[i].file);
        assert_int_equal(got.line, cases[i].line);
        assert_string_equal(got.message, cases[i].message);
    }
    rp_arena_release(&arena);
}

static void other_lines(void **state) {
    static const char *const cases[] = {"",
                                        ":",
                                        ": error: x",
                                        ":1: error: x",
                                        "model.c: In function 'f':",
                                        "ld: cannot find -lx",
                                        "make: *** [build.mk:3: obj/001.o] Error 1",
                                        "model.c:3:12: remark: x"};
    struct rp_arena arena = {0};
    struct rp_diagnostic got;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_false(read_line(&arena, cases[i], &got));
    assert_false(rp_compiler_line(&arena, "m.c:1:2: error: x", 8, &got)); /* cut off */
    rp_arena_release(&arena);
}

struct options {
    int first;
    struct rp_diagnosed diagnosed;
};

static const struct rp_option rows[] = {RP_DIAGNOSTICS_ROWS(offsetof(struct options, diagnosed)),
                                        {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL}};
static const struct rp_option no_rows[] = {{0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL}};

/* It is found after an error as well, which is written there. */
static void the_option(void **state) {
    const struct rp_command with = {.name = "with", .options = rows};
    const struct rp_command without = {.name = "without", .options = no_rows};
    char dd[] = "--", name[] = "--diagnostics", joined[] = "--diagnostics=b", file[] = "a";
    char wrong[] = "--wrong";
    char *words[] = {wrong, name, file, joined};
    char *ended[] = {wrong, dd, joined};
    const struct {
        int argc;
        char **argv;
        const char *want;
    } lines[] = {{3, words, "a"},
                 {4, words, "b"},
                 {2, words, NULL}, /* without a value */
                 {3, ended, NULL}};
    (void)state;
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct rp_arena arena = {0};
        struct rp_error err = {0};
        struct options options = {0};
        struct rp_command_line line = {
            .argc = lines[i].argc, .argv = lines[i].argv, .options = &options};
        assert_ptr_equal(rp_diagnosed_of(&with, &options), &options.diagnosed);
        assert_null(rp_diagnosed_of(&without, &options));
        assert_false(rp_options_parse(&with, &arena, &line, &err));
        CONTAINS(err.message, "--wrong is not known");
        assert_int_equal(options.diagnosed.path != NULL, lines[i].want != NULL);
        if (lines[i].want != NULL)
            assert_string_equal(options.diagnosed.path, lines[i].want);
        rp_arena_release(&arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_compilers),
        cmocka_unit_test(other_lines),
        cmocka_unit_test(the_option),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
