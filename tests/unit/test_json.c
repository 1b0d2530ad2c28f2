/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/json: strict parsing with line numbers, exact integers, stable printing. */
#include "tests/unit/unit.h"

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
    REFUSED(u, parse(u, "{\"\\\\\\u0000\":1}") != NULL, RP_E_MANIFEST, "can have a \\u0000");
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
    REFUSED(u, parse(u, text) != NULL, RP_E_MANIFEST, "not valid JSON");
}

static void takes_whole_numbers_in_range(void **state) {
    struct unit *u = *state;
    struct rp_json *root = parse(
        u,
        "[0,5,-5,5.5,1e3,4294967295,4294967296,1e300,-1e300,9223372036854775807,\"5\",true,1e999]");
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
                 {INT64_MIN, INT64_MAX, 0, false}};
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
        UNIT(reads_every_type),     UNIT(is_lenient_about_what_is_absent),
        UNIT(refuses_zero_bytes),   UNIT(names_the_line_of_a_mistake),
        UNIT(refuses_deep_nesting), UNIT(takes_whole_numbers_in_range),
        UNIT(builds_and_prints),
    };
    return RUN(tests);
}
