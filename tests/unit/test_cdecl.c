/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/cread/decl and reduce on C as gcc -E writes it, and on raw C. */
#include "tests/unit/unit.h"

#include "toolchain/cread/decl.h"
#include "toolchain/cread/reduce.h"

#define OPEN  "(((((((((((((((" /* 15 of them */
#define CLOSE ")))))))))))))))"

/* The text is in a buffer of its exact size, so that ASan sees a read past its end. */
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

static void assert_param(const struct rp_param *param, const char *name, const char *dtype,
                         bool is_const, unsigned rank) {
    assert_string_equal(param->name, name);
    if (dtype == NULL)
        assert_null(param->dtype);
    else {
        assert_non_null(param->dtype);
        assert_string_equal(param->dtype->name, dtype);
    }
    assert_int_equal(param->is_const, is_const);
    assert_int_equal(param->rank, rank);
}

static void reads_onnx2c_entries(void **state) {
    struct unit *u = *state;
    const struct rp_function *f =
        only(u, "# 1 \"/tmp/net.c\"\n"
                "typedef signed char int8_t;\n"
                "static const float w[2] = {1.0f, 2.0f};\n"
                "static float tensor_a[1][28];\n"
                "static inline int dummy(int a);\n"
                "void entry(const float tensor_x[1][1][28][28], const int8_t mask[4], float "
                "tensor_y[1][10]) {\n  node_0(tensor_x, tensor_y);\n}\n");
    assert_string_equal(f->name, "entry");
    assert_string_equal(f->file, "/tmp/net.c");
    assert_int_equal(f->line, 5);
    assert_true(f->returns_void && !f->is_static);
    assert_int_equal(f->param_count, 3);
    assert_param(&f->params[0], "tensor_x", "float32", true, 4);
    assert_param(&f->params[1], "mask", "int8", true, 1);
    assert_param(&f->params[2], "tensor_y", "float32", false, 2);
    assert_int_equal(f->params[0].shape[2], 28);
    assert_int_equal(f->params[2].shape[1], 10);
    assert_true(f->params[0].dims_complete && f->params[0].is_pointer);
}

static void reads_cplusplus(void **state) {
    struct unit *u = *state;
    static const char text[] =
        "# 1 \"net.cpp\"\n"
        "extern \"C\" { typedef signed char q7_t; int declared(const q7_t *x); extern \"C++\" { "
        "int "
        "hidden(int a) { return a; } } struct s { int x; }; }\n"
        "namespace { class A : public B { int get() const { return 1; } }; int inner(int a) { } }\n"
        "int A::get() const { return 2; }\n"
        "template <typename T> static T last(const T *items, int n) { return items[n]; }\n"
        "int x{3}; enum class e : int { a };\n"
        "int declared(const q7_t *x) noexcept { return 1; }\n"
        "extern \"C\" void direct(const float a[4], float b[2]) { }\n"
        "void plain(const float a[4], float b[2]) { }\n"
        "extern \"C\" {\nfloat block(const q7_t a[4], float b[2]) { }\n}\n"
        "void after() { }\n";
    static const struct {
        const char *name;
        bool mangled;
    } want[] = {{"{anonymous}::A::get", true},
                {"{anonymous}::inner", true},
                {"get", true},
                {"last", true},
                {"declared", false},
                {"direct", false},
                {"plain", true},
                {"block", false},
                {"after", true}};
    struct rp_functions all = {0};
    const struct rp_c_text source = {text, sizeof text - 1, "net.cpp", true};
    ACCEPTED(u, rp_cdecl_functions(&u->arena, &source, &all, &u->err));
    assert_int_equal(all.count, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_string_equal(all.items[i].name, want[i].name);
        assert_int_equal(all.items[i].is_mangled, want[i].mangled);
    }
    assert_param(&all.items[7].params[0], "a", "int8", true, 1);
    assert_int_equal(all.items[7].line, 10);
    assert_string_equal(all.items[7].returns->name, "float32");
}

