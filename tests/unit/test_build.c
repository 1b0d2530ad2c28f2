/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/compile/build.h, make.h, quote.h and messages.h: quoting, read back by
 * parsers of our own (gcc's @file rules from its manual, POSIX sh from its standard), diagnostics,
 * and make runs with stand-in tools.
 */
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/compile/build.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/quote.h"
#include "toolchain/compile/messages.h"

/* ---- quoting ---- */

/*
 * "@file": options are separated by whitespace; whitespace may be included by surrounding the
 * option in single or double quotes; any character, a backslash too, by prefixing a backslash.
 */
static size_t read_rsp(struct unit *u, const char *text, char **words, size_t max) {
    size_t count = 0;
    for (;;) {
        while (*text != '\0' && strchr(" \t\n\r\f\v", *text) != NULL)
            text++;
        if (*text == '\0')
            return count;
        assert_true(count < max);
        char *at = words[count++] = rp_alloc(&u->arena, strlen(text) + 1, 1);
        char quote = '\0';
        for (; *text != '\0'; text++) {
            if (*text == '\\' && text[1] != '\0')
                *at++ = *++text;
            else if (quote != '\0' && *text == quote)
                quote = '\0';
            else if (quote == '\0' && (*text == '"' || *text == '\''))
                quote = *text;
            else if (quote == '\0' && strchr(" \t\n\r\f\v", *text) != NULL)
                break;
            else
                *at++ = *text;
        }
        assert_int_equal(quote, '\0');
    }
}

static const char *const nasty[] = {"",
                                    "plain",
                                    "a b",
                                    "a\tb",
                                    "\"",
                                    "'",
                                    "\\",
                                    "\\\\n",
                                    "-DX=\"a b\"",
                                    "it's",
                                    "$HOME",
                                    "`id`",
                                    "a;b|c&",
                                    "#x",
                                    "*?[a]",
                                    "{a,b}",
                                    "~",
                                    "!x",
                                    "a\nb",
                                    " ",
                                    "\"\"",
                                    "''",
                                    "\xC3\xA4/\xE2\x82\xAC",
                                    "-I/a b/c",
                                    "(x)",
                                    "<in>",
                                    "a\\",
                                    "%s%n",
                                    "--",
                                    "@x"};

static void quotes_for_response_files(void **state) {
    struct unit *u = *state;
    char *text = rp_strdup(&u->arena, "");
    for (size_t i = 0; i < COUNT(nasty); i++) {
        char *quoted = rp_rsp_quote(&u->arena, nasty[i]), *words[2];
        assert_int_equal(read_rsp(u, quoted, words, 2), 1);
        assert_string_equal(words[0], nasty[i]);
        text = rp_format(&u->arena, "%s%s\n", text, quoted);
    }
    char *words[COUNT(nasty)];
    assert_int_equal(read_rsp(u, text, words, COUNT(nasty)), COUNT(nasty));
    for (size_t i = 0; i < COUNT(nasty); i++)
        assert_string_equal(words[i], nasty[i]);
}

static void quotes_every_byte(void **state) {
    struct unit *u = *state;
    for (int byte = 1; byte < 256; byte++) {
        const char text[] = {'a', (char)byte, 'b', (char)byte, 0};
        char *quoted = rp_rsp_quote(&u->arena, text), *words[2];
        assert_int_equal(read_rsp(u, quoted, words, 2), 1);
        assert_string_equal(words[0], text);
    }
}

/* The shell itself reads the words back. */
static void quotes_for_the_shell(void **state) {
    struct unit *u = *state;
    assert_string_equal(rp_shell_quote(&u->arena, "-I/a_b-c.d,e:f@g%h+i=1"),
                        "-I/a_b-c.d,e:f@g%h+i=1");
    assert_string_equal(rp_shell_quote(&u->arena, ""), "''");
    assert_string_equal(rp_shell_quote(&u->arena, "it's"), "'it'\\''s'");
    char *command = rp_format(&u->arena, "printf '%%s\\036' ");
    for (size_t i = 0; i < COUNT(nasty); i++)
        command = rp_format(&u->arena, "%s %s", command, rp_shell_quote(&u->arena, nasty[i]));
    FILE *pipe = popen(command, "re");
    assert_non_null(pipe);
    char *got = rp_alloc(&u->arena, 4096, 1);
    (void)fread(got, 1, 4095, pipe);
    assert_int_equal(pclose(pipe), 0);
    for (size_t i = 0; i < COUNT(nasty); i++) {
        size_t len = strcspn(got, "\036");
        assert_int_equal(len, strlen(nasty[i]));
        assert_memory_equal(got, nasty[i], len);
        got += len + 1;
    }
}

/* ---- diagnostics ---- */

static size_t count_of(const char *text, const char *part) {
    size_t count = 0;
    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    return count;
}

static void shows_the_first_errors(void **state) {
    struct unit *u = *state;
    const char *log = "a.c: In function 'f':\n"
                      "a.c:1:2: warning: unused\n"
                      "a.c:3:4: error: one\n"
                      "  3 | x\n"
                      "    | ^\n"
                      "a.c:5:1: error: two\n"
                      "a.c:6:1: error: three\n"
                      "a.c:7:1: error: four\n"
                      "make: *** [obj/001.o] Error 1\n";
    char *shown = rp_first_diagnostics(&u->arena, log);
    CONTAINS(shown, "\n  a.c:3:4: error: one\n    3 | x\n");
    CONTAINS(shown, "error: three");
    assert_null(strstr(shown, "four"));
    assert_null(strstr(shown, "warning"));
    assert_null(strstr(shown, "make"));
    assert_int_equal(count_of(shown, "error:"), 3);
}

static void knows_error_lines(void **state) {
    struct unit *u = *state;
    static const char *const lines[] = {"a.c:1:10: fatal error: x.h: No such file",
                                        "obj/001.o: undefined reference to `f'",
                                        "/usr/bin/ld: cannot find -lfoo",
                                        "{standard input}:3: Error: bad instruction",
                                        "ld: error: unplaced orphan section `.x' from `obj/001.o'",
                                        "a.o: multiple definition of `f'",
                                        "region `RAM' overflowed by 4 bytes",
                                        "a.c:1: internal compiler error: Killed"};
    for (size_t i = 0; i < COUNT(lines); i++) {
        char *log = rp_format(&u->arena, "noise before\n%s\n", lines[i]);
        char *shown = rp_first_diagnostics(&u->arena, log);
        CONTAINS(shown, lines[i]);
        assert_null(strstr(shown, "noise"));
    }
}

static void shows_something_in_any_case(void **state) {
    struct unit *u = *state;
    CONTAINS(rp_first_diagnostics(&u->arena, "Killed\n"), "Killed");
    assert_true(strlen(rp_first_diagnostics(&u->arena, "")) <= 3);
    char *log = rp_alloc(&u->arena, 100001, 1);
    memset(log, 'x', 100000);
    assert_true(strlen(rp_first_diagnostics(&u->arena, log)) < 1100);
    memcpy(log, "a: error: ", 10);
    assert_true(strlen(rp_first_diagnostics(&u->arena, log)) < 400);
}

/* ---- the workspace, with stand-ins for compiler and make ---- */

static char *old_path;

static void tool(struct unit *u, const char *name, const char *script) {
    char *path = unit_text(u, name, script);
    assert_int_equal(chmod(path, 0755), 0);
}

static void begin(struct unit *u, struct rp_build *build, struct rp_build_options *options) {
    old_path = rp_strdup(&u->arena, getenv("PATH"));
    assert_int_equal(setenv("PATH", rp_format(&u->arena, "%s:%s", u->dir, old_path), 1), 0);
    tool(u, "x-gcc", "#!/bin/sh\n");
    *options = (struct rp_build_options){.cross_compile = "x-",
                                         .launcher = "",
                                         .data_dir = "/data dir",
                                         .workspace = unit_path(u, "ws"),
                                         .jobs = 3};
    *build = (struct rp_build){0};
    ACCEPTED(u, rp_build_begin(build, &u->arena, options, &u->err));
}

static void end(struct rp_build *build) {
    rp_build_end(build);
    assert_int_equal(setenv("PATH", old_path, 1), 0);
}

static void writes_response_files(void **state) {
    struct unit *u = *state;
    struct rp_build build;
    struct rp_build_options options;
    const char *words[] = {"-I/a b", "-DX=\"y\""};
    struct rp_strings flags = {words, 2, 2};
    begin(u, &build, &options);
    tool(u, "make",
         "#!/bin/sh\nprintf '%s\\n' \"$@\" \"$RP_CC\" \"$LC_ALL\" \"$PWD\" "
         "${CPATH-none}\ntouch obj/001.o obj/002.o image.elf\n");
    assert_int_equal(setenv("CPATH", "/evil", 1), 0);
    struct rp_unit *unit = rp_build_add(&build, "/src/net work.c", &flags);
    assert_int_equal(unit->number, 1);
    assert_string_equal(rp_build_object(&build, unit), unit_path(u, "ws/obj/001.o"));
    struct rp_unit *second = rp_build_add(&build, "/src/b.c", &flags);
    rp_build_preprocess(&build, second, "/src/b head.c", &flags);
    rp_strings_push(&u->arena, &build.link, "-T/x y");
    ACCEPTED(u, rp_build_make(&build, "link", &u->err));
    assert_int_equal(unsetenv("CPATH"), 0);
    char *got[20];
    size_t count = read_rsp(u, unit_slurp(u, "ws/obj/001.rsp", NULL), got, 20);
    static const char *const want[] = {"-I/a b",    "-DX=\"y\"",           "-c",  "/src/net work.c",
                                       "-o",        "obj/001.o",           "-MD", "-MF",
                                       "obj/001.d", "-Wa,-MD,obj/001.as.d"};
    assert_int_equal(count, COUNT(want));
    for (size_t i = 0; i < count; i++)
        assert_string_equal(got[i], want[i]);
    CONTAINS(unit_slurp(u, "ws/obj/002.cpp.rsp", NULL),
             "-E\n/src/b\\ head.c\n-o\nobj/002.i\n-MD\n-MF\nobj/002.cpp.d\n");
    CONTAINS(unit_slurp(u, "ws/obj/002.rsp", NULL), "-c\n/src/b.c\n-o\nobj/002.o\n");
    assert_string_equal(unit_slurp(u, "ws/units.mk", NULL),
                        "OBJECTS := 001 002\nPREPROCESS := 002\nASSEMBLY :=\nTYPES :=\nALONE :=\n"
                        "OWN :=\nOURS :=\n");
    CONTAINS(unit_slurp(u, "ws/link.rsp", NULL), "-T/x\\ y\n");
    char *log = unit_slurp(u, "ws/link.log", NULL);
    CONTAINS(log, rp_format(&u->arena,
                            "-rR\n-f\n/data dir/templates/build.mk\n-j3\nlink\n%s/x-gcc\nC\n"
                            "%s\nnone\n",
                            u->dir, build.dir));
    end(&build);
    assert_true(rp_path_is_dir(unit_path(u, "ws"))); /* the user's own workspace stays */
}

/* A linker whose name needs a shell has make run every command, alone or not. */
static void by_make(struct rp_build *build) {
    build->ld = "/a b/x-gcc";
}

/* A stand-in for make leaves out files of the goal: that is no success, whatever its status. */
static void misses_what_was_not_made(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *goal, *makes, *part;
        enum rp_error_id id;
    } cases[] = {{"objects", "obj/001.o", "wrote no 'obj/002.o' for '/src/b.c'", RP_E_COMPILE},
                 {"objects", "obj/002.o", "wrote no 'obj/001.o' for '/src/a.c'", RP_E_COMPILE},
                 {"preprocess", "obj/001.i", "wrote no 'obj/002.i'", RP_E_COMPILE},
                 {"link", "obj/001.o obj/002.o", "linker reported success", RP_E_LINK}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_build build;
        struct rp_build_options options;
        struct rp_strings none = {0};
        begin(u, &build, &options);
        by_make(&build);
        tool(u, "make", rp_format(&u->arena, "#!/bin/sh\ntouch %s\n", cases[i].makes));
        rp_build_add(&build, "/src/a.c", &none);
        rp_build_preprocess(&build, rp_build_add(&build, "/src/b.c", &none), "/src/b.c", &none);
        REFUSED(u, rp_build_make(&build, cases[i].goal, &u->err), cases[i].id, cases[i].part);
        tool(u, "make", "#!/bin/sh\ntouch obj/001.o obj/002.o obj/002.i image.elf\n");
        ACCEPTED(u, rp_build_make(&build, cases[i].goal, &u->err));
        end(&build);
        /* another run in the same folder finds nothing from this one */
        begin(u, &build, &options);
        assert_false(rp_path_is_file(unit_path(u, "ws/obj/001.o")));
        assert_false(rp_path_is_file(unit_path(u, "ws/image.elf")));
        end(&build);
    }
}

