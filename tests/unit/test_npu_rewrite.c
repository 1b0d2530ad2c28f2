/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/npu/rewrite.h: every place where a name can stand, macros, line numbers,
 * and unclear text, which is refused.
 */
#include "tests/unit/unit.h"

#include "toolchain/npu/rewrite.h"

static const struct rp_npu_name pool = {"pool", 4, "(*P)", NULL, false};
static const struct rp_npu_name blob = {"blob", 4, "(*B)", " BEHIND;", false};

/* Rewrites a copy of exactly the text's size; NULL: refused. The names stay for the next text. */
static const char *rewrite(struct unit *u, struct rp_npu_names *names, const char *text) {
    char *copy = unit_exact(text, strlen(text));
    const struct rp_aton_text source = {"net.c", copy, strlen(text)};
    struct rp_buf out = {.arena = &u->arena};
    if (names->count == 0) {
        rp_npu_names_add(names, &u->arena, &pool);
        rp_npu_names_add(names, &u->arena, &blob);
    }
    bool ok = rp_npu_rewrite(&out, names, &u->arena, &source, &u->err);
    const char *result = ok ? rp_strndup(&u->arena, out.len != 0 ? out.data : "", out.len) : NULL;
    free(copy);
    return result;
}

static void expect(struct unit *u, const char *text, const char *want) {
    struct rp_npu_names names = {0};
    const char *got = rewrite(u, &names, text);
    if (got == NULL)
        fail_msg("%s\nrefused: %s", text, u->err.message);
    assert_string_equal(got, want);
}

static void refuse(struct unit *u, const char *text, const char *part) {
    struct rp_npu_names names = {0};
    const char *got = rewrite(u, &names, text);
    if (got != NULL)
        fail_msg("%s\naccepted: %s", text, got);
    REFUSED(u, false, RP_E_INPUT, part);
}

static void replaces_in_function_bodies(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"void f(void) { g(pool); }", "void f(void) { g((*P)); }"},
        {"void f(void) { g((uintptr_t)((((uintptr_t)(pool)) + 4)) /* pool */, 2); }",
         "void f(void) { g((uintptr_t)((((uintptr_t)((*P))) + 4)) /* pool */, 2); }"},
        {"int f(void)\n{\n  if (a) { return h(pool, \"pool\", 'p'); } // pool\n}\n",
         "int f(void)\n{\n  if (a) { return h((*P), \"pool\", 'p'); } // pool\n}\n"},
        {"void f(void) { T t = {.m = {pool}, .n = pool + 1}; }",
         "void f(void) { T t = {.m = {(*P)}, .n = (*P) + 1}; }"},
        {"void f(void) { const T t = {pool}; g(&(T){pool}); }",
         "void f(void) { const T t = {(*P)}; g(&(T){(*P)}); }"},
        {"void f(void) { return pool; }", "void f(void) { return (*P); }"},
        {"void f(void) { p = &pool[4]; q = & pool; n = sizeof pool; }",
         "void f(void) { p = &(*P)[4]; q = & (*P); n = sizeof (*P); }"},
        {"void f(void) { x = pool ; } void g(void) { y = blob; }",
         "void f(void) { x = (*P) ; } void g(void) { y = (*B); }"},
        {"T f(void) __attribute__((noinline)) { g(pool); }",
         "T f(void) __attribute__((noinline)) { g((*P)); }"},
        {"struct s f(struct s a) { g(pool); }", "struct s f(struct s a) { g((*P)); }"},
        {"struct s *f(void) { g(pool); }", "struct s *f(void) { g((*P)); }"},
        {"MACRO(x) { g(pool); }", "MACRO(x) { g((*P)); }"},
        {"int a[] = {1}; int (*v)(void) = 0; void f(int b[static 3]) { g(pool); }",
         "int a[] = {1}; int (*v)(void) = 0; void f(int b[static 3]) { g((*P)); }"},
        {"void f(void) { for (;;) { switch (x) { case 1: g(pool); } } h(pool); }",
         "void f(void) { for (;;) { switch (x) { case 1: g((*P)); } } h((*P)); }"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        expect(u, cases[i].text, cases[i].want);
}