static void reads_what_is_returned(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"int f(int a) {}", "int32"},       {"static inline unsigned char f(void) {}", "uint8"},
        {"extern float f() {}", "float32"}, {"typedef short q15_t; q15_t f(int a) {}", "int16"},
        {"void f(int a) {}", NULL},         {"float *f(int a) {}", NULL},
        {"struct s f(int a) {}", NULL}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_function *f = only(u, cases[i][0]);
        assert_false(f->is_mangled);
        if (cases[i][1] == NULL)
            assert_null(f->returns);
        else
            assert_string_equal(f->returns->name, cases[i][1]);
    }
}

static void reads_pointers(void **state) {
    struct unit *u = *state;
    const struct rp_function *f =
        only(u, "void f(const float *x, float *restrict y, float (*z)[10], float *const p, float "
                "const *q, const float **r, int n, void *h) {}");
    assert_int_equal(f->param_count, 8);
    assert_param(&f->params[0], "x", "float32", true, 0);
    assert_param(&f->params[1], "y", "float32", false, 0);
    assert_param(&f->params[2], "z", "float32", false, 1);
    assert_param(&f->params[3], "p", "float32", false, 0);
    assert_param(&f->params[4], "q", "float32", true, 0);
    assert_param(&f->params[6], "n", "int32", false, 0);
    assert_null(f->params[7].dtype);
    for (unsigned i = 0; i < 8; i++) {
        assert_int_equal(f->params[i].is_pointer, i != 6);
        assert_int_equal(f->params[i].dims_complete, i == 6);
    }
}

static void limits_ranks(void **state) {
    struct unit *u = *state;
    const struct rp_param *param =
        &only(u, "void f(float a[1][2][3][4][5][6][7][8]) {}")->params[0];
    assert_true(param->dims_complete);
    assert_int_equal(param->rank, 8);
    assert_int_equal(param->shape[7], 8);
    param = &only(u, "void f(float a[1][2][3][4][5][6][7][8][9]) {}")->params[0];
    assert_false(param->dims_complete);
    assert_int_equal(param->rank, 8);
    param = &only(u, "void f(float a[][10]) {}")->params[0];
    assert_false(param->dims_complete);
}

/* Every spelling of the integer types that C11 6.7.2 allows, with its size on Arm. */
static void knows_type_spellings(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {{"float", "float32"},
                                           {"double", "float64"},
                                           {"_Bool", "bool"},
                                           {"char", "uint8"},
                                           {"signed char", "int8"},
                                           {"unsigned char", "uint8"},
                                           {"short", "int16"},
                                           {"short int", "int16"},
                                           {"signed short int", "int16"},
                                           {"unsigned short int", "uint16"},
                                           {"short unsigned int", "uint16"},
                                           {"short unsigned", "uint16"},
                                           {"int", "int32"},
                                           {"unsigned", "uint32"},
                                           {"unsigned int", "uint32"},
                                           {"long", "int32"},
                                           {"signed long int", "int32"},
                                           {"long unsigned int", "uint32"},
                                           {"long unsigned", "uint32"},
                                           {"unsigned long int", "uint32"},
                                           {"long long", "int64"},
                                           {"long long int", "int64"},
                                           {"signed long long", "int64"},
                                           {"long long unsigned int", "uint64"},
                                           {"long long unsigned", "uint64"},
                                           {"unsigned long long int", "uint64"},
                                           {"unsigned long long", "uint64"},
                                           {"long double", NULL},
                                           {"float _Complex", NULL},
                                           {"struct pair", NULL},
                                           {"void", NULL}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[128];
        snprintf(text, sizeof text, "void f(const %s a[2], %s *) {}", cases[i][0], cases[i][0]);
        const struct rp_function *f = only(u, text);
        assert_int_equal(f->param_count, 2);
        for (unsigned k = 0; k < 2; k++) {
            const struct rp_dtype *dtype = f->params[k].dtype;
            const char *name = dtype != NULL ? dtype->name : "none";
            if (strcmp(name, cases[i][1] != NULL ? cases[i][1] : "none") != 0)
                fail_msg("%s: %s, parameter %u", text, name, k);
            if (dtype != NULL)
                assert_string_equal(f->params[k].name, k == 0 ? "a" : "");
        }
    }
}

