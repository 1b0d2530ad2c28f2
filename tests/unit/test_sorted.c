/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/sorted: what is found in lists of every length, at both ends and between.
 */
#include "elfpack/elf/sorted.h"

#include "tests/unit/unit.h"

static void finds_words(void **state) {
    uint32_t items[] = {9, 3, 5, 0xFFFFFFFF, 7, 0};
    struct rp_words words = {items, COUNT(items), COUNT(items)}, none = {0};
    (void)state;
    rp_words_sort(&words);
    for (size_t count = 0; count <= COUNT(items); count++) {
        static const uint32_t asked[] = {0, 1, 3, 4, 5, 7, 8, 9, 10, 0xFFFFFFFE, 0xFFFFFFFF};
        words.count = count;
        for (size_t i = 0; i < COUNT(asked); i++) {
            size_t first = 0;
            while (first < count && items[first] < asked[i])
                first++;
            assert_int_equal(rp_words_find(&words, asked[i]), first);
            assert_int_equal(rp_words_have(&words, asked[i]),
                             first < count && items[first] == asked[i]);
        }
    }
    rp_words_sort(&none);
    assert_false(rp_words_have(&none, 0));
}

static int compare_tens(const void *key, const void *item) {
    int tens = *(const int *)item / 10;
    return *(const int *)key < tens ? -1 : *(const int *)key > tens;
}

/* Of equal items, the first. */
static void finds_the_first_of_equals(void **state) {
    static const int items[] = {10, 20, 21, 22, 23, 40};
    static const size_t wanted[] = {0, 0, 1, 5, 5, 6};
    (void)state;
    for (int key = 0; key < 6; key++)
        assert_int_equal(rp_lower_bound(&key, items, COUNT(items), sizeof items[0], compare_tens),
                         wanted[key]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_words),
        cmocka_unit_test(finds_the_first_of_equals),
    };
    return RUN(tests);
}
