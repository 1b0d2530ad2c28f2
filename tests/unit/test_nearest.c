/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/nearest: edit distances, and which words are near enough to be suggested. */
#include "base/nearest.h"
#include "tests/unit/unit.h"

#include <limits.h>

static void distances(void **state) {
    static const struct {
        const char *a, *b;
        unsigned distance;
    } cases[] = {{"", "", 0},
                 {"", "abc", 3},
                 {"abc", "", 3},
                 {"abc", "abc", 0},
                 {"abc", "ABC", 0},
                 {"ram-xip", "ram_xip", 0},
                 {"abc", "abd", 1},
                 {"abc", "ab", 1},
                 {"abc", "xabc", 1},
                 {"abc", "acb", 1},
                 {"abcd", "badc", 2},
                 {"split", "splitt", 1},
                 {"kitten", "sitting", 3},
                 {"ab", "ba", 1},
                 {"stm32f4", "stm32h7", 2}};
    char word[65];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rp_word_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(rp_word_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
    memset(word, 'x', sizeof word);
    word[64] = '\0';
    assert_int_equal(rp_word_distance(word, "x"), UINT_MAX);
    word[63] = '\0';
    assert_int_equal(rp_word_distance(word, ""), 63);
    assert_int_equal(rp_word_distance(word, word), 0);
}

static void suggestions(void **state) {
    static const struct {
        const char *word, *want;
    } cases[] = {
        {"splitt", "split"}, {"slpit", "split"}, {"compct", "compact"}, {"copy_only", "copy-only"},
        {"f5", "f4"},        {"zz", NULL},       {"something", NULL},   {"", NULL},
        {"c", NULL},         {"lvm", "llvm"}};
    static const char known[] = " split compact  copy-only llvm f4 f7";
    char got[RP_WORD_BYTES];
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(rp_nearest(got, cases[i].word, known), cases[i].want != NULL);
        if (cases[i].want != NULL)
            assert_string_equal(got, cases[i].want);
    }
}

static void hints(void **state) {
    struct unit *unit = *state;
    rp_fail(&unit->err, RP_E_USAGE, "option --jsn");
    assert_false(rp_hint_nearest(&unit->err, "zzzz", "--", "json"));
    assert_null(unit->err.hint);
    assert_false(rp_hint_nearest(&unit->err, "jsn", "--", "json"));
    assert_string_equal(unit->err.hint, "did you mean --json?");
}

static void finds_the_nearest_few(void **state) {
    (void)state;
    static const char known[] = "stm32f0 stm32f3 stm32f4 stm32h7 stm32f7 nrf52840";
    char few[3][RP_WORD_BYTES];
    assert_int_equal(rp_nearest_few(few, 3, "stm32f5", known), 3);
    assert_string_equal(few[0], "stm32f0");
    assert_string_equal(few[1], "stm32f3");
    assert_string_equal(few[2], "stm32f4");
    assert_int_equal(rp_nearest_few(few, 2, "stm32g7", known), 2);
    assert_string_equal(few[0], "stm32h7"); /* nearer than those that come before it */
    assert_string_equal(few[1], "stm32f7");
    assert_int_equal(rp_nearest_few(few, 3, "nrf5284", known), 1);
    assert_string_equal(few[0], "nrf52840");
    assert_int_equal(rp_nearest_few(few, 3, "esp32-s3-devkit", known), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {UNIT(distances), UNIT(suggestions), UNIT(hints),
                                       UNIT(finds_the_nearest_few)};
    return RUN(tests);
}
