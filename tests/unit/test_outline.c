/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/cread/outline.h and toolchain/calls/offered.h: what C text may define. */
#include "tests/unit/unit.h"

#include "toolchain/calls/offered.h"
#include "toolchain/cread/outline.h"

static struct rp_outline outline_of(struct unit *u, const char *text) {
    struct rp_outline out;
    rp_outline_read(&out, &u->arena, text, strlen(text));
    return out;
}

/* Names of definitions, apart from those of mere declarations, types and bodies. */
static void tells_definitions_from_declarations(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *defined, *not_defined;
    } rows[] = {
        {"int f(int a) { return g(a); }", "f", "g"},
        {"int f(int);", NULL, "f"},
        {"extern int v;", NULL, "v"},
        {"extern int v = 1;", "v", NULL},
        {"int v;", "v", NULL},
        {"int v[4] = { w }, *x;", "x", "w"},
        {"typedef int t;", NULL, "t"},
        {"typedef struct { int m; } t;", NULL, "t"},
        {"struct s { int m; } v;", "v", "m"},
        {"struct s f(struct s a) { a.m = 1; }", "f", "m"},
        {"int (*v)(int);", "v", NULL},
        {"int (*f(int a))(int) { return 0; }", "f", NULL},
        {"int f(int), v;", "v", NULL},
        {"__attribute__((noinline)) int f(void) { h(); }", "f", "h"},
        {"__attribute__((aligned(8))) int v;", "v", NULL},
        {"int f(void) __attribute__((const));", NULL, "f"},
        {"int f(void) __attribute__((alias(\"g\")));", "f", NULL},
        {"int f(void) __asm__(\"label\");", "label", NULL},
        {"extern \"C\" { int f(void) { } }", "f", NULL},
        {"#ifdef X\nextern \"C\" {\n#endif\nint f(void);\n#ifdef X\n}\n#endif\nint v;", "v", "f"},
        {"enum { A, B };\nint v;", "v", "A"},
        {"int f(a) int a; { return a; } int v;", "v", NULL},
        {"/* int f; */ // int g;\nint v;", "v", "f"},
        {"char *v = \"int w;\";", "v", NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_outline out = outline_of(u, rows[i].text);
        assert_false(out.unclear);
        if (rows[i].defined != NULL)
            assert_true(rp_strings_have_sorted(&out.defined, rows[i].defined));
        if (rows[i].not_defined != NULL)
            assert_false(rp_strings_have_sorted(&out.defined, rows[i].not_defined));
    }
}

static void knows_what_it_does_not_follow(void **state) {
    struct unit *u = *state;
    static const char *const rows[] = {
        "int f(void) {",
        "#if A\nint f(void) {\n#else\n#endif\n}",
        "#include NAME",
        "#pragma weak f = g",
        "#pragma redefine_extname f g",
        "__asm__(\".globl f\");",
        "void f(void) { __asm__(\".global g\\ng:\"); }",
        "char *v = \"not closed",
        "#endif",
        "#if A",
        "int v; <% %>",
        "int fo\\\no;",
        "int \\u00e9;",
        "#strange",
        "int f(int",
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_true(outline_of(u, rows[i]).unclear);
    struct rp_outline zero;
    rp_outline_read(&zero, &u->arena, "int\0v;", 6);
    assert_true(zero.unclear);
    assert_false(outline_of(u, "").unclear);
}

static void reads_macros_and_includes(void **state) {
    struct unit *u = *state;
    struct rp_outline out =
        outline_of(u, "#define A(x) x##_end\n#  define B b1 \\\n b2\n#define C {\n"
                      "#define D { }\n#include <a.h>\n#include \"b.h\" // c\n");
    assert_int_equal(out.macros.count, 4);
    assert_true(out.macros.items[0].pastes && !out.macros.items[0].shapes);
    assert_string_equal(out.macros.items[1].words.items[1], "b2");
    assert_true(out.macros.items[2].shapes && !out.macros.items[3].shapes);
    assert_int_equal(out.includes.count, 2);
    assert_string_equal(out.includes.items[1], "b.h");
}

static struct rp_offered *offer(struct unit *u, const char *text, const char *flag) {
    struct rp_strings sources = {0}, flags = {0};
    rp_strings_push(&u->arena, &sources, unit_text(u, "s.c", text));
    rp_strings_push(&u->arena, &flags, "-I");
    rp_strings_push(&u->arena, &flags, unit_path(u, "."));
    if (flag != NULL)
        rp_strings_push(&u->arena, &flags, flag);
    return rp_offered_read(&u->arena, &sources, &flags, &u->err);
}

static void names_that_macros_make(void **state) {
    struct unit *u = *state;
    unit_text(u, "k.h",
              "#include \"l.h\"\n#define GLUE(a, b) a##b\n#define FN(n) GLUE(k_, n)\n"
              "#define inner outer\nint declared(int);\nint in_header;\nDECLARE(made)\n");
    unit_text(u, "l.h", "#include \"k.h\"\n#define DECLARE(n) int GLUE(n, _v);\n");
    static const struct {
        const char *text, *name;
        bool may;
    } rows[] = {{"#include \"k.h\"\nint FN(add)(void) { }", "k_add", true},
                {"#include \"k.h\"\nint FN(add)(void) { }", "k_addx", false},
                {"#include \"k.h\"\nint FN(s8)(void) { }", "k_s8", true},
                {"#include \"k.h\"\nint inner(void) { }", "outer", true},
                {"#include \"k.h\"\nint f(void) { inner(); }", "outer", false},
                {"#include \"k.h\"\nint f(void) { declared(1); }", "in_header", true},
                {"int f(void) { declared(1); }", "declared", false},
                {"#include \"k.h\"\nint f;", "made_v", true},
                {"int renamed;", "by_flag", true},
                {"#include <no_such_header.h>\nint f;", "f", true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct rp_offered *offered = offer(u, rows[i].text, "-Drenamed=by_flag");
        assert_non_null(offered);
        assert_false(rp_offered_is_unclear(offered, 0));
        assert_int_equal(rp_offered_may_define(offered, 0, rows[i].name), rows[i].may);
    }
    unit_text(u, "k.h", "#define OPEN {\n");
    struct rp_offered *offered = offer(u, "#include \"k.h\"\nint f(void) OPEN }\nint g;", NULL);
    assert_true(rp_offered_is_unclear(offered, 0));
    assert_true(rp_offered_may_define(offered, 0, "anything"));
}

static void flags_that_are_not_followed(void **state) {
    struct unit *u = *state;
    static const char *const flags[] = {"-includex.h", "-imacros", "@file", "-Wp,-DX",
                                        "--sysroot=/", "-specs=x", "-x",    "-fplugin=x"};
    for (size_t i = 0; i < COUNT(flags); i++) {
        assert_null(offer(u, "int f;", flags[i]));
        assert_int_equal(u->err.id, 0);
    }
    struct rp_strings sources = {0}, none = {0};
    rp_strings_push(&u->arena, &sources, unit_path(u, "absent.c"));
    REFUSED(u, rp_offered_read(&u->arena, &sources, &none, &u->err) != NULL, RP_E_INPUT,
            "absent.c");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(tells_definitions_from_declarations), UNIT(knows_what_it_does_not_follow),
        UNIT(reads_macros_and_includes),           UNIT(names_that_macros_make),
        UNIT(flags_that_are_not_followed),
    };
    return RUN(tests);
}
