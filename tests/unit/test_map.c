/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of base/map.h: what was put in is found, by all bytes of its key. */
#include "tests/unit/unit.h"

#include "base/map.h"

static void finds_what_was_put(void **state) {
    struct unit *u = *state;
    struct rp_map table = {.arena = &u->arena};
    enum { MANY = 1000 };
    static int values[MANY];
    char key[16];
    for (int i = 0; i < MANY; i++) {
        int len = snprintf(key, sizeof key, "key %d", i);
        void **at = rp_map_at(&table, key, (size_t)len);
        assert_null(*at);
        *at = &values[i];
    }
    assert_int_equal(table.count, MANY);
    for (int i = 0; i < MANY; i++) {
        int len = snprintf(key, sizeof key, "key %d", i);
        assert_ptr_equal(*rp_map_at(&table, key, (size_t)len), &values[i]);
    }
    assert_int_equal(table.count, MANY);
}

/* A key is its bytes: a zero may be among them, and a beginning is another key. */
static void keys_are_bytes(void **state) {
    struct unit *u = *state;
    struct rp_map table = {.arena = &u->arena};
    static const char keys[][3] = {"ab", "ac", {'a', '\0', 'b'}, {'a', '\0', 'c'}};
    for (size_t i = 0; i < COUNT(keys); i++)
        for (size_t len = 0; len <= sizeof keys[i]; len++)
            (void)rp_map_at(&table, keys[i], len);
    /* "", "a", "ab", "ab\0", "ac", "ac\0", "a\0", "a\0b", "a\0c" */
    assert_int_equal(table.count, 9);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(finds_what_was_put),
        UNIT(keys_are_bytes),
    };
    return RUN(tests);
}
