/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/generate/asked.h: the names that texts ask the compiler for. */
#include "tests/unit/unit.h"

#include "base/buf.h"
#include "cli/generate/asked.h"

/* The names in a text, each with a blank behind it; "?": there is one that does not stand there. */
static const char *asked_in(struct unit *u, const char *text, const char *option) {
    struct rp_strings files = {0}, options = {0}, names = {0};
    struct rp_buf out = {.arena = &u->arena};
    unit_text(u, "x.c", text);
    rp_strings_push(&u->arena, &files, unit_path(u, "x.c"));
    if (option != NULL)
        rp_strings_push(&u->arena, &options, option);
    const char *unknown = rp_asked_names(&u->arena, &files, &options, &names);
    for (size_t i = 0; i < names.count; i++)
        rp_buf_printf(&out, "%s ", names.items[i]);
    return unknown != NULL ? "?" : rp_buf_text(&out);
}

static void finds_names(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *names;
    } cases[] = {
        {"#include <a/b.h>\n#include \"c.h\"\n#include \"c.h\"\n", "a/b.h c.h "},
        {"#  include /* why */ <../a.h>\n%:include_next <b.h>\n?\?=import \"c.h\"",
         "../a.h b.h c.h "},
        {"#inc\\\nlude <a.h>\n#include \\  \n \"b.h\"\n", "a.h b.h "},
        {"#if __has_include( <a.h>) && defined(__has_include)\n#ifdef __has_include\n", "a.h "},
        {"#if __has_include_next(\"a.h\")\n", "a.h "},
        {"#if __has_include(NAME)\n", "?"},
        {"#define JOIN(a) __has_##a(\"b.h\")\n", "?"},
        {"#include NAME\n", ""}, /* it is defined nowhere, so nothing is read */
        {"#define NAME <a.h>\n#/**/include NAME\n", "a.h "},
        {"#define NAME STRING(a.h)\n#include NAME\n", "?"},
        {"#define NAME(x) <x>\n#include NAME(a.h)\n", "?"},
        {"#define OTHER STRING(a.h)\n#define NAME \"a.h\"\n#include NAME\n", "a.h "},
        {"/* how to include things */ int x; char *include = \"no\n", ""},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_string_equal(asked_in(u, cases[i].text, NULL), cases[i].names);
}

static void looks_at_options(void **state) {
    struct unit *u = *state;
    static const char include[] = "#include NAME\n";
    assert_string_equal(asked_in(u, include, "-DNAME=<a.h>"), "a.h ");
    assert_string_equal(asked_in(u, include, "-DNAME=OTHER"), "?");
    assert_string_equal(asked_in(u, include, "-DASKS=__has_include(NAME)"), "?");
    assert_string_equal(asked_in(u, "", "-includea.h"), "a.h ");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(finds_names),
        UNIT(looks_at_options),
    };
    return RUN(tests);
}
