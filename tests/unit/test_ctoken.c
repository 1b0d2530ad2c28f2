/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/cread/token.h and expr.h: tokens of raw C, constant expressions. */
#include "tests/unit/unit.h"

#include "toolchain/cread/expr.h"
#include "toolchain/cread/token.h"

/* Tokens as text: the letter of the kind, the line and the token, each followed by a |. */
static char *tokens_of(struct unit *u, const char *text, size_t len) {
    static const char letters[] = "ewnscp/#";
    char *exact = unit_exact(text, len), *out = rp_strdup(&u->arena, "");
    struct rp_clexer lexer = {.at = exact, .end = exact + len, .path = "n.c", .line = 1};
    struct rp_ctoken token;
    for (;;) {
        bool ok = rp_ctoken_next(&lexer, &token, &u->err);
        if (!ok || token.kind == RP_CTOKEN_END)
            break;
        out = rp_format(&u->arena, "%s%c%u:%.*s|", out, letters[token.kind], token.line,
                        (int)token.len, token.at);
    }
    free(exact);
    return u->err.id == 0 ? out : NULL;
}

static void check_tokens(struct unit *u, const char *text, const char *want) {
    const char *got = tokens_of(u, text, strlen(text));
    if (got == NULL || strcmp(got, want) != 0)
        fail_msg("%s\ngot  %s\nwant %s\n%s", text, got != NULL ? got : "an error", want,
                 u->err.message);
}

static void reads_each_kind(void **state) {
    struct unit *u = *state;
    check_tokens(u, "", "");
    check_tokens(u, " \t\r\n", "");
    check_tokens(u, "int _a$1=0x1FUL;", "w1:int|w1:_a$1|p1:=|n1:0x1FUL|p1:;|");
    check_tokens(u, "1.5e-3f .5 1e+2 0x1p-3 1-2 0xe-1 1..2",
                 "n1:1.5e-3f|n1:.5|n1:1e+2|n1:0x1p-3|n1:1|p1:-|n1:2|n1:0xe|p1:-|n1:1|n1:1..2|");
    check_tokens(u, "a->b<<=c>>d<e...f#g",
                 "w1:a|p1:->|w1:b|p1:<<=|w1:c|p1:>>|w1:d|p1:<|w1:e|p1:...|w1:f|p1:#|w1:g|");
    check_tokens(u, "\"a\\\"b\" 'c' '\\'' \"\\\\\"", "s1:\"a\\\"b\"|c1:'c'|c1:'\\''|s1:\"\\\\\"|");
    check_tokens(u, "\xc3\xa4=1", "w1:\xc3\xa4|p1:=|n1:1|");
}

static void reads_raw_strings(void **state) {
    struct unit *u = *state;
    check_tokens(u, "R\"(\"})\" u8R\"x()\")\n)x\"a", "s1:R\"(\"})\"|s1:u8R\"x()\")\n)x\"|w2:a|");
    check_tokens(u, "LR\"()\" XR\"()\" R \"()\" R'('",
                 "s1:LR\"()\"|w1:XR|s1:\"()\"|w1:R|s1:\"()\"|w1:R|c1:'('|");
    check_tokens(u, "R\"a b(\" R\"01234567890123456(\"",
                 "w1:R|s1:\"a b(\"|w1:R|s1:\"01234567890123456(\"|");
    check_tokens(u, "R\"0123456789012345()0123456789012345\"b",
                 "s1:R\"0123456789012345()0123456789012345\"|w1:b|");
    for (const char *const *text = (const char *const[]){"R\"(", "R\"x()\"", "R\"x()x", NULL};
         *text != NULL; text++) {
        u->err = (struct rp_error){0};
        assert_null(tokens_of(u, *text, strlen(*text)));
    }
}

static void reads_digraphs(void **state) {
    struct unit *u = *state;
    check_tokens(u, "a<:1:>=<%2%>;%:x",
                 "w1:a|p1:<:|n1:1|p1::>|p1:=|p1:<%|n1:2|p1:%>|p1:;|p1:%:|w1:x|");
    check_tokens(
        u, "%:define A\nA<::b> c<:::d d<::>",
        "#1:%:define A|w2:A|p2:<|p2::|p2::|w2:b|p2:>|w2:c|p2:<:|p2::|p2::|w2:d|w2:d|p2:<:|p2::>|");
    static const char *const pairs[] = {"<:[", ":>]", "<%{", "%>}", "%:#"};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        const struct rp_ctoken token = {RP_CTOKEN_PUNCT, 1, pairs[i], 2};
        assert_true(rp_ctoken_is(&token, pairs[i] + 2));
        assert_false(rp_ctoken_is(&token, "<"));
        assert_false(rp_ctoken_is(&token, ""));
    }
}

