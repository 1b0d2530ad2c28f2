/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/error: the first failure wins; ids and exit codes of the closed table. */
#include "tests/unit/unit.h"

#include <errno.h>

static void first_failure_wins(void **state) {
    struct unit *u = *state;
    assert_false(rp_fail(&u->err, RP_E_INPUT, "file '%s' has %d bytes", "x", 3));
    assert_false(rp_fail(&u->err, RP_E_USAGE, "second"));
    assert_int_equal(u->err.id, RP_E_INPUT);
    assert_string_equal(u->err.message, "file 'x' has 3 bytes");
    assert_null(u->err.hint);
}

static void first_hint_wins(void **state) {
    struct unit *u = *state;
    rp_fail(&u->err, RP_E_INPUT, "a");
    assert_false(rp_hint(&u->err, "install %s", "make"));
    assert_false(rp_hint(&u->err, "other"));
    assert_string_equal(u->err.hint, "install make");
}

static void needs_no_error_object(void **state) {
    (void)state;
    assert_false(rp_fail(NULL, RP_E_INPUT, "%d", 1));
    assert_false(rp_hint(NULL, "a"));
    assert_false(rp_fail_in(NULL, "a", 1));
    assert_false(rp_fail_symbol(NULL, "a"));
    assert_false(rp_fail_errno(NULL, EACCES, "cannot open", "a"));
}

static void cuts_long_texts(void **state) {
    struct unit *u = *state;
    rp_fail(&u->err, RP_E_INPUT, "%90000d", 1);
    rp_hint(&u->err, "%90000d", 1);
    assert_int_equal(strlen(u->err.message), 32767);
    assert_int_equal(strlen(u->err.hint), 1023);
}

static void takes_over_another_error(void **state) {
    struct unit *u = *state;
    struct rp_error other = {0};
    rp_fail(&other, RP_E_INPUT, "a");
    rp_hint(&other, "b");
    assert_false(rp_fail_with(&u->err, &other));
    assert_int_equal(u->err.id, RP_E_INPUT);
    assert_string_equal(u->err.hint, "b");
    rp_fail_in(&u->err, "file", 3);
    assert_null(other.file);
    struct rp_error later = {0};
    rp_fail(&later, RP_E_USAGE, "c");
    assert_false(rp_fail_with(&u->err, &later));
    assert_false(rp_fail_with(NULL, &later));
    assert_string_equal(u->err.message, "a");
}

static void names_errno(void **state) {
    static const struct {
        int number;
        enum rp_error_id id;
    } cases[] = {{ENOSPC, RP_E_NO_SPACE}, {EDQUOT, RP_E_NO_SPACE}, {EFBIG, RP_E_NO_SPACE},
                 {EACCES, RP_E_SYSTEM},   {ENOENT, RP_E_SYSTEM},   {0, RP_E_SYSTEM}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_error err = {0};
        assert_false(rp_fail_errno(&err, cases[i].number, "cannot write", "a b.bin"));
        assert_int_equal(err.id, cases[i].id);
        CONTAINS(err.message, "cannot write 'a b.bin': ");
        CONTAINS(err.message, strerror(cases[i].number));
    }
}

/* Numbers are RP2e.., e = exit code; unique, with texts; and lookup finds each row. */
static void keeps_the_numbering_rule(void **state) {
    (void)state;
    size_t count = 0;
    for (const struct rp_error_info *row; (row = rp_error_at(count)) != NULL; count++) {
        assert_int_equal((int)row->id / 1000, 2);
        assert_int_equal((int)row->id / 100 % 10, row->exit_code);
        assert_true(row->title[0] != '\0' && row->text[0] != '\0');
        assert_ptr_equal(rp_error_lookup((int)row->id), row);
        struct rp_error err = {.id = row->id};
        assert_int_equal(rp_exit_code(&err), row->exit_code);
    }
    assert_true(count > 20);
    assert_null(rp_error_at(count));
    assert_null(rp_error_at(SIZE_MAX));
}

static void knows_documented_exit_codes(void **state) {
    static const struct {
        enum rp_error_id id;
        int status;
    } cases[] = {{RP_E_SYSTEM, 1},  {RP_E_USAGE, 2},   {RP_E_TOOL_MISSING, 3},
                 {RP_E_COMPILE, 4}, {RP_E_NOT_PIC, 5}, {RP_E_UNDEFINED, 6},
                 {RP_E_BUDGET, 7},  {RP_E_VERIFY, 8},  {RP_E_INPUT, 9}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rp_error err = {.id = cases[i].id};
        assert_int_equal(rp_exit_code(&err), cases[i].status);
    }
}

static void refuses_unknown_ids(void **state) {
    static const int ids[] = {0, -1, 1, 2099, 2199, 9999, INT32_MAX};
    (void)state;
    for (size_t i = 0; i < COUNT(ids); i++)
        assert_null(rp_error_lookup(ids[i]));
    struct rp_error none = {0};
    assert_int_equal(rp_exit_code(&none), RP_EXIT_FAILURE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(first_failure_wins),       UNIT(first_hint_wins),
        UNIT(needs_no_error_object),    UNIT(cuts_long_texts),
        UNIT(takes_over_another_error), UNIT(names_errno),
        UNIT(keeps_the_numbering_rule), UNIT(knows_documented_exit_codes),
        UNIT(refuses_unknown_ids),
    };
    return RUN(tests);
}