static void follows_typedefs(void **state) {
    struct unit *u = *state;
    const struct rp_function *f =
        only(u, "typedef long long unsigned int __uint64_t;\n"
                "typedef __uint64_t uint64_t;\n"
                "typedef float real_t;\n"
                "typedef double real_t;\n" /* the last one counts */
                "typedef struct { int a; } pair;\n"
                "typedef float vector[4];\n"
                "typedef float (*function)(int);\n"
                "void f(const uint64_t a[1], real_t b[2], pair c, vector d, const real_t e[3]) {}");
    assert_int_equal(f->param_count, 5);
    assert_param(&f->params[0], "a", "uint64", true, 1);
    assert_param(&f->params[1], "b", "float64", false, 1);
    assert_null(f->params[2].dtype);
    assert_param(&f->params[3], "d", "float32", false, 1); /* an array in disguise */
    assert_int_equal(f->params[3].shape[0], 4);
    assert_param(&f->params[4], "e", "float64", true, 1);
}

static void passes_over_what_is_no_definition(void **state) {
    struct unit *u = *state;
    const struct rp_function *f =
        only(u, "extern void entry(const float a[1], float b[1]);\n"
                "struct s { void (*f)(int); int g; };\n"
                "enum e { A, B = (1), };\n"
                "union v { int a; } one = { .a = (2) };\n"
                "int (*pointer)(void) = 0, table[] = { (1), 2 };\n"
                "static const char *text = \"}{ void g(void) {\", c = '{', d = '\\'', e = '\"';\n"
                "// void h(void) {\n"
                "/* void i(void) { \" ' */\n"
                "#pragma GCC diagnostic push {\n"
                "_Static_assert(sizeof(int) == 4, \"{\");\n"
                "void f(void) { char *s = \"}\"; if (1) { } /* } */ // }\n }\n");
    assert_string_equal(f->name, "f");
    assert_int_equal(f->param_count, 0);
}

static void finds_all_definitions(void **state) {
    struct unit *u = *state;
    static const char text[] = "static inline float a(float x) { return x; }\n"
                               "static void b(const float x[1], float y[1]) {}\n"
                               "int c(const float x[1], float y[1]) { return 0; }\n"
                               "struct s d(void) { struct s x = {0}; return x; }\n"
                               "void e() {}\n"
                               "struct t { int x; } f(int n) {}\n";
    static const char names[] = "abcdef";
    struct rp_functions all;
    ACCEPTED(u, parse_text(u, text, strlen(text), &all));
    assert_int_equal(all.count, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(all.items[i].name[0], names[i]);
        assert_int_equal(all.items[i].name[1], 0);
        assert_int_equal(all.items[i].line, i + 1);
        assert_int_equal(all.items[i].is_static, i < 2);
        assert_int_equal(all.items[i].returns_void, i == 1 || i == 4);
    }
}

/* Attributes have parentheses of their own, with words in front. */
static void sees_through_attributes(void **state) {
    struct unit *u = *state;
    static const char *const before[] = {
        "__attribute__((noinline))",
        "__attribute__((aligned(16)))",
        "__attribute__((section(\".text.fast\"), used))",
        "__attribute__((optimize(\"O3\"))) __attribute__((aligned(4)))",
        "__attribute((aligned(8)))",
        "_Alignas(16)",
        "__extension__"};
    for (size_t i = 0; i < COUNT(before); i++) {
        for (int behind = 0; behind < 2; behind++) {
            char text[200];
            snprintf(text, sizeof text,
                     behind ? "void %s entry(const float a[2], float b[3]) {}"
                            : "%s void entry(const float a[2], float b[3]) {}",
                     before[i]);
            const struct rp_function *f = only(u, text);
            assert_string_equal(f->name, "entry");
            assert_true(f->returns_void);
            assert_int_equal(f->param_count, 2);
            assert_param(&f->params[0], "a", "float32", true, 1);
        }
    }
}

