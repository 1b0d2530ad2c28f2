/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/cread/source.h and init.h: declarations of raw C, and their initialisers.
 */
#include "tests/unit/unit.h"

#include "toolchain/cread/init.h"
#include "toolchain/cread/source.h"

static void begin(struct unit *u, struct rp_csource *source, const char *text) {
    *source = (struct rp_csource){
        .lexer = {.at = text, .end = text + strlen(text), .path = "n.c", .line = 1},
        .arena = &u->arena,
        .err = &u->err,
        .unclear = RP_E_ATON};
}

/* Heads as text, each followed by the sign that ends it. */
static char *heads_of(struct unit *u, const char *text) {
    struct rp_csource source;
    char *out = rp_strdup(&u->arena, "");
    begin(u, &source, text);
    bool ok = rp_csource_next(&source);
    while (ok && source.token.kind != RP_CTOKEN_END) {
        ok = rp_csource_head(&source);
        for (size_t i = 0; ok && i < source.head.count; i++)
            out = rp_format(&u->arena, "%s%.*s ", out, (int)source.head.items[i].len,
                            source.head.items[i].at);
        out = rp_format(&u->arena, "%s%.*s|", out, (int)source.token.len, source.token.at);
        ok = ok && rp_csource_pass(&source, NULL);
    }
    return ok ? out : NULL;
}

static void splits_declarations(void **state) {
    struct unit *u = *state;
    assert_string_equal(heads_of(u, ""), "");
    assert_string_equal(heads_of(u, "int a; // b\n#define c ;\nint d[2] = {1, {2}}, e = 3; f"),
                        "int a ;|int d [ 2 ] =|f |");
    assert_string_equal(heads_of(u, "void f(int a) <% for (a = 0; a;) { g(a); } %>"),
                        "void f ( int a ) <%|for ( a = 0 ; a ; ) {|g ( a ) ;|}|%>|");
    /* braces count even where parentheses do not close */
    assert_string_equal(heads_of(u, "\n#if A\nf(a {\n#else\nf(b {\n#endif\n} int c;"),
                        "f ( a {|f ( b {|}|int c ;|");
    assert_null(heads_of(u, "int a =\n {1;"));
    REFUSED(u, false, RP_E_INPUT, "n.c:2: a brace is not closed");
    assert_null(heads_of(u, "int a =\n 1"));
    REFUSED(u, false, RP_E_INPUT, "n.c:2: a declaration does not end");
}

static void see(void *owner, const struct rp_ctoken *word) {
    char **out = owner;
    size_t len = strlen(*out);
    memcpy(*out + len, word->at, word->len);
}

static void passes_over_bodies(void **state) {
    struct unit *u = *state;
    struct rp_csource source;
    char seen[64] = "", *out = seen;
    begin(u, &source, "{ a(1); { b (c); } d; } e");
    source.owner = &out;
    assert_true(rp_csource_next(&source) && rp_csource_skip_braces(&source, see));
    assert_true(rp_ctoken_is(&source.token, "e"));
    assert_string_equal(seen, "ab");
    REFUSED(u, rp_csource_expect(&source, ";"), RP_E_ATON, "n.c:1: ';' expected in front of 'e'");
}

static void finds_names(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *open, *name;
    } cases[] = {{"static const int a[2] = {1};", "[", "a"},
                 {"int *f(int b[2]);", "[", NULL},
                 {"int *f(int b[2]);", "(", "f"},
                 {"__attribute__((aligned(4))) int c[];", "(", NULL},
                 {"__attribute__((aligned(4))) int c[];", "[", "c"},
                 {"int d;", "[", NULL}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_csource source;
        begin(u, &source, cases[i].text);
        ACCEPTED(u, rp_csource_next(&source) && rp_csource_head(&source));
        const struct rp_ctoken *name = rp_ctokens_name(&source.head, cases[i].open);
        assert_true(cases[i].name == NULL ? name == NULL : rp_ctoken_is(name, cases[i].name));
    }
}

/* ---- initialisers ---- */

/* Reads "= value;" or the like. */
static struct rp_cinit value_of(struct unit *u, struct rp_csource *source, const char *text) {
    begin(u, source, text);
    ACCEPTED(u, rp_csource_next(source) && rp_csource_value(source));
    return rp_cinit_of(source);
}