/* Every byte of these stays. */
static void keeps_what_is_constant_or_another_name(void **state) {
    struct unit *u = *state;
    static const char *const texts[] = {
        "",
        "\n",
        "extern unsigned char pool[]; /* [12]; */\n",
        "static const T t = {.m = (unsigned char *)((uintptr_t)pool + 4)};",
        "T t[2] = {{pool}, {pool}}; unsigned char *p = pool, *q = pool;",
        "struct s { int x; } t = {pool};",
        "struct __attribute__((packed)) s { int x; }; enum e { A, B };",
        "union u { int x; }; typedef struct { int y; } v; v w = {pool};",
        "void f(void) { static const T t = {pool, {pool}}; }",
        "void f(void) { const static T t[] = {pool}, u = {pool}; }",
        "void f(void) { { static T *t = &(T){pool}; } }",
        "void f(void) { extern unsigned char pool[]; }",
        "void f(void) { x.pool = y->pool; T t = {.pool = 1}; pools(); mypool(); }",
        "void f(void) { g(\"pool\", 'p'); /* pool */ // pool\n}",
        "extern \"C\" {\nstatic const T t = {pool};\n}\n",
        "const T *p = pool; T *q = (T *)(pool + 4);",
        "T *const t[] = {pool}; void f(void) { static T *t[] = {(T *)(pool + 4)}; }",
        "void f(void) { g(poo + 1, a.poo, poo \\\n + 1, pools, apoo, po); }",
        "T t = {CAT(poo, l)};\n#define M(x) x + \\\n  2 \\\n poo + 3\n",
        "#include \"pool\"\n#if defined(pool)\n#endif\n#pragma pool\n#error don't pool\n",
        "#define other 1\n#define f(x) \"pool\" /* pool */ x.pool\n",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        expect(u, texts[i], texts[i]);
}

/* The effect of static ends with its declaration. */
static void goes_on_behind_what_is_static(void **state) {
    struct unit *u = *state;
    expect(u, "void f(void) { static T t = {pool}; g(pool); { static int i; g(pool); } g(pool); }",
           "void f(void) { static T t = {pool}; g((*P)); { static int i; g((*P)); } g((*P)); }");
    expect(u, "T t = {pool}; void f(void) { g(pool); } T u = {pool};",
           "T t = {pool}; void f(void) { g((*P)); } T u = {pool};");
    expect(u, "extern \"C\" { void f(void) { g(pool); } T u = {pool}; } void h(void) { g(pool); }",
           "extern \"C\" { void f(void) { g((*P)); } T u = {pool}; } void h(void) { g((*P)); }");
    expect(u, "void f(void) { typedef int i; g(pool); if (x) { static int k } g(pool); }",
           "void f(void) { typedef int i; g((*P)); if (x) { static int k } g((*P)); }");
}

static void puts_words_behind_definitions(void **state) {
    struct unit *u = *state;
    expect(u, "SECTION\nstatic const uint64_t blob[] =\n{\n  1,\n};\n\nint i;",
           "SECTION\nstatic const uint64_t blob[] =\n{\n  1,\n}; BEHIND;\n\nint i;");
    expect(u, "extern const uint64_t blob[];\nT *p = blob;\n",
           "extern const uint64_t blob[];\nT *p = blob;\n");
    expect(u, "__attribute__((aligned(64)))\nstatic const uint64_t blob[1] = {1}; int blobs = 2;",
           "__attribute__((aligned(64)))\nstatic const uint64_t blob[1] = {1}; BEHIND; int blobs = "
           "2;");
}

static void gives_macros_a_second_form(void **state) {
    struct unit *u = *state;
    expect(u, "#define M ((char *)pool) // of pool\nT t = {M};\nvoid f(void) { g(M); }\n",
           "#define M ((char *)pool) // of pool\n#define rp_code_M ((char *)(*P)) // of pool\n"
           "#line 2\nT t = {M};\nvoid f(void) { g(rp_code_M); }\n");
    expect(u, "#define M(a) \\\n  h(a, pool)\nvoid f(void) { M(pool); static T t[] = {M(1)}; }",
           "#define M(a) \\\n  h(a, pool)\n#define rp_code_M(a) \\\n  h(a, (*P))\n#line 3\n"
           "void f(void) { rp_code_M((*P)); static T t[] = {M(1)}; }");
    expect(u, "#define M blob\n#define N (M + 24)\nvoid f(void) { g(N); }",
           "#define M blob\n#define rp_code_M (*B)\n#line 2\n"
           "#define N (M + 24)\n#define rp_code_N (rp_code_M + 24)\n#line 3\n"
           "void f(void) { g(rp_code_N); }");
    expect(u, "#define M pool\n#undef M\n#define M 1\nvoid f(void) { g(M); }",
           "#define M pool\n#define rp_code_M (*P)\n#line 2\n#undef M\n"
           "#define M 1\n#define rp_code_M 1\n#line 4\nvoid f(void) { g(rp_code_M); }");
    expect(u, "# define /* x */ M pool",
           "# define /* x */ M pool\n#define rp_code_M (*P)\n#line 2");
}

/* The #line behind the macro does not count where an #if leaves it out. */
static void keeps_line_numbers_behind_conditions(void **state) {
    struct unit *u = *state;
    expect(u, "#if 0\n#define M pool\n#else\nx\n#endif\ny\n",
           "#if 0\n#define M pool\n#define rp_code_M (*P)\n#line 3\n#else\n#line 4\nx\n"
           "#endif\n#line 6\ny\n");
    expect(u, "#if 0\n#endif\n", "#if 0\n#endif\n");
}

static void macros_of_one_file_are_known_in_the_next(void **state) {
    struct unit *u = *state;
    struct rp_npu_names names = {0};
    assert_non_null(rewrite(u, &names, "#define M pool\n"));
    assert_string_equal(rewrite(u, &names, "void f(void) { g(M, pool); }"),
                        "void f(void) { g(rp_code_M, (*P)); }");
    assert_int_equal(names.count, 3);
}

static void refuses_what_cannot_be_told(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"int x;\nvoid f(char *pool) { g(pool); }",
         "net.c:2: cannot tell whether code uses 'pool'"},
        {"struct s { char *pool; };", "net.c:1: cannot tell whether"},
        {"void f(void)\n{\n char pool[3]; }", "net.c:3: a function has something else of"},
        {"\n#define pool 1\n", "net.c:2: cannot tell what uses mean"},
        {"\n\n#define M(x) x ## pool\n", "net.c:3: cannot tell what becomes of 'pool'"},
        {"#define M(x) pool##x\n", "net.c:1: cannot tell what becomes of 'pool'"},
        {"#define M(x) #pool\n", "net.c:1: cannot tell what becomes of 'pool'"},
        {"#define M(x) do { static T t = {pool}; } while (0)\n", "a macro with something static"},
        {"int f(a) int a; { g(pool); }", "net.c:1: cannot tell what is opened by '{'"},
        {"{ }", "net.c:1: cannot tell what is opened by '{'"},
        {"void f(void) {\n g(pool]; }", "net.c:2: nothing is open that is closed by ']'"},
        {"}", "net.c:1: nothing is open that is closed by '}'"},
        {"void f(void) {\n g(pool);\n", "net.c:1: the bracket that '}' would close is not closed"},
        {"void f(void) {\n static const T *const p = pool + 4; }", "net.c:2: code would have"},
        {"void f(void) { static T *p = (T *)((uintptr_t)pool + 4), q; }", "code would have the"},
        {"void f(void) { const static T *p = q(1, pool); }", "is set to: 'pool'"},
        {"static T *p = (T *)(pool);", "net.c:1: code would have the address"},
        {"extern \"C\" {\nT *const p = (pool);\n}", "net.c:2: code would have the address"},
        {"void f(void) {\n g(CAT(po, x), CAT(poo, l)); }",
         "net.c:2: cannot tell what becomes of 'poo'"},
        {"void f(void) { g(CAT(1, poo)); }", "what becomes of 'poo'"},
        {"\n#define M CAT(poo, l)\n", "net.c:2: cannot tell what becomes of 'poo'"},
        {"void f(void) { g(1 + poo\\\nl); }", "net.c:1: cannot tell what becomes of 'poo'"},
        {"void f(void) { g(1 + poo\\\r\nl); }", "net.c:1: cannot tell what becomes of 'poo'"},
        {"int x;\n/* pool", "net.c:2: a comment is not closed"},
        {"#define M \"pool\n", "net.c:1: a string is not closed"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        refuse(u, cases[i].text, cases[i].part);
}

/* No prefix of a text crashes, is read past its end, or is taken for a whole function. */
static void stands_every_prefix(void **state) {
    struct unit *u = *state;
    static const char text[] = "#define M(x) ((T)pool + x)\nextern \"C\" {\nstruct s { int a; };\n"
                               "static const T blob[] = {1, 'c', \"s\"};\nvoid f(int a[2])\n{\n"
                               "  static T t = {pool};\n  g(M(1), t.pool, pool); /* c */\n}\n}\n";
    for (size_t len = 0; len < sizeof text; len++) {
        struct rp_npu_names names = {0};
        rewrite(u, &names, rp_strndup(&u->arena, text, len));
        u->err = (struct rp_error){0};
    }
}

static void takes_many_names_and_brackets(void **state) {
    struct unit *u = *state;
    enum { MANY = 20000 };
    struct rp_npu_names names = {0};
    struct rp_buf text = {.arena = &u->arena};
    for (unsigned i = 0; i < MANY; i++)
        rp_buf_printf(&text, "#define M%u pool\n", i);
    rp_buf_puts(&text, "void f(void) {");
    for (unsigned i = 0; i < MANY; i++)
        rp_buf_puts(&text, "(");
    rp_buf_printf(&text, "M%u", MANY - 1);
    for (unsigned i = 0; i < MANY; i++)
        rp_buf_puts(&text, ")");
    rp_buf_puts(&text, "; }");
    const char *got = rewrite(u, &names, text.data);
    assert_non_null(got);
    assert_int_equal(names.count, MANY + 2);
    assert_non_null(strstr(got, "(rp_code_M19999)"));
    assert_string_equal(rp_npu_names_find(&names, "M77", 3)->instead, "rp_code_M77");
    assert_null(rp_npu_names_find(&names, "M77", 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(replaces_in_function_bodies),
        UNIT(keeps_what_is_constant_or_another_name),
        UNIT(goes_on_behind_what_is_static),
        UNIT(puts_words_behind_definitions),
        UNIT(gives_macros_a_second_form),
        UNIT(keeps_line_numbers_behind_conditions),
        UNIT(macros_of_one_file_are_known_in_the_next),
        UNIT(refuses_what_cannot_be_told),
        UNIT(stands_every_prefix),
        UNIT(takes_many_names_and_brackets),
    };
    return RUN(tests);
}