/* "# LINE FILE FLAGS" gives file and line of the source; flag 3 marks a system header. */
static void follows_line_markers(void **state) {
    struct unit *u = *state;
    const struct rp_function *f =
        only(u, "# 0 \"<built-in>\"\n"
                "# 1 \"/usr/include/math.h\" 1 3 4\n"
                "static inline float hidden(float x) { return x; }\n"
                "# 40 \"/home/a b/net.c\" 2\n"
                "int x;\n\n"
                "/* two\n   lines */ void\nshown(const float a[1], float b[1])\n{\n}\n"
                "#pragma once\n"
                "# 7 \"/usr/include/end.h\" 1 3\n"
                "void also_hidden(void) {}\n");
    assert_string_equal(f->name, "shown");
    assert_string_equal(f->file, "/home/a b/net.c");
    assert_int_equal(f->line, 43);
}

static void says_where_the_text_is_wrong(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text;
        const char *where;
    } cases[] = {
        {"void f(void) {\n  if (1) {\n}\n", "model.c:1: a brace is not closed"},
        {"int a;\nint b[] = {\n1,\n2,\n", "model.c:2: a brace is not closed"},
        {"# 90 \"deep.h\"\nvoid f(void) {\n", "deep.h:90: a brace is not closed"},
        {"int a;\nchar *b = \"open;\nint c;\n", "model.c:2: a string is not closed"},
        {"int a; char b = 'x;\n", "model.c:1: a string is not closed"},
        {"char *s = \"\\", "model.c:1: a string is not closed"},
        {"char *s = \"\\\"", "model.c:1: a string is not closed"},
        {"int a;\n\n/* open\n\n", "model.c:3: a comment is not closed"},
        {"/*", "model.c:1: a comment is not closed"},
        {"/*/", "model.c:1: a comment is not closed"},
        {"void f(void) { /* }\n", "a comment is not closed"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_functions all;
        REFUSED(u, parse_text(u, cases[i].text, strlen(cases[i].text), &all), RP_E_INPUT,
                cases[i].where);
    }
}

static void takes_odd_but_harmless_texts(void **state) {
    struct unit *u = *state;
    static const char *const texts[] = {"",
                                        ";",
                                        ";;;;",
                                        "}",
                                        "}}}{}",
                                        "int",
                                        "#",
                                        "# ",
                                        "# 1",
                                        "# 1 \"",
                                        "# 1 \"\"",
                                        "# x",
                                        "/",
                                        "//",
                                        "()",
                                        "f(",
                                        "f()",
                                        "(){}",
                                        "= {};",
                                        "f(){}",
                                        "((){}",
                                        "\\",
                                        "void f(,,,) {}",
                                        "@`$"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct rp_functions all;
        ACCEPTED(u, parse_text(u, texts[i], strlen(texts[i]), &all));
        assert_true(all.count <= 1);
    }
}

/* Every prefix of a good text is accepted or refused, but never read past its end. */
static void takes_every_prefix(void **state) {
    struct unit *u = *state;
    static const char text[] =
        "# 3 \"a b.c\" 1 3\ntypedef unsigned char u8; // c\n/* d */ "
        "static const u8 t[2][3] = {{1,2,3},{'\\'','\"',\"\"[0]}};\n"
        "__attribute__((aligned(4))) void f(const u8 a[(2+3)*4], u8 *b) {}\n";
    size_t refused = 0;
    for (size_t len = 0; len < sizeof text; len++) {
        struct rp_functions all;
        refused += !parse_text(u, text, len, &all);
        assert_int_equal(refused != 0 && u->err.id != 0, u->err.id == RP_E_INPUT);
        u->err = (struct rp_error){0};
    }
    assert_true(refused > 10 && refused < sizeof text - 10);
}