static void takes_values_apart(void **state) {
    struct unit *u = *state;
    struct rp_csource source;
    struct rp_cinit_list list, inner;
    struct rp_cinit item, member;
    const struct rp_cinit whole = value_of(
        u, &source, "{ .a = {1, \"b\"}, f(2, (3, 4)), .c = (int[2]) {\t\n 5, }, .c = 6, -.5e1f };");
    assert_true(rp_ctoken_is(&source.token, ";") && rp_cinit_items(&whole, &list));
    assert_true(rp_cinit_next(&list, &item) && rp_ctoken_is(item.member, "a"));
    assert_true(rp_cinit_items(&item, &inner) && rp_cinit_next(&inner, &member));
    assert_string_equal(rp_cinit_text(&u->arena, &member), "1");
    assert_true(rp_cinit_next(&inner, &member) && !rp_cinit_next(&inner, &item));
    assert_string_equal(rp_cinit_string(&u->arena, &member), "b");
    assert_true(rp_cinit_next(&list, &item) && item.member == NULL && rp_cinit_calls(&item, "f"));
    assert_true(!rp_cinit_calls(&item, "g") && rp_cinit_items(&item, &inner));
    assert_true(rp_cinit_next(&inner, &member) && rp_cinit_next(&inner, &member));
    assert_string_equal(rp_cinit_text(&u->arena, &member), "(3, 4)");
    assert_false(rp_cinit_items(&member, &inner) || rp_cinit_string(&u->arena, &member) != NULL);
    assert_int_equal(rp_cinit_member(&whole, "c", &item), 2);
    assert_string_equal(rp_cinit_text(&u->arena, &item), "(int[2]) { 5, }");
    assert_true(rp_cinit_items(&item, &inner) && rp_cinit_next(&inner, &member));
    assert_false(rp_cinit_next(&inner, &member));
    assert_int_equal(rp_cinit_member(&whole, "d", &item), 0);
    assert_true(item.count == 0 && item.line == 1);
    double real;
    for (int i = 0; i < 3; i++)
        assert_true(rp_cinit_next(&list, &item));
    assert_true(item.line == 2 && rp_cinit_real(&item, &real) && real == -5);
    assert_false(rp_cinit_next(&list, &item) || rp_cinit_real(&whole, &real));
}

static void joins_strings(void **state) {
    struct unit *u = *state;
    struct rp_csource source;
    const struct rp_cinit value = value_of(u, &source, "\"a\\\"\\\\\" \"\\n\", x;");
    assert_string_equal(rp_cinit_string(&u->arena, &value), "a\"\\\\n");
    assert_true(rp_ctoken_is(&source.token, ","));
}

static void refuses_values_without_an_end(void **state) {
    struct unit *u = *state;
    static const char *const texts[] = {"{ 1, 2", "{ 1; }", "1", "f(", "{ ( };"};
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct rp_csource source;
        begin(u, &source, texts[i]);
        REFUSED(u, rp_csource_next(&source) && rp_csource_value(&source), RP_E_INPUT,
                "n.c:1: an initialiser is not closed");
    }
}

/* ---- directives ---- */

static void reads_directives(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text;
        size_t words;
        int64_t number;
    } cases[] = {{"#define A /* b */ (1 + 0x10u) // c", 7, 17},
                 {"%: define A \\\n 2", 3, 2},
                 {"#define A B", 3, -1},
                 {"#define A(b) 1", 6, -1},
                 {"#define A", 2, -1},
                 {"#undef A 1", 3, -1},
                 {"#error don't", 2, -1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct rp_ctoken token = {RP_CTOKEN_DIRECTIVE, 1, cases[i].text,
                                        strlen(cases[i].text)};
        struct rp_ctokens words = {0};
        int64_t number;
        rp_cdirective_split(&u->arena, &token, &words);
        assert_int_equal(words.count, cases[i].words);
        assert_int_equal(rp_cdirective_number(&words, &number), cases[i].number >= 0);
        assert_int_equal(number, cases[i].number >= 0 ? cases[i].number : 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(splits_declarations), UNIT(passes_over_bodies), UNIT(finds_names),
        UNIT(takes_values_apart),  UNIT(joins_strings),      UNIT(refuses_values_without_an_end),
        UNIT(reads_directives)};
    return RUN(tests);
}
