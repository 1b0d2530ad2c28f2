/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/harness/place: placing what verify needs in the memories of a board. */
#include "tests/unit/unit.h"

#include "cli/harness/place.h"

enum { GUARD = 4096, MEGABYTE = 1 << 20 };

static const struct rp_area everything = {0, UINT32_MAX};

static uint64_t end_of(struct rp_area area) {
    return (uint64_t)area.address + area.size;
}

/* With guards on both sides, inside one memory of the board. */
static void assert_inside(const struct rp_board *board, struct rp_area area) {
    const struct rp_board_memory *memory;
    for (size_t i = 0; (memory = rp_board_memory(board, i)) != NULL; i++)
        if (area.address >= memory->area.address + GUARD &&
            end_of(area) + GUARD <= end_of(memory->area))
            return;
    fail_msg("0x%08x, %u bytes: in no memory", area.address, area.size);
}

static void assert_apart(struct rp_area a, struct rp_area b) {
    assert_true(end_of(a) + 2 * GUARD <= b.address || end_of(b) + 2 * GUARD <= a.address);
}

static void every_board_has_its_places(void **state) {
    (void)state;
    static const char *const cores[] = {"M0",  "M0PLUS", "M3",  "M4",  "M7",
                                        "M23", "M33",    "M52", "M55", "M85"};
    for (size_t i = 0; i < COUNT(cores); i++) {
        const struct rp_board *board = rp_board_find(cores[i]);
        assert_non_null(board);
        assert_true(rp_board_external(board).size >= 16 * MEGABYTE);
        struct rp_space space;
        rp_space_begin(&space, board);
        assert_int_equal(rp_space_at(&space, board->vectors).size, 0);
        assert_int_equal(rp_space_at(&space, rp_board_place(board, RP_PLACE_STACK)).size, 0);
        assert_int_equal(rp_space_at(&space, rp_board_place(board, RP_PLACE_PLAN)).size, 0);
        assert_true(rp_space_at(&space, rp_board_place(board, RP_PLACE_FIRMWARE)).size > MEGABYTE);
        assert_true(rp_space_largest(&space, rp_board_external(board)).size > 15 * MEGABYTE);
    }
    assert_null(rp_board_find("M99"));
}

static void what_is_taken_is_not_free(void **state) {
    (void)state;
    struct rp_space space;
    const struct rp_board *board = rp_board_find("M4");
    rp_space_begin(&space, board);
    const struct rp_area area = {0x21400000, MEGABYTE};
    size_t before = space.count;
    rp_space_take(&space, area);
    assert_int_equal(space.count, before + 1);
    assert_int_equal(rp_space_at(&space, 0x21400000).size, 0);
    assert_int_equal(rp_space_at(&space, 0x214FFFFF).size, 0);
    assert_int_equal(rp_space_at(&space, 0x21400000 - GUARD).size, 0);
    assert_int_equal(rp_space_at(&space, 0x21400000 - GUARD - 1).size, 1);
    assert_int_equal(rp_space_at(&space, 0x21500000 + GUARD).address, 0x21500000 + GUARD);
    /* across the ends of pieces, all of a piece, and nothing */
    rp_space_take(&space, (struct rp_area){0x213F0000, 0x200000});
    assert_int_equal(rp_space_at(&space, 0x215EFFFF).size, 0);
    rp_space_take(&space, rp_board_external(board));
    assert_int_equal(rp_space_largest(&space, rp_board_external(board)).size, 0);
    rp_space_take(&space, (struct rp_area){0x00100000, 0});
    assert_true(rp_space_at(&space, 0x00100000).size != 0);
}

static void all_fit_apart(void **state) {
    struct unit *unit = *state;
    for (int from_end = 0; from_end < 2; from_end++) {
        struct rp_space space;
        const struct rp_board *board = rp_board_find("M7");
        struct rp_area places[5];
        rp_space_begin(&space, board);
        const struct rp_want wants[5] = {{"a", 10, 4, true, 0, &places[0]},
                                         {"b", 2 * MEGABYTE, 32, true, 0, &places[1]},
                                         {"c", 2 * MEGABYTE, 32, true, 0, &places[2]},
                                         {"d", 0, 8, false, 0, &places[3]},
                                         {"e", 9 * MEGABYTE, 16, false, 0, &places[4]}};
        ACCEPTED(unit, rp_space_place(&space, wants, 5, from_end, &unit->err));
        assert_int_equal(places[3].address, 0);
        for (size_t i = 0; i < 5; i++) {
            if (i == 3)
                continue;
            assert_int_equal(places[i].size, wants[i].size);
            assert_int_equal(places[i].address % wants[i].align, 0);
            assert_int_equal(places[i].address / wants[i].align % 2 == 1 || !wants[i].is_odd, 1);
            assert_inside(board, places[i]);
            assert_int_equal(rp_space_at(&space, places[i].address).size, 0);
            for (size_t k = 0; k < i; k++)
                if (k != 3)
                    assert_apart(places[i], places[k]);
        }
    }
}

/* Of one size in one board, the first and the last place differ; the same one is not taken twice.
 */
static void another_address(void **state) {
    struct unit *unit = *state;
    const struct rp_board *board = rp_board_find("M33");
    struct rp_space space, again;
    struct rp_area first, second;
    rp_space_begin(&space, board);
    again = space;
    struct rp_want want = {"it", 15 * MEGABYTE, 16, false, 0, &first};
    ACCEPTED(unit, rp_space_place(&space, &want, 1, false, &unit->err));
    want.place = &second;
    want.but_not = first.address;
    space = again;
    ACCEPTED(unit, rp_space_place(&space, &want, 1, true, &unit->err));
    assert_int_not_equal(first.address, second.address);
    /* no slack: there is one address only */
    want.size = 16 * MEGABYTE - 2 * GUARD;
    want.but_not = 0;
    space = again;
    ACCEPTED(unit, rp_space_place(&space, &want, 1, true, &unit->err));
    want.but_not = second.address;
    space = again;
    REFUSED(unit, rp_space_place(&space, &want, 1, true, &unit->err), RP_E_VERIFY,
            "no room for it");
}

static void what_does_not_fit_is_named(void **state) {
    struct unit *unit = *state;
    struct rp_space space;
    struct rp_area places[2];
    rp_space_begin(&space, rp_board_find("M4"));
    const struct rp_want wants[2] = {{"the image", 10 * MEGABYTE, 4, false, 0, &places[0]},
                                     {"the weights", 9 * MEGABYTE, 4, false, 0, &places[1]}};
    REFUSED(unit, rp_space_place(&space, wants, 2, false, &unit->err), RP_E_VERIFY,
            "the weights (9437184 bytes) on the emulated board mps2-an386: it has 4096 KB at "
            "0x00000000, 4096 KB at 0x20000000, 16384 KB at 0x21000000");
    rp_space_begin(&space, rp_board_find("M4"));
    const struct rp_want most = {"all", UINT32_MAX, 4, false, 0, &places[0]};
    REFUSED(unit, rp_space_place(&space, &most, 1, true, &unit->err), RP_E_VERIFY, "4294967295");
    assert_true(rp_space_largest(&space, everything).size < 16 * MEGABYTE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(every_board_has_its_places),
        UNIT(what_is_taken_is_not_free),
        UNIT(all_fit_apart),
        UNIT(another_address),
        UNIT(what_does_not_fit_is_named),
    };
    return RUN(tests);
}