/* Depth is input as well: no text may exhaust the stack. */
static void survives_deep_nesting(void **state) {
    struct unit *u = *state;
    enum { DEPTH = 400000 };
    static const char pairs[][2] = {{'(', ')'}, {'{', '}'}, {'[', ']'}};
    struct rp_functions all;
    char *text = rp_alloc(&u->arena, 2 * DEPTH + 64, 1);
    for (size_t i = 0; i < COUNT(pairs); i++) {
        int head = sprintf(text, "void f(float a[");
        memset(text + head, pairs[i][0], DEPTH);
        text[head + DEPTH] = '1';
        memset(text + head + DEPTH + 1, pairs[i][1], DEPTH);
        strcpy(text + head + 2 * DEPTH + 1, "]) {}");
        (void)parse_text(u, text, strlen(text), &all);
        for (size_t k = 0; k < all.count; k++)
            assert_false(all.items[k].params[0].dims_complete);
        u->err = (struct rp_error){0};
    }
}

/* Files are mostly initialisers: time and memory must not grow faster than the text. */
static void takes_huge_initialisers(void **state) {
    struct unit *u = *state;
    enum { NUMBERS = 1000000 };
    struct rp_functions all = {0};
    static const char head[] = "static const float w[] = {", tail[] = "};\nvoid entry(const float "
                                                                      "a[1], float b[1]) {}\n";
    char *text = malloc(NUMBERS * 8 + sizeof head + sizeof tail);
    assert_non_null(text);
    strcpy(text, head);
    char *at = text + strlen(text);
    for (unsigned i = 0; i < NUMBERS; i++, at += 8)
        memcpy(at, i % 10 == 0 ? "-1.25f,\n" : "0.0625f,", 8);
    strcpy(at, tail);
    struct rp_arena arena = {0};
    assert_true(
        rp_cdecl_functions(&arena, &(struct rp_c_text){text, strlen(text), "w.c"}, &all, &u->err));
    assert_int_equal(all.count, 1);
    assert_int_equal(all.items[0].line, 1 + NUMBERS / 10 + 1);
    assert_ptr_not_equal(arena.head, NULL);
    rp_arena_release(&arena);
    free(text);
}

/* Parentheses that close nothing, and names that are none. */
static void survives_odd_declarators(void **state) {
    struct unit *u = *state;
    static const char *const texts[] = {"(\370\330", "((((d(\377\377\377,\370)J((h((\326c)){\bc}",
                                        "(", "f(a)(b", "enum __attribute__((x {"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct rp_functions all = {0};
        struct rp_error err = {0};
        (void)rp_cdecl_functions(
            &u->arena, &(struct rp_c_text){texts[i], strlen(texts[i]), "m.c", false}, &all, &err);
        assert_true(all.count <= 1);
    }
}

/* A name in parentheses, so that a macro of that name is not expanded. */
static void reads_names_in_parentheses(void **state) {
    struct unit *u = *state;
    static const char *const texts[] = {
        "void (m)(const float x[4], float y[2]) {}",
        "#define m(x, y) 0\nfloat *(m)(const float x[4], float y[2]) {}",
        "void (m)(const float x[2 * (int)(2)], float y[2]) {}"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        const struct rp_function *f = only(u, texts[i]);
        assert_string_equal(f->name, "m");
        assert_int_equal(f->param_count, 2);
        assert_int_equal(f->params[0].shape[0], 4);
    }
    assert_string_equal(only(u, "int (*m(int a))(int) { return 0; }")->name, "m");
}

/* ---- reducing raw C ---- */

static bool reduce(struct unit *u, const char *text, char **out) {
    struct rp_buf buf = {.arena = &u->arena};
    char *exact = unit_exact(text, strlen(text));
    bool closed = rp_cdecl_reduce(exact, strlen(text), &buf);
    free(exact);
    *out = rp_strndup(&u->arena, buf.len != 0 ? buf.data : "", buf.len);
    return closed;
}