/* A unit whose arguments change is made again; the others are not. */
static void removes_what_is_to_be_made_again(void **state) {
    struct unit *u = *state;
    struct rp_build build;
    struct rp_build_options options;
    struct rp_strings none = {0};
    begin(u, &build, &options);
    by_make(&build);
    tool(u, "make", "#!/bin/sh\nls obj/*.o\ntouch obj/001.o obj/002.o\n");
    rp_build_add(&build, "/src/a.c", &none);
    rp_build_add(&build, "/src/b.c", &none);
    ACCEPTED(u, rp_build_make(&build, "objects", &u->err));
    rp_strings_push(&u->arena, &build.units.items[0].cc, "-O3");
    ACCEPTED(u, rp_build_make(&build, "objects", &u->err));
    assert_string_equal(unit_slurp(u, "ws/objects.log", NULL), "obj/002.o\n");
    end(&build);
}

/* Another try in the same workspace makes again what has other arguments, or another text. */
static void keeps_what_is_the_same(void **state) {
    struct unit *u = *state;
    static const char *const texts[] = {"1", "1", "2"};
    static const char *const kept[] = {"obj/*.o\n", "obj/001.o\n", "obj/*.o\n"};
    struct rp_build build;
    struct rp_build_options options;
    struct rp_strings none = {0}, more = {0};
    rp_strings_push(&u->arena, &more, "-O3");
    begin(u, &build, &options);
    by_make(&build);
    tool(u, "make", "#!/bin/sh\necho obj/*.o\ntouch obj/001.o obj/002.o\n");
    for (size_t i = 0; i < COUNT(texts); i++) {
        if (i != 0)
            rp_build_again(&build, &options);
        ACCEPTED(u, rp_build_write(&build, "glue.h", texts[i], 1, &u->err));
        rp_build_add(&build, "/src/a.c", &none);
        rp_build_add(&build, "/src/b.c", i == 0 ? &none : &more);
        ACCEPTED(u, rp_build_make(&build, "objects", &u->err));
        assert_string_equal(unit_slurp(u, "ws/objects.log", NULL), kept[i]);
    }
    end(&build);
}

