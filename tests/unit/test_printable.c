/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/printable: what of a text from outside is shown as it is. */
#include "tests/unit/unit.h"

#include "base/printable.h"

static void escapes_what_is_not_text(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text, *text_shown, *lines_shown, *message_shown;
    } cases[] = {
        {"net.c", "net.c", "net.c", "net.c"},
        {"\xC3\xA9lan", "\xC3\xA9lan", "\xC3\xA9lan", "\xC3\xA9lan"},
        {"a\x1b[2K", "a\\x1B[2K", "a\\x1B[2K", "a\\x1B[2K"},
        {"a\tb",
         "a\\x09"
         "b",
         "a\tb", "a\tb"},
        {"a\nb",
         "a\\x0A"
         "b",
         "a\nb",
         "a\\x0A"
         "b"},
        {"a:\n  b", "a:\\x0A  b", "a:\n  b", "a:\n  b"},
        {"\xE2\x80\xAE.c", "\\xE2\\x80\\xAE.c", "\\xE2\\x80\\xAE.c", "\\xE2\\x80\\xAE.c"},
        {"\xE2\x81\xA6.c", "\\xE2\\x81\\xA6.c", "\\xE2\\x81\\xA6.c", "\\xE2\\x81\\xA6.c"},
        {"\xC2\xAD", "\\xC2\\xAD", "\\xC2\\xAD", "\\xC2\\xAD"},
        {"\xE2\x80\x8B", "\\xE2\\x80\\x8B", "\\xE2\\x80\\x8B", "\\xE2\\x80\\x8B"},
        {"\xE2\x80\xA8", "\\xE2\\x80\\xA8", "\\xE2\\x80\\xA8", "\\xE2\\x80\\xA8"},
        {"\xEF\xBB\xBF", "\\xEF\\xBB\\xBF", "\\xEF\\xBB\\xBF", "\\xEF\\xBB\\xBF"},
        {"\xF3\xA0\x81\xA1", "\\xF3\\xA0\\x81\\xA1", "\\xF3\\xA0\\x81\\xA1",
         "\\xF3\\xA0\\x81\\xA1"},
        {"\xE2\x80\x90\xE2\x82\xAC", "\xE2\x80\x90\xE2\x82\xAC", "\xE2\x80\x90\xE2\x82\xAC",
         "\xE2\x80\x90\xE2\x82\xAC"},
        {"a:\n  ::x::", "a:\\x0A  ::x::", "a:\n  ::x::", "a:\n  \\x3A:x::"},
        {"ns::f", "ns::f", "ns::f", "ns::f"},
        {"a ##[group]", "a ##[group]", "a ##[group]", "a \\x23#[group]"},
        {"\xFF\xC0\x80", "\\xFF\\xC0\\x80", "\\xFF\\xC0\\x80", "\\xFF\\xC0\\x80"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_string_equal(rp_printable(&u->arena, cases[i].text), cases[i].text_shown);
        assert_string_equal(rp_printable_lines(&u->arena, cases[i].text), cases[i].lines_shown);
        assert_string_equal(rp_printable_message(&u->arena, cases[i].text), cases[i].message_shown);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(escapes_what_is_not_text),
    };
    return RUN(tests);
}
