/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/json and json_text: exactly JSON, with line numbers; integers; printing. */
#include "tests/unit/unit.h"

#include "base/buf.h"
#include "base/json.h"

static struct rp_json *parse(struct unit *u, const char *text) {
    return rp_json_parse(text, strlen(text), "m.json", &u->err);
}

static void reads_every_type(void **state) {
    struct unit *u = *state;
    struct rp_json *root =
        parse(u, "{\"s\":\"x\",\"n\":-1.5,\"t\":true,\"f\":false,\"z\":null,\"a\":[1,2],\"o\":{}}");
    static const enum rp_json_type types[] = {RP_JSON_STRING, RP_JSON_NUMBER, RP_JSON_BOOL,
                                              RP_JSON_BOOL,   RP_JSON_NULL,   RP_JSON_ARRAY,
                                              RP_JSON_OBJECT};
    ACCEPTED(u, root != NULL);
    size_t i = 0;
    for (const struct rp_json *v = rp_json_first(root); v != NULL; v = rp_json_next(v))
        assert_int_equal(rp_json_type_of(v), types[i++]);
    assert_int_equal(i, COUNT(types));
    assert_int_equal(rp_json_count(root), COUNT(types));
    assert_string_equal(rp_json_string(rp_json_member(root, "s")), "x");
    assert_true(rp_json_number(rp_json_member(root, "n")) == -1.5);
    assert_string_equal(rp_json_key(rp_json_first(root)), "s");
    rp_json_free(root);
}

static void is_lenient_about_what_is_absent(void **state) {
    struct unit *u = *state;
    struct rp_json *root = parse(u, "{\"Name\":1}");
    int64_t number = 7;
    assert_null(rp_json_member(root, "name")); /* keys are case-sensitive */
    assert_null(rp_json_first(NULL));
    assert_int_equal(rp_json_count(NULL), 0);
    assert_null(rp_json_string(NULL));
    assert_null(rp_json_string(rp_json_member(root, "Name")));
    assert_false(rp_json_integer(NULL, 0, 9, &number));
    assert_false(rp_json_integer(root, 0, 9, &number));
    assert_int_equal(number, 7);
    rp_json_free(root);
}