/* A folder in use for something else keeps what it has. */
static void spares_what_is_not_ours(void **state) {
    struct unit *u = *state;
    static const char *const names[] = {"ws/obj/x.o", "ws/image.elf", "ws/units.mk",
                                        "ws/weights.ld"};
    struct rp_build build;
    struct rp_build_options options;
    for (size_t i = 0; i < COUNT(names); i++) {
        ACCEPTED(u, rp_make_dirs(unit_path(u, "ws/obj"), &u->err));
        if (i != 0)
            rp_remove_tree(unit_path(u, "ws/obj"));
        unit_text(u, names[i], "precious");
        old_path = rp_strdup(&u->arena, getenv("PATH"));
        options = (struct rp_build_options){
            .cross_compile = "x-", .launcher = "", .workspace = unit_path(u, "ws")};
        assert_int_equal(setenv("PATH", rp_format(&u->arena, "%s:%s", u->dir, old_path), 1), 0);
        tool(u, "x-gcc", "#!/bin/sh\n");
        build = (struct rp_build){0};
        bool begun = rp_build_begin(&build, &u->arena, &options, &u->err);
        assert_int_equal(begun, i == 3);
        REFUSED(u, begun && rp_build_write(&build, "weights.ld", "x", 1, &u->err), RP_E_FOREIGN,
                rp_strndup(&u->arena, names[i] + 3, strcspn(names[i] + 3, "/")));
        if (begun)
            ACCEPTED(u, rp_build_write(&build, "acts.ld", "x", 1, &u->err));
        end(&build);
        assert_string_equal(unit_slurp(u, names[i], NULL), "precious");
        rp_remove_tree(unit_path(u, "ws"));
    }
}

