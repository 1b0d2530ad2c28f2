/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/compact: tables word by word, decoding what was encoded, and tables that
 * nobody would write.
 */
#include "tests/unit/unit.h"

#include <string.h>

#include "base/buf.h"
#include "elfpack/image/compact.h"

#define RAM UINT32_C(0x80000000)
#define END UINT32_C(0xE0000000)
enum { MANY = 3000 };

static void encode(struct unit *u, struct rp_words *table, const uint32_t *words, size_t count) {
    *table = (struct rp_words){0};
    rp_compact_encode(table, &u->arena, words, count);
}

static void put(uint8_t *bytes, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        rp_put_le32(bytes + 4 * i, words[i]);
}

/* Finds the table behind start bytes of something else. */
static size_t decode(struct unit *u, const struct rp_words *table, uint32_t start,
                     struct rp_words *out) {
    uint32_t size = start + 4 * (uint32_t)table->count, where;
    uint8_t *file = rp_alloc(&u->arena, size, 1);
    memset(file, 0xA5, size);
    put(file + start, table->items, table->count);
    struct rp_compact reader = rp_compact_find(file, start, size);
    *out = (struct rp_words){0};
    assert_non_null(reader.at);
    assert_ptr_equal(reader.at, file + start);
    while (rp_compact_next(&reader, &where))
        *RP_PUSH(&u->arena, out) = where;
    return out->count;
}

static void check(struct unit *u, const uint32_t *words, size_t count, const uint32_t *want,
                  size_t want_count) {
    struct rp_words table, back;
    encode(u, &table, words, count);
    assert_int_equal(table.count, want_count + 1);
    for (size_t i = 0; i < want_count; i++)
        assert_int_equal(table.items[i], want[i]);
    assert_int_equal(table.items[want_count], END | 4 * want_count);
    assert_int_equal(decode(u, &table, 8, &back), count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(back.items[i], words[i]);
}

#define CHECK(words, want) check(u, words, COUNT(words), want, COUNT(want))

static void encodes_as_relr(void **state) {
    struct unit *u = *state;
    static const uint32_t one[] = {RAM + 20}, one_want[] = {RAM + 20};
    static const uint32_t two[] = {RAM, RAM + 4}, two_want[] = {RAM, 3};
    static const uint32_t last[] = {RAM, RAM + 124}, last_want[] = {RAM, 0x80000001};
    static const uint32_t behind[] = {RAM, RAM + 128}, behind_want[] = {RAM, RAM + 128};
    static const uint32_t chain[] = {RAM, RAM + 124, RAM + 128},
                          chain_want[] = {RAM, 0x80000001, 3};
    static const uint32_t gap[] = {RAM, RAM + 8, RAM + 400, RAM + 404};
    static const uint32_t gap_want[] = {RAM, 5, RAM + 400, 3};
    static const uint32_t top[] = {0x8FFFFFF8, 0x8FFFFFFC}, top_want[] = {0x8FFFFFF8, 3};
    check(u, NULL, 0, NULL, 0);
    CHECK(one, one_want);
    CHECK(two, two_want);
    CHECK(last, last_want);
    CHECK(behind, behind_want);
    CHECK(chain, chain_want);
    CHECK(gap, gap_want);
    CHECK(top, top_want);
}

/* A table of pointers takes one bit for each. */
static void is_dense(void **state) {
    struct unit *u = *state;
    uint32_t words[1 + 31 * 10];
    struct rp_words table;
    for (uint32_t i = 0; i < COUNT(words); i++)
        words[i] = RAM + 4 * i;
    encode(u, &table, words, COUNT(words));
    assert_int_equal(table.count, 1 + 10 + 1);
}

static uint32_t next_random(uint32_t *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Lists of every density come back as they were, and no table is longer than its list. */
static void decodes_what_it_encoded(void **state) {
    struct unit *u = *state;
    static const uint32_t steps[] = {1, 2, 5, 31, 32, 33, 200, 5000};
    uint32_t seed = 1;
    for (unsigned round = 0; round < 200; round++) {
        size_t count = next_random(&seed) % MANY;
        uint32_t *words = rp_alloc(&u->arena, count + 1, sizeof *words);
        uint32_t at = RAM + 4 * (next_random(&seed) % 100), step = steps[round % COUNT(steps)];
        struct rp_words table, back;
        for (size_t i = 0; i < count; i++, at += 4 * (1 + next_random(&seed) % step))
            words[i] = at;
        encode(u, &table, words, count);
        assert_in_range(table.count, 1, count + 1);
        assert_int_equal(decode(u, &table, 4 * (round % 9), &back), count);
        assert_true(count == 0 || memcmp(back.items, words, 4 * count) == 0);
    }
}

static void finds_no_table(void **state) {
    static const uint32_t ends[] = {0, RAM, END | 2, END | 8, 0xC0FFFFFC, 0xFFFFFFFF, 0x40000004};
    uint8_t file[12];
    (void)state;
    for (size_t i = 0; i < COUNT(ends); i++) {
        const uint32_t words[] = {RAM, RAM + 4, ends[i]};
        put(file, words, 3);
        assert_null(rp_compact_find(file, 4, sizeof file).at); /* room for one word */
    }
    put(file, (const uint32_t[]){END, END, END}, 3);
    assert_null(rp_compact_find(file, 12, 12).at);
    assert_null(rp_compact_find(file, 9, 12).at);
    assert_null(rp_compact_find(file, 16, 12).at);
}

/* Bitmaps in front, empty bitmaps, addresses near 2^32: reading ends, within bounds. */
static void reads_anything(void **state) {
    struct unit *u = *state;
    static const uint32_t odd[] = {0xFFFFFFFF, 1, 0, 0xFFFFFFFC, 0x80000001, 1, END | 24};
    struct rp_words table = {0}, back;
    for (size_t i = 0; i < COUNT(odd); i++)
        *RP_PUSH(&u->arena, &table) = odd[i];
    assert_int_equal(decode(u, &table, 0, &back), 31 + 2 + 1);
    assert_int_equal(back.items[30], 120);
    assert_int_equal(back.items[33], 120);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(encodes_as_relr), UNIT(is_dense),       UNIT(decodes_what_it_encoded),
        UNIT(finds_no_table),  UNIT(reads_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
