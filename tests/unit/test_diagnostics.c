/* SPDX-License-Identifier: Apache-2.0 */
/* Parsing of compilers' lines; the option found in a table and on a command line. */
#include "cli/report/ci/forms.h"
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
    struct rp_diagnosed said;
};

static const struct rp_option rows[] = {RP_DIAGNOSTICS_ROWS(offsetof(struct options, said)),
                                        {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL}};
static const struct rp_option no_rows[] = {{0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL}};

static void the_option(void **state) {
    const struct rp_command with = {.options = rows}, without = {.options = no_rows};
    struct options options = {0};
    char dd[] = "--", name[] = "--diagnostics", joined[] = "--diagnostics=b", file[] = "a";
    char *words[] = {file, name, file, joined};
    char *ended[] = {dd, joined};
    (void)state;
    assert_ptr_equal(rp_diagnosed_of(&with, &options), &options.said);
    assert_null(rp_diagnosed_of(&without, &options));
    const struct {
        const struct rp_command *command;
        int argc;
        char **argv;
        const char *want;
    } lines[] = {{&with, 3, words, "a"},
                 {&with, 4, words, "b"},
                 {&with, 2, words, NULL}, /* without a value */
                 {&with, 2, ended, NULL},
                 {&without, 4, words, NULL}};
    for (size_t i = 0; i < COUNT(lines); i++) {
        struct rp_diagnosed said = {0};
        const struct rp_command_line line = {.argc = lines[i].argc, .argv = lines[i].argv};
        rp_forms_wanted(&said, lines[i].command, &line);
        assert_int_equal(said.path != NULL, lines[i].want != NULL);
        if (said.path != NULL)
            assert_string_equal(said.path, lines[i].want);
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
