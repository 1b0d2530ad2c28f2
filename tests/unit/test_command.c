/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/compile/command.h, and of splitting in toolchain/compile/quote.h. */
#include "tests/unit/unit.h"

#include "toolchain/compile/quote.h"
#include "toolchain/compile/command.h"

static const char *joined(struct unit *u, const struct rp_strings *words) {
    char *text = rp_strdup(&u->arena, "");
    for (size_t i = 0; i < words->count; i++)
        text = rp_format(&u->arena, "%s[%s]", text, words->items[i]);
    return text;
}

static void splits_words(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"a", "[a]"},
        {"  a\tb \n c ", "[a][b][c]"},
        {"'a b' \"c d\"", "[a b][c d]"},
        {"a'b'\"c\"d", "[abcd]"},
        {"'' \"\"", "[][]"},
        {"a\\ b \\'", "[a b][']"},
        {"'a\\b' \"a\\\"b\"", "[a\\b][a\"b]"},
        {"$HOME `x` *;|&", "[$HOME][`x`][*;|&]"},
        {"\"it's\" '\"'", "[it's][\"]"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_strings words = {0};
        ACCEPTED(u, rp_split_words(&u->arena, cases[i].text, &words, &u->err));
        assert_string_equal(joined(u, &words), cases[i].words);
    }
    static const char *const open[] = {"'a", "a \"b", "a\\", "\"a\\\""}, *const none[] = {"",
                                                                                          " \t"};
    for (size_t i = 0; i < COUNT(open); i++) {
        struct rp_strings words = {0};
        REFUSED(u, rp_split_words(&u->arena, open[i], &words, &u->err), RP_E_USAGE, "not closed");
    }
    for (size_t i = 0; i < COUNT(none); i++) {
        struct rp_strings words = {0};
        REFUSED(u, rp_split_words(&u->arena, none[i], &words, &u->err), RP_E_USAGE, "no word");
    }
}

static void fills_places(void **state) {
    struct unit *u = *state;
    struct rp_strings values = {0};
    RP_PUSH_WORDS(&u->arena, &values, "port=99", "cfg=a.cfg", "cfg=b {port}", "empty=", "p-id=x=y");
    static const struct {
        const char *text, *line;
    } cases[] = {
        {"s -p {port}", "[s][-p][99]"},
        {"s tcp:{port}:{p-id}", "[s][tcp:99:x=y]"},
        {"s -f {cfg} -c 'q {cfg}'", "[s][-f][a.cfg][-f][b {port}][-c][q a.cfg][-c][q b {port}]"},
        {"s {cfg} e", "[s][a.cfg][b {port}][e]"},
        {"s -x {empty} e", "[s][e]"},
        {"s x {empty}", "[s][x]"},
        {"s -x -y {empty} e", "[s][-x][e]"},
        {"s -x 'a {empty} b' -z", "[s][-z]"},
        {"s {} { {Port} {port {1}", "[s][{}][{][{Port}][{port][{1}]"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_strings words = {0}, line = {0};
        ACCEPTED(u, rp_split_words(&u->arena, cases[i].text, &words, &u->err));
        ACCEPTED(u, rp_command_fill(&u->arena, &words, &values, &line, &u->err));
        assert_string_equal(joined(u, &line), cases[i].line);
    }
    struct rp_strings words = {0}, line = {0};
    RP_PUSH_WORDS(&u->arena, &words, "s", "{nope}");
    assert_false(rp_command_fill(&u->arena, &words, &values, &line, &u->err));
    assert_int_equal(u->err.id, RP_E_USAGE);
    CONTAINS(u->err.message, "{nope}");
    CONTAINS(u->err.hint, "{port}, {cfg}, {empty}, {p-id}");
    rp_strings_push(&u->arena, &words, "{port}{cfg}{other}"); /* every place in a word counts */
    words.items[1] = "x{p-id}";
    u->err = (struct rp_error){0};
    REFUSED(u, rp_command_fill(&u->arena, &words, &values, &line, &u->err), RP_E_USAGE, "{other}");
    assert_true(rp_command_has(&words, "p-id"));
    assert_true(rp_command_has(&words, "cfg"));
    assert_false(rp_command_has(&words, "p"));
    assert_false(rp_command_has(&words, "empty"));
    assert_null(rp_command_value(&values, "empty"));
    assert_null(rp_command_value(&values, "po"));
    assert_string_equal(rp_command_value(&values, "cfg"), "a.cfg");
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(splits_words), UNIT(fills_places)};
    return RUN(tests);
}