static void names_the_line_of_a_mistake(void **state) {
    struct unit *u = *state;
    static const struct {
        const char *text;
        const char *where;
    } cases[] = {{"{\n\"a\": 1,\n\"b\": }\n", "m.json:3:"},
                 {"{\"a\":1} trailing", "m.json:1:"},
                 {"{\"a\":1}\n\n\n]", "m.json:4:"},
                 {"", "m.json:1:"},
                 {"{\"a\":1,}", "m.json:1:"},
                 {"{'a':1}", "m.json:1:"},
                 {"[1,2", "m.json:1:"},
                 {"nul", "m.json:1:"},
                 {"\"open", "m.json:1:"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, parse(u, cases[i].text) != NULL, RP_E_MANIFEST, cases[i].where);
}

static void refuses_zero_bytes(void **state) {
    struct unit *u = *state;
    static const char text[] = "{}\0{}";
    REFUSED(u, rp_json_parse(text, 5, "m", &u->err) != NULL, RP_E_MANIFEST, "m:1");
    static const char inside[] = "{\"a\":\"\0\"}";
    REFUSED(u, rp_json_parse(inside, 9, "m", &u->err) != NULL, RP_E_MANIFEST, "m:1");
    REFUSED(u, parse(u, "{\n\"a\":\"x\\u0000y\"}") != NULL, RP_E_MANIFEST, "m.json:2: not valid");
    REFUSED(u, parse(u, "{\"\\\\\\u0000\":1}") != NULL, RP_E_MANIFEST, "\\u0000 is not supported");
    struct rp_json *root = parse(u, "[\"\\\\u0000\", \"\\u00001\\u0001\"]");
    assert_null(root); /* four digits, whatever follows */
    root = parse(u, "[\"\\\\u0000\", \"\\u0001\"]");
    assert_string_equal(rp_json_string(rp_json_first(root)), "\\u0000");
    rp_json_free(root);
}

static void refuses_deep_nesting(void **state) {
    struct unit *u = *state;
    char *text = rp_alloc(&u->arena, 200001, 1);
    memset(text, '[', 200000);
    REFUSED(u, parse(u, text) != NULL, RP_E_MANIFEST, "nested too deeply");
    memset(text + 1000, ']', 1000);
    text[2000] = '\0'; /* as deep as it may be */
    struct rp_json *root = parse(u, text);
    ACCEPTED(u, root != NULL);
    rp_json_free(root);
}

/* What RFC 8259 has, and more or less of it. */
static void takes_exactly_json(void **state) {
    struct unit *u = *state;
    static const char *const good[] = {
        "[0,-0,-0.0,10,1.5,-1.5e-3,0E+0,1e308,123456789012345678901234567890]",
        "\xEF\xBB\xBF{}",
        " \t\r\n[ ] ",
        "[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\\uABCD\", \"\x7F\xC3\xA4\"]",
        "[\"\\ud83d\\uDE00\", \"\xF0\x9F\x98\x80\"]",
        "\"x\"",
        "null",
        "{\"\":{},\"a\":[{\"a\":1},{\"a\":1}],\"A\":true,\"a \":false}"};
    static const char *const bad[][2] = {
        {"[01]", "'01' is not a number"},
        {"[-01]", "'-01' is not"},
        {"[1.]", "'1.' is not"},
        {"[1.e1]", "'1.e1' is not"},
        {"[.5]", "'.5' is not"},
        {"[-.5]", "'-.5' is not"},
        {"[+1]", "'+1' is not"},
        {"[-]", "'-' is not"},
        {"[1e]", "'1e' is not"},
        {"[1e+]", "'1e+' is not"},
        {"[1.5.5]", "'1.5.5' is not"},
        {"[1-1]", "'1-1' is not"},
        {"[0x10]", "'0x10' is not"},
        {"[NaN]", "'NaN' is not"},
        {"[-Infinity]", "'-Infinity' is not"},
        {"[True]", "'True' is not"},
        {"[nullx]", "'nullx' is not"},
        {"{a:1}", "'a' is not"},
        {"[1e999]", "'1e999' is too large"},
        {"[-1e309]", "'-1e309' is too large"},
        {"[0.00000000000000000000000000000000000000000000000000000000000001]", "is too long"},
        {"[\"\t\"]", "m.json:1: not valid JSON: a line end or control character"},
        {"[\n\"a\nb\"]", "m.json:2: not valid JSON: a line end or"},
        {"[\"\\x41\"]", "a backslash"},
        {"[\"\\", "a backslash"},
        {"[\"\\u00g0\"]", "four hexadecimal digits"},
        {"[\"\\u12\"]", "four hexadecimal digits"},
        {"[\"\\ud800\"]", "half of a surrogate pair"},
        {"[\"\\udc00\\ud800\"]", "half of a surrogate pair"},
        {"[\"\\ud800\\u0041\"]", "half of a surrogate pair"},
        {"[1]\x01", "an unexpected character"},
        {"\v[1]", "an unexpected character"},
        {"[1] // one", "an unexpected character"},
        {"[1 2]", "not valid JSON"},
        {"[\"a\" \"b\"]", "not valid JSON"},
        {"[:]", "not valid JSON"},
        {"{\"a\"::1}", "not valid JSON"},
        {"[1]]", "not valid JSON"},
        {"[}", "not valid JSON"}};
    for (size_t i = 0; i < COUNT(good); i++) {
        struct rp_json *root = parse(u, good[i]);
        ACCEPTED(u, root != NULL);
        rp_json_free(root);
    }
    for (size_t i = 0; i < COUNT(bad); i++)
        REFUSED(u, parse(u, bad[i][0]) != NULL, RP_E_MANIFEST, bad[i][1]);
    struct rp_json *root = parse(u, good[4]);
    assert_string_equal(rp_json_string(rp_json_first(root)), "\xF0\x9F\x98\x80");
    rp_json_free(root);
}

/* Of any object, however its names are written; the first that repeats is named. */
static void refuses_a_member_twice(void **state) {
    struct unit *u = *state;
    static const char *const cases[][2] = {
        {"{\"a\":1,\"a\":1}", "m.json:1: member 'a' occurs twice, first in line 1"},
        {"{\n\"a\":1,\n\"b\":{\"a\":\":\\\":\"},\n\n\"a\":2}",
         "m.json:5: member 'a' occurs twice, first in line 2"},
        {"[{},{\"x\":[{\n\"k\\u0061\":1,\"b\":2,\n\"ka\":3}]}]",
         "m.json:3: member 'ka' occurs twice, first in line 2"},
        {"{\"z\":1,\n\"y\":1,\n\"y\":2,\n\"z\":2,\n\"z\":3}",
         "m.json:3: member 'y' occurs twice, first in line 2"},
        {"{\"z\":1,\n\"z\":1,\n\"z\":2}", "m.json:2: member 'z' occurs twice, first in line 1"},
        {"{\"\":1,\"\":1}", "member '' occurs twice"}};
    for (size_t i = 0; i < COUNT(cases); i++)
        REFUSED(u, parse(u, cases[i][0]) != NULL, RP_E_MANIFEST, cases[i][1]);
    rp_fail(&u->err, RP_E_INPUT, "before");
    assert_null(parse(u, cases[0][0]));
    assert_string_equal(u->err.message, "before");
    assert_null(rp_json_parse(cases[0][0], strlen(cases[0][0]), "m", NULL));
}

/* Work that grows with the square of the members would take minutes. */
static void many_members_are_fast(void **state) {
    struct unit *u = *state;
    enum { MEMBERS = 300000 };
    struct rp_buf text = {.arena = &u->arena};
    rp_buf_puts(&text, "{");
    for (int i = 0; i < MEMBERS; i++)
        rp_buf_printf(&text, "\"member %d\":{\"x\":%d},\n", i, i);
    rp_buf_puts(&text, "\"last\":0}");
    struct rp_json *root = rp_json_parse(text.data, text.len, "m.json", &u->err);
    ACCEPTED(u, root != NULL);
    assert_int_equal(rp_json_count(root), MEMBERS + 1);
    rp_json_free(root);
    text.len--;
    rp_buf_puts(&text, ",\"member 7\":0}");
    REFUSED(u, rp_json_parse(text.data, text.len, "m.json", &u->err) != NULL, RP_E_MANIFEST,
            "m.json:300001: member 'member 7' occurs twice, first in line 8");
}

static void takes_whole_numbers_in_range(void **state) {
    struct unit *u = *state;
    struct rp_json *root = parse(
        u, "[0,5,-5,5.5,1e3,4294967295,4294967296,1e300,-1e300,9223372036854775807,\"5\",true,"
           "9007199254740991,9007199254740992,-9007199254740991]");
    static const struct {
        int64_t min, max, want;
        bool ok;
    } cases[] = {{0, 9, 0, true},
                 {0, 9, 5, true},
                 {-9, 9, -5, true},
                 {0, 9, 0, false},
                 {0, 1000, 1000, true},
                 {1, UINT32_MAX, UINT32_MAX, true},
                 {1, UINT32_MAX, 0, false},
                 {INT64_MIN, INT64_MAX, 0, false},
                 {INT64_MIN, INT64_MAX, 0, false},
                 {INT64_MIN, INT64_MAX, 0, false}, /* reads as 2^63, which is not in the range */
                 {0, 9, 0, false},
                 {0, 9, 0, false},
                 {0, RP_JSON_EXACT, RP_JSON_EXACT, true},
                 {0, INT64_MAX, 0, false}, /* 2^53 + 1 reads as the same */
                 {INT64_MIN, 0, -RP_JSON_EXACT, true}};
    size_t i = 0;
    for (const struct rp_json *v = rp_json_first(root); v != NULL; v = rp_json_next(v), i++) {
        int64_t got = -77;
        assert_int_equal(rp_json_integer(v, cases[i].min, cases[i].max, &got), cases[i].ok);
        assert_int_equal(got, cases[i].ok ? cases[i].want : -77);
    }
    assert_int_equal(i, COUNT(cases));
    rp_json_free(root);
}

/* A built value, printed and read again, is the same; large integers keep every digit. */
static void builds_and_prints(void **state) {
    struct unit *u = *state;
    struct rp_json *root = rp_json_object();
    rp_json_put_string(root, "text", "a \"b\"\n\\ \xC3\xA4");
    rp_json_put_int(root, "big", 4294967295);
    rp_json_put_int(root, "low", -2147483648);
    rp_json_put_double(root, "half", 0.5);
    rp_json_put_bool(root, "yes", true);
    struct rp_json *list = rp_json_new_array(root, "list");
    rp_json_push_string(list, "x");
    rp_json_push_int(list, 268435455);
    rp_json_push(list, rp_json_array());
    rp_json_put_bool(rp_json_new_object(root, "inner"), "no", false);
    char *text = rp_json_print(root);
    rp_json_free(root);
    assert_int_equal(text[strlen(text) - 1], '\n');
    CONTAINS(text, "4294967295");
    CONTAINS(text, "-2147483648");
    CONTAINS(text, "268435455");
    root = parse(u, text);
    free(text);
    ACCEPTED(u, root != NULL);
    assert_string_equal(rp_json_string(rp_json_member(root, "text")), "a \"b\"\n\\ \xC3\xA4");
    assert_true(rp_json_number(rp_json_member(root, "half")) == 0.5);
    assert_int_equal(rp_json_count(rp_json_member(root, "list")), 3);
    assert_non_null(rp_json_member(rp_json_member(root, "inner"), "no"));
    rp_json_free(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(reads_every_type),
        UNIT(is_lenient_about_what_is_absent),
        UNIT(names_the_line_of_a_mistake),
        UNIT(refuses_zero_bytes),
        UNIT(refuses_deep_nesting),
        UNIT(takes_exactly_json),
        UNIT(refuses_a_member_twice),
        UNIT(many_members_are_fast),
        UNIT(takes_whole_numbers_in_range),
        UNIT(builds_and_prints),
    };
    return RUN(tests);
}
