/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/verify/compare: where two outputs differ, and what neither run has written. */
#include "tests/unit/unit.h"

#include "cli/verify/compare.h"

enum { SIZE = 8 };

/* The fill words as the outputs hold them before a run. */
static const uint8_t filled_a[SIZE + 1] = "abcdabcd", filled_b[SIZE + 1] = "ABCDABCD";

/* Where outputs of SIZE bytes differ, of which the runs have written one byte each, or -1: none. */
static uint64_t compare(int at_a, int at_b, uint8_t byte_b) {
    uint8_t a[SIZE], b[SIZE];
    memcpy(a, filled_a, SIZE);
    memcpy(b, filled_b, SIZE);
    if (at_a >= 0)
        a[at_a] = '.';
    if (at_b >= 0)
        b[at_b] = byte_b;
    const struct rp_output of_a = {.data = a, .size = SIZE}, of_b = {.data = b, .size = SIZE};
    return rp_output_compare(&of_a, unit_get32(filled_a), &of_b, unit_get32(filled_b));
}

static void passes_over_what_is_not_written(void **state) {
    (void)state;
    assert_int_equal(compare(-1, -1, 0), SIZE);
    assert_int_equal(compare(6, 6, '.'), SIZE);
    assert_int_equal(compare(6, 6, ','), 6);
}

/* A byte that only one of the runs has written is a difference. */
static void sees_what_one_run_wrote(void **state) {
    (void)state;
    for (int at = 0; at < SIZE; at++) {
        assert_int_equal(compare(at, -1, 0), at);
        assert_int_equal(compare(-1, at, '.'), at);
    }
}

/* Of a shorter output, no byte behind its end is read. */
static void ends_with_the_shorter(void **state) {
    (void)state;
    uint8_t *few = unit_exact(filled_a, 5);
    const struct rp_output a = {.data = few, .size = 5}, b = {.data = filled_a, .size = SIZE};
    assert_int_equal(rp_output_compare(&a, 0, &b, 0), 5);
    assert_int_equal(rp_output_compare(&b, 0, &a, 0), 5);
    free(few);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(passes_over_what_is_not_written),
        UNIT(sees_what_one_run_wrote),
        UNIT(ends_with_the_shorter),
    };
    return RUN(tests);
}
