/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of toolchain/compile/depends.h: rules as gcc and clang write them, and as make reads
 * them.
 */
#include "tests/unit/unit.h"

#include "base/file.h"
#include "toolchain/compile/depends.h"

static void reads_rules(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *rule;
        const char *names[5];
    } cases[] = {
        {"obj/001.o: a.c b.h\n", {"a.c", "b.h"}},
        {"obj/001.o: a.c \\\n b.h \\\n  c.h", {"a.c", "b.h", "c.h"}},
        {"obj/001.o: a.c \\\r\n b.h\r\n", {"a.c", "b.h"}},
        {"obj/001.o:\\\n a.c\\\n b.h\n", {"a.c", "b.h"}},
        {"obj/001.o: /x/a\\ b.c c\\\td.h\n", {"/x/a b.c", "c\td.h"}},
        {"o: a$$b $$ c\\#d\n", {"a$b", "$", "c#d"}},
        {"o: a\\b \\x a\\\\b\n", {"a\\b", "\\x", "a\\\\b"}},
        {"o: a\\\\\\ b x\n", {"a\\ b", "x"}},
        {"o: a\\\\ b\n", {"a\\", "b"}},
        {"o: a\\\\\\\n b\n", {"a\\\\", "b"}},
        {"o: a:b c;d 'e' \"f\" %\n", {"a:b", "c;d", "'e'", "\"f\"", "%"}},
        {"o: \n", {NULL}},
        {"o:", {NULL}},
        {"", {NULL}},
        {"no rule", {NULL}},
        {"o: a\\", {"a\\"}},
        {"o: $", {"$"}},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_strings names = {0};
        size_t count = 0;
        char *rule = unit_exact(cases[i].rule, strlen(cases[i].rule) + 1);
        rp_depends_parse(&names, &u->arena, rule);
        free(rule);
        while (count < 5 && cases[i].names[count] != NULL)
            count++;
        assert_int_equal(names.count, count);
        for (size_t k = 0; k < count; k++)
            assert_string_equal(names.items[k], cases[i].names[k]);
    }
}

/* Quoted names are read back. In targets % is quoted, too, for make only. */
static void quotes_as_it_reads(void **state) {
    struct unit *u = *state;
    static const char *const names[] = {"plain.c", "a b",     "a  b ", "a\tb",    "$x$$",
                                        "#",       "a\\b",    "a\\ b", "a\\\\ b", "\\#",
                                        "%",       "'\"`*?[", " ",     "\xC3\xA4"};
    struct rp_buf out = {.arena = &u->arena};
    rp_buf_puts(&out, "o:");
    for (size_t i = 0; i < COUNT(names); i++) {
        rp_buf_puts(&out, " \\\n ");
        rp_depends_quote(&out, names[i], false);
    }
    rp_buf_puts(&out, "\n");
    struct rp_strings got = {0};
    rp_depends_parse(&got, &u->arena, out.data);
    assert_int_equal(got.count, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(names[i], "\\#") != 0) /* gcc writes it as \\#, which make reads as a comment */
            assert_string_equal(got.items[i], names[i]);
    out.len = 0;
    rp_depends_quote(&out, "a%b", true);
    assert_string_equal(out.data, "a\\%b");
}

static void reads_maps(void **state) {
    struct unit *u = *state;
    struct rp_strings names = {0};
    rp_depends_of_map(&names, &u->arena,
                      "\nLinker script and memory map\n\nLOAD obj/001.o\nSTART GROUP\n"
                      "LOAD /lib/a b/libm.a\nEND GROUP\nOUTPUT(LOAD x)\n LOAD no\n");
    assert_int_equal(names.count, 2);
    assert_string_equal(names.items[0], "obj/001.o");
    assert_string_equal(names.items[1], "/lib/a b/libm.a");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_rules),
        UNIT(quotes_as_it_reads),
        UNIT(reads_maps),
    };
    return RUN(tests);
}