static void keeps_comments(void **state) {
    struct unit *u = *state;
    check_tokens(u, "a/* b\n * c */d // e\nf", "w1:a|/1:/* b\n * c */|w2:d|/2:// e|w3:f|");
    check_tokens(u, "// a \\\nb\nc", "/1:// a \\\nb|w3:c|");
    check_tokens(u, "/**/a/***/", "/1:/**/|w1:a|/1:/***/|");
    check_tokens(u, "\"/*\" '\"' /* \" */", "s1:\"/*\"|c1:'\"'|/1:/* \" */|");
    check_tokens(u, "a / b", "w1:a|p1:/|w1:b|");
}

static void keeps_directives_whole(void **state) {
    struct unit *u = *state;
    check_tokens(u, "#if A \\\n  != 1\nx", "#1:#if A \\\n  != 1|w3:x|");
    check_tokens(u, "#define A \\\r\n 1\r\nx", "#1:#define A \\\r\n 1\r|w3:x|");
    check_tokens(u, "  # include \"a//b.h\"\nx", "#1:# include \"a//b.h\"|w2:x|");
    check_tokens(u, "#define A /* 1\n2 */ 3\nx", "#1:#define A /* 1\n2 */ 3|w3:x|");
    check_tokens(u, "/* a */ #if B // c\nx", "/1:/* a */|#1:#if B // c|w2:x|");
    check_tokens(u, "#error don't\nx", "#1:#error don't|w2:x|");
    check_tokens(u, "#error \"a\nx", "#1:#error \"a|w2:x|");
    check_tokens(u, "a #b", "w1:a|p1:#|w1:b|");
    check_tokens(u, "a \\\n#b", "w1:a|p2:#|w2:b|");
}

static void says_what_is_not_closed(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text;
        const char *part;
    } cases[] = {{"a\n\"b\nc\"", "n.c:2: a string is not closed"},
                 {"'a", "n.c:1: a string is not closed"},
                 {"\"\\", "n.c:1: a string is not closed"},
                 {"\"\\\"", "n.c:1: a string is not closed"},
                 {"a\n\n/* b\n", "n.c:3: a comment is not closed"},
                 {"/*/", "n.c:1: a comment is not closed"},
                 {"\n#define A /* b\n", "n.c:2: a comment is not closed"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, tokens_of(u, cases[i].text, strlen(cases[i].text)) != NULL, RP_E_INPUT,
                cases[i].part);
}

/* Every prefix of a text with all kinds gives tokens or an error, and is not read past its end. */
static void takes_every_prefix(void **state) {
    struct unit *u = *state;
    static const char text[] =
        "#if A /* b */ \\\n == 1\n\"s\\\"\" 'c' 0x1e+5 /* d */ // e \\\nf\n<<=";
    for (size_t len = 0; len < sizeof text; len++) {
        (void)tokens_of(u, text, len);
        u->err = (struct rp_error){0};
    }
}

/* ---- expressions ---- */

static bool eval(struct unit *u, const char *text, struct rp_cvalue *out) {
    struct rp_ctoken tokens[256];
    size_t count = 0;
    struct rp_clexer lexer = {.at = text, .end = text + strlen(text), .path = "n.c", .line = 1};
    while (count < COUNT(tokens) && rp_ctoken_next(&lexer, &tokens[count], &u->err) &&
           tokens[count].kind != RP_CTOKEN_END)
        count++;
    return rp_cexpr_eval(tokens, count, out);
}