static void tells_a_full_disk(void **state) {
    struct unit *u = *state;
    static const char *const said[] = {
        "/tmp/cc1.s: fatal error: error writing to /tmp/cc1.s: No space left on device",
        "ld: final link failed: Disk quota exceeded", "as: obj/001.o: File too large"};
    for (size_t i = 0; i < COUNT(said); i++) {
        struct rp_build build;
        struct rp_build_options options;
        begin(u, &build, &options);
        by_make(&build);
        unit_text(u, "say", said[i]);
        tool(u, "make", rp_format(&u->arena, "#!/bin/sh\ncat %s/say\nexit 2\n", u->dir));
        REFUSED(u, rp_build_make(&build, "objects", &u->err), RP_E_NO_SPACE, "no space left in '/");
        end(&build);
    }
}

static void names_sources_in_errors(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *goal, *output;
        enum rp_error_id id;
        const char *part;
    } cases[] = {
        {"objects", "/src/net.c:3:1: error: bad", RP_E_COMPILE,
         "the compiler failed:\n  /src/net.c:3:1"},
        {"link",
         "obj/001.o: undefined reference to `f'\ncollect2: error: ld returned 1 exit status",
         RP_E_LINK, "/src/net.c: undefined reference"},
        {"link", "ld: error: unplaced orphan section `.x' from `obj/001.o'", RP_E_ORPHAN,
         "/src/net.c: no part of an image takes a section named '.x'"},
        {"link", "ld: error: obj/001.o uses VFP register arguments, image.elf does not",
         RP_E_ABI_MISMATCH, "but '/src/net.c' in VFP registers"},
        {"objects", "obj/009.o: error: not a unit", RP_E_COMPILE, "obj/009.o"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_build build;
        struct rp_build_options options;
        struct rp_strings none = {0};
        begin(u, &build, &options);
        by_make(&build);
        unit_text(u, "say", cases[i].output);
        tool(u, "make", rp_format(&u->arena, "#!/bin/sh\ncat %s/say\nexit 2\n", u->dir));
        options.log = unit_path(u, "all.log");
        rp_build_add(&build, "/src/net.c", &none);
        REFUSED(u, rp_build_make(&build, cases[i].goal, &u->err), cases[i].id, cases[i].part);
        end(&build);
    }
    CONTAINS(unit_slurp(u, "all.log", NULL), "/src/net.c:3:1: error: bad");
    CONTAINS(unit_slurp(u, "all.log", NULL), "not a unit");
}

