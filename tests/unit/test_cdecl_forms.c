/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/cread/decl and ucn on what people write and generators do not. */
#include "tests/unit/unit.h"

#include "toolchain/cread/decl.h"
#include "toolchain/cread/ucn.h"

static bool parse_text(struct unit *u, const char *text, size_t len, struct rp_functions *out) {
    *out = (struct rp_functions){0};
    char *exact = unit_exact(text, len);
    bool ok =
        rp_cdecl_functions(&u->arena, &(struct rp_c_text){exact, len, "model.c"}, out, &u->err);
    free(exact);
    return ok;
}

static const struct rp_function *only(struct unit *u, const char *text) {
    static struct rp_functions all;
    ACCEPTED(u, parse_text(u, text, strlen(text), &all));
    assert_int_equal(all.count, 1);
    return &all.items[0];
}

/* f(a) float a; { }: without a prototype in the same text, callers pass a double. */
static void reads_definitions_in_the_style_of_knr(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"void f(n, x, by) float x[N], by; { }",
         "void f(int n, float x[3], double /* promoted float */ by)"},
        {"void f(float); void f(by) float by; { }", "void f(float by)"},
        {"void f(); void f(by) register float by; { }", "void f(double /* promoted float */ by)"},
        {"int f(a, b) { }", "int f(int a, int b)"},
        {"void f(call, n, x) void call(int); short n; float x[n]; { }",
         "void f(void (*call)(int), short n, float x[])"},
        {"int *f(a) __attribute__((pure)); void f(const t) { }", "void f(const t)"},
        {"void f(t) __attribute__((weak)); int v; void f(float by) { }", "void f(float by)"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *text =
            rp_format(&u->arena, "typedef int t; enum { N = 3 };\n%s\nint after;", cases[i][0]);
        struct rp_functions all;
        ACCEPTED(u, parse_text(u, text, strlen(text), &all));
        assert_int_equal(all.count, 1);
        assert_string_equal(rp_ctype_text(&u->arena, all.items[0].type, "f"), cases[i][1]);
        assert_string_equal(all.declared.items[all.declared.count - 1].name, "after");
    }
}

static void replaces_universal_names(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"", ""},
        {"a\\n", "a\\n"},
        {"gr\\u00fcn \\U000000dFe", "gr\xc3\xbcn \xc3\x9f"
                                    "e"},
        {"\\u20ac\\U0001f600", "\xe2\x82\xac\xf0\x9f\x98\x80"},
        {"\\u0041 \\u00f \\U000000f", "\\u0041 \\u00f \\U000000f"},
        {"\\u00fg \\U00110000 \\", "\\u00fg \\U00110000 \\"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        size_t len = strlen(cases[i][0]);
        char *exact = unit_exact(cases[i][0], len);
        const char *got = rp_ucn_replace(&u->arena, exact, &len);
        assert_int_equal(len, strlen(cases[i][1]));
        assert_memory_equal(got, cases[i][1], len);
        free(exact);
    }
    const struct rp_function *f = only(u, "void \\u00e4(float \\U000000f6[\\u00f6]) { }");
    assert_string_equal(f->name, "\xc3\xa4");
    assert_string_equal(f->params[0].name, "\xc3\xb6");
}

/* #pragma GCC system_header in a file of the model; what the toolchain's bring is left out. */
static void reads_files_that_call_themselves_system_headers(void **state) {
    struct unit *u = *state;
    const struct rp_function *f = only(u, "# 1 \"m.c\"\n# 1 \"m.h\" 1\n\n# 2 \"m.h\" 3\n"
                                          "# 1 \"s.h\" 1 3\nvoid s(void) { }\n# 2 \"s.h\" 3\n"
                                          "void t(void) { }\n# 3 \"m.h\" 2 3\nvoid m(void) { }\n");
    assert_string_equal(f->name, "m");
    assert_string_equal(f->file, "m.h");
    assert_int_equal(f->line, 3);
}

/* A label counts for all declarations of its name that follow, and only the first one. */
static void reads_labels(void **state) {
    struct unit *u = *state;
    static const char text[] = "#pragma redefine_extname p q\n#pragma redefine_extname p\n"
                               "float a __asm__(\"x\"), b, c __asm(\"y\" \"z\");\n"
                               "void f(void) asm(\"g\") __attribute__((weak)); void p(void);\n"
                               "void f(void) __asm__(\"h\"); void f(void) { }\n";
    static const char *const want[][2] = {{"a", "x"}, {"b", "b"}, {"c", "yz"}, {"f", "g"},
                                          {"p", "q"}, {"f", "g"}, {"f", "g"}};
    struct rp_functions all;
    ACCEPTED(u, parse_text(u, text, strlen(text), &all));
    assert_int_equal(all.declared.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(all.declared.items[i].name, want[i][0]);
        assert_string_equal(rp_declared_linked(&all.declared.items[i]), want[i][1]);
    }
    assert_string_equal(all.items[0].linked, "g");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_definitions_in_the_style_of_knr),
        UNIT(replaces_universal_names),
        UNIT(reads_files_that_call_themselves_system_headers),
        UNIT(reads_labels),
    };
    return RUN(tests);
}