static void computes_numbers(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text;
        int64_t want;
    } cases[] = {{"1", 1},
                 {"0x342e0000UL", 0x342e0000},
                 {"010", 8},
                 {"-5", -5},
                 {"- -5", 5},
                 {"+7", 7},
                 {"~0", -1},
                 {"2+3*4", 14},
                 {"(2+3)*4", 20},
                 {"20-5-5", 10},
                 {"100/7%5", 4},
                 {"1<<4|1", 17},
                 {"6&3^1", 3},
                 {"256>>4", 16},
                 {"5<<0|0", 5},
                 {"7/-1", -7},
                 {"{ 5 }", 5},
                 {"{{5,}}", 5},
                 {"NULL", 0},
                 {"true", 1},
                 {"false", 0},
                 {"(void *)0", 0},
                 {"(int)-5", -5},
                 {"(uint32_t)(5)", 5},
                 {"(my_type)5", 5},
                 {"(a b *)5", 5},
                 {"((unsigned char *)(0x34200000UL + 16))", 0x34200010},
                 {"{((unsigned char *)(0x10UL + 1))}", 17},
                 {"(unsigned char *)ATON_LIB_PHYSICAL_TO_VIRTUAL_ADDR(0x10UL)", 16},
                 {"__LL_ATON_LIB_VIRTUAL_TO_PHYSICAL_ADDR((uintptr_t)0x10UL + 2) + 1", 19},
                 {"9223372036854775807", INT64_MAX}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_cvalue value;
        if (!eval(u, cases[i].text, &value) || value.label.len != 0 ||
            value.number != cases[i].want)
            fail_msg("%s", cases[i].text);
    }
}

static void computes_labels(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text;
        const char *label;
        int64_t number;
        bool address_of;
    } cases[] = {
        {"a", "a", 0, false},
        {"a + 5", "a", 5, false},
        {"5 + a - 2", "a", 3, false},
        {"(a) + 5", "a", 5, false},
        {"(a) - 5", "a", -5, false},
        {"((unsigned char *)((((uintptr_t)(a)) + 328960)))", "a", 328960, false},
        {"(unsigned char *)ATON_LIB_VIRTUAL_TO_PHYSICAL_ADDR((uintptr_t)a)", "a", 0, false},
        {"{((unsigned char *)&a)}", "a", 0, true},
        {"&a + 4", "a", 4, true}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_cvalue value;
        if (!eval(u, cases[i].text, &value) || !rp_ctoken_is(&value.label, cases[i].label) ||
            value.number != cases[i].number || value.address_of != cases[i].address_of)
            fail_msg("%s", cases[i].text);
    }
}

static void refuses_other_expressions(void **state) {
    struct unit *u = *state;
    static const char *const cases[] = {"",
                                        "()",
                                        "(1",
                                        "1)",
                                        "1 2",
                                        "1 +",
                                        "+",
                                        "a + b",
                                        "a * 2",
                                        "2 - a",
                                        "-a",
                                        "~a",
                                        "&5",
                                        "&(a + 1)",
                                        "&&a",
                                        "a ? 1 : 2",
                                        "f(1)",
                                        "sizeof(a)",
                                        "1.5",
                                        "08",
                                        "1ULLL",
                                        "\"a\"",
                                        "'a'",
                                        "1 / 0",
                                        "1 % 0",
                                        "1 << 63",
                                        "-1 << 1",
                                        "-1 | 1",
                                        "1 >> 64",
                                        "{1, 2}",
                                        "{",
                                        "{}",
                                        "a[1]",
                                        "9223372036854775808",
                                        "9223372036854775807 + 1",
                                        "4294967296 * 4294967296",
                                        "0x",
                                        "(int)",
                                        "a == b",
                                        "(unsigned)"};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_cvalue value;
        if (eval(u, cases[i], &value))
            fail_msg("'%s' is %lld", cases[i], (long long)value.number);
    }
    char deep[256] = {0};
    struct rp_cvalue value;
    memset(deep, '(', 100);
    deep[100] = '1';
    memset(deep + 101, ')', 100);
    assert_false(eval(u, deep, &value));
    memset(deep, '-', 200);
    assert_false(eval(u, deep, &value));
}

static void reads_reals(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double want; /* 0: refused */
    } cases[] = {{"0.5", 0.5}, {"5e-1f", 0.5}, {"2", 2}, {"2F", 2}, {"1.5x", 0}, {"1.5ff", 0}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        double value = 0;
        struct rp_ctoken token = {RP_CTOKEN_NUMBER, 1, cases[i].text, strlen(cases[i].text)};
        bool ok = rp_cexpr_real(&token, &value);
        assert_int_equal(ok, cases[i].want != 0);
        assert_true(!ok || value == cases[i].want);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(reads_each_kind),
                                       UNIT(reads_raw_strings),
                                       UNIT(reads_digraphs),
                                       UNIT(keeps_comments),
                                       UNIT(keeps_directives_whole),
                                       UNIT(says_what_is_not_closed),
                                       UNIT(takes_every_prefix),
                                       UNIT(computes_numbers),
                                       UNIT(computes_labels),
                                       UNIT(refuses_other_expressions),
                                       UNIT(reads_reals)};
    return RUN(tests);
}