/* Only the numbers of innermost braces go; their line ends stay. */
static void reduces_raw_sources(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"int a;\n", "int a;\n"},
        {"\xEF\xBB\xBFint a;\n", "int a;\n"},
        {"int w[] = {1,\n2,\n3};\nint b;\n", "int w[] = {\n\n};\nint b;\n"},
        {"int w[] = {'a', /* } */ \"}\", {1, // 2\n -0x3f}};",
         "int w[] = {'a', /* } */ \"}\", {\n}};"},
        {"int w[] = {1, N}, v[] = {N(1)};", "int w[] = {1, N}, v[] = {N(1)};"},
        {"int w[] = {\n#if X\n1\n#endif\n};", "int w[] = {\n#if X\n1\n#endif\n};"},
        {"int w[] = {1,\n?\?=if X\n2};", "int w[] = {1,\n?\?=if X\n2};"},
        {"int w<::> = <%1, 2%>;", "int w<::> = <%%>;"},
        {"void f(void) { a(); { b(); } {} }\nint c;", "void f(void) { a(); { b(); } {} }\nint c;"},
        {"#if X\nf() {\n#else\ng() {\n#endif\n}\n", "#if X\nf() {\n#else\ng() {\n#endif\n}\n"},
        {"}{1", "}{1"},
        {"#define M(x) { x; \\\n } {\nint a;\n", "#define M(x) { x; \\\n } {\nint a;\n"},
        {"char *s = \"}{\"; char c = '{', d = '\\'';\n",
         "char *s = \"}{\"; char c = '{', d = '\\'';\n"},
        {"int a; // {\nint b; /* { */\n", "int a; // {\nint b; /* { */\n"},
        {"", ""}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        char *got;
        assert_true(reduce(u, cases[i][0], &got));
        const char *a = got, *b = cases[i][1];
        while (*a != '\0' || *b != '\0') { /* blanks before a directive may stay or go */
            a += strspn(a, " ");
            b += strspn(b, " ");
            if (*a != *b)
                fail_msg("case %zu: '%s', wanted '%s'", i, got, cases[i][1]);
            a += *a != '\0';
            b += *b != '\0';
        }
    }
}

/* What is left has the same functions on the same lines. */
static void keeps_declarations(void **state) {
    struct unit *u = *state;
    static const char text[] = "typedef float real;\n"
                               "static const real w[2][2] = {\n  {1, 2},\n  {3, 4} };\n"
                               "static void g(real a[2]) {\n if (a[0]) { g(a); }\n}\n"
                               "struct s {\n int a; };\n"
                               "void entry(const real x[1][2],\n  real y[3]) { g(y); \n}\n";
    struct rp_functions whole, part;
    char *reduced;
    assert_true(reduce(u, text, &reduced));
    assert_true(strlen(reduced) < sizeof text - 6);
    ACCEPTED(u, parse_text(u, text, strlen(text), &whole));
    ACCEPTED(u, parse_text(u, reduced, strlen(reduced), &part));
    assert_int_equal(whole.count, 2);
    assert_int_equal(part.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(part.items[i].name, whole.items[i].name);
        assert_int_equal(part.items[i].line, whole.items[i].line);
        assert_int_equal(part.items[i].param_count, whole.items[i].param_count);
    }
}

static void reduces_every_prefix(void **state) {
    struct unit *u = *state;
    static const char text[] =
        "int a[] = { '\\'', \"\\\"}\", /* } */ 1, // }\n };\n#define X \\\n }\n";
    size_t balanced = 0;
    for (size_t len = 0; len < sizeof text; len++) {
        char *got;
        balanced += reduce(u, rp_strndup(&u->arena, text, len), &got);
    }
    assert_true(balanced > 10 && balanced < sizeof text - 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_onnx2c_entries),
        UNIT(reads_cplusplus),
        UNIT(reads_what_is_returned),
        UNIT(reads_pointers),
        UNIT(limits_ranks),
        UNIT(knows_type_spellings),
        UNIT(follows_typedefs),
        UNIT(passes_over_what_is_no_definition),
        UNIT(finds_all_definitions),
        UNIT(sees_through_attributes),
        UNIT(follows_line_markers),
        UNIT(says_where_the_text_is_wrong),
        UNIT(takes_odd_but_harmless_texts),
        UNIT(takes_every_prefix),
        UNIT(survives_deep_nesting),
        UNIT(takes_huge_initialisers),
        UNIT(reads_names_in_parentheses),
        UNIT(survives_odd_declarators),
        UNIT(reduces_raw_sources),
        UNIT(keeps_declarations),
        UNIT(reduces_every_prefix),
    };
    return RUN(tests);
}