static void makes_and_removes_temporary_workspaces(void **state) {
    struct unit *u = *state;
    struct rp_build build;
    struct rp_build_options options;
    begin(u, &build, &options);
    assert_int_equal(setenv("TMPDIR", u->dir, 1), 0);
    options.workspace = NULL;
    for (int keep = 0; keep < 2; keep++) {
        options.keep = keep != 0;
        build = (struct rp_build){0};
        ACCEPTED(u, rp_build_begin(&build, &u->arena, &options, &u->err));
        assert_true(rp_has_prefix(build.dir, u->dir));
        ACCEPTED(u, rp_build_write(&build, "x", "y", 1, &u->err));
        rp_build_end(&build);
        assert_int_equal(rp_path_is_dir(build.dir), keep);
    }
    assert_int_equal(unsetenv("TMPDIR"), 0);
    end(&build);
}

static void names_missing_tools(void **state) {
    struct unit *u = *state;
    struct rp_build build;
    struct rp_build_options options = {.cross_compile = "no-such-", .launcher = ""};
    build = (struct rp_build){0};
    assert_false(rp_build_begin(&build, &u->arena, &options, &u->err));
    CONTAINS(u->err.hint, "gcc-arm-none-eabi");
    REFUSED(u, false, RP_E_TOOL_MISSING, "'no-such-gcc' was not found");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(quotes_for_response_files),
        UNIT(quotes_every_byte),
        UNIT(quotes_for_the_shell),
        UNIT(shows_the_first_errors),
        UNIT(knows_error_lines),
        UNIT(shows_something_in_any_case),
        UNIT(writes_response_files),
        UNIT(misses_what_was_not_made),
        UNIT(removes_what_is_to_be_made_again),
        UNIT(keeps_what_is_the_same),
        UNIT(spares_what_is_not_ours),
        UNIT(tells_a_full_disk),
        UNIT(names_sources_in_errors),
        UNIT(makes_and_removes_temporary_workspaces),
        UNIT(names_missing_tools),
    };
    return RUN(tests);
}
