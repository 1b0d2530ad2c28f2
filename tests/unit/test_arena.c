/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of base/arena: zeroed, aligned, apart from each other, growing, formatted; of sorted
 * lists; and of base/set: each text once, in the order of adding, however many there are.
 */
#include "tests/unit/unit.h"

#include "base/set.h"

static void gives_zeroed_aligned_memory(void **state) {
    struct unit *u = *state;
    static const size_t sizes[] = {0, 1, 15, 16, 17, 1000, 65535, 65536, 65537, 200000, 3};
    unsigned char *items[COUNT(sizes)];
    for (size_t i = 0; i < COUNT(sizes); i++) {
        items[i] = rp_alloc(&u->arena, sizes[i], 1);
        assert_int_equal((uintptr_t)items[i] % 16, 0);
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(items[i][k], 0);
        memset(items[i], (int)i + 1, sizes[i]);
    }
    for (size_t i = 0; i < COUNT(sizes); i++)
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(items[i][k], i + 1);
}

/* A large item must not throw away the rest of the block in use. */
static void keeps_block_behind_large_item(void **state) {
    struct unit *u = *state;
    char *first = rp_alloc(&u->arena, 16, 1);
    (void)rp_alloc(&u->arena, 1 << 20, 1);
    char *second = rp_alloc(&u->arena, 16, 1);
    assert_ptr_equal(second, first + 16);
}

static void releases_and_starts_again(void **state) {
    struct unit *u = *state;
    (void)rp_alloc(&u->arena, 100, 1);
    rp_arena_release(&u->arena);
    assert_null(u->arena.head);
    assert_string_equal(rp_strdup(&u->arena, "again"), "again");
}

static void allocate_too_much(void *context) {
    rp_alloc(context, SIZE_MAX / 4, 5);
}

static void ends_on_overflow(void **state) {
    struct unit *u = *state;
    assert_int_equal(unit_in_child(allocate_too_much, &u->arena), 1);
}

static void copies_text(void **state) {
    struct unit *u = *state;
    char source[] = "abcdef";
    char *whole = rp_strdup(&u->arena, source);
    char *part = rp_strndup(&u->arena, source, 3);
    source[0] = 'X';
    assert_string_equal(whole, "abcdef");
    assert_string_equal(part, "abc");
    assert_string_equal(rp_strndup(&u->arena, source, 0), "");
}

static void formats_any_length(void **state) {
    struct unit *u = *state;
    assert_string_equal(rp_format(&u->arena, "%s-%03u", "a", 7u), "a-007");
    char *wide = rp_format(&u->arena, "%100000d", 1);
    assert_int_equal(strlen(wide), 100000);
    assert_int_equal(wide[99999], '1');
}

struct numbers {
    unsigned *items;
    size_t count;
    size_t capacity;
};

static void pushes_and_keeps_items(void **state) {
    struct unit *u = *state;
    struct numbers list = {0};
    for (unsigned i = 0; i < 1000; i++) {
        *RP_PUSH(&u->arena, &list) = i * i;
        assert_int_equal(list.count, i + 1);
        assert_true(list.capacity >= list.count);
    }
    for (unsigned i = 0; i < 1000; i++)
        assert_int_equal(list.items[i], i * i);
}

static void pushes_strings(void **state) {
    struct unit *u = *state;
    struct rp_strings list = {0};
    for (int i = 0; i < 20; i++)
        rp_strings_push(&u->arena, &list, rp_format(&u->arena, "s%d", i));
    assert_int_equal(list.count, 20);
    assert_string_equal(list.items[0], "s0");
    assert_string_equal(list.items[19], "s19");
}

static void sorts_lists(void **state) {
    struct unit *u = *state;
    struct rp_strings list = {0};
    rp_strings_sort(&list);
    assert_false(rp_strings_have_sorted(&list, ""));
    RP_PUSH_WORDS(&u->arena, &list, "b", "", "c", "b", "a", "b");
    rp_strings_sort(&list);
    assert_int_equal(list.count, 4);
    assert_string_equal(list.items[1], "a");
    assert_string_equal(list.items[3], "c");
    assert_true(rp_strings_have_sorted(&list, "") && rp_strings_have_sorted(&list, "c"));
    assert_false(rp_strings_have_sorted(&list, "ab") || rp_strings_have_sorted(&list, "d"));
}

static void set_has_each_text_once(void **state) {
    struct unit *u = *state;
    struct rp_set set = {0};
    size_t index = 99;
    assert_true(rp_set_add(&u->arena, &set, "", &index));
    assert_int_equal(index, 0);
    assert_true(rp_set_add(&u->arena, &set, "a", NULL));
    assert_false(rp_set_add(&u->arena, &set, rp_strdup(&u->arena, "a"), &index));
    assert_int_equal(index, 1);
    assert_false(rp_set_add(&u->arena, &set, "", &index));
    assert_int_equal(index, 0);
}

static void set_keeps_its_order_while_it_grows(void **state) {
    struct unit *u = *state;
    struct rp_set set = {0};
    enum { MANY = 5000 };
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < MANY; i++) {
            size_t index;
            bool is_new = rp_set_add(&u->arena, &set, rp_format(&u->arena, "text %zu", i), &index);
            assert_int_equal(is_new, again == 0);
            assert_int_equal(index, i);
        }
    assert_int_equal(set.indices.count, MANY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(gives_zeroed_aligned_memory),
        UNIT(keeps_block_behind_large_item),
        UNIT(releases_and_starts_again),
        UNIT(ends_on_overflow),
        UNIT(copies_text),
        UNIT(formats_any_length),
        UNIT(pushes_and_keeps_items),
        UNIT(pushes_strings),
        UNIT(sorts_lists),
        UNIT(set_has_each_text_once),
        UNIT(set_keeps_its_order_while_it_grows),
    };
    return RUN(tests);
}
