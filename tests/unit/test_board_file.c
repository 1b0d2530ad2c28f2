/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/build/board_file: boards from JSON, good and bad. */
#include "tests/unit/unit.h"

#include "toolchain/compile/board_file.h"

static const char *const good =
    "{\"name\": \"b\", \"series\": \"stm32h7\", \"clock_hz\": 64000000, \"caches\": true,"
    " \"memories\": [{\"name\": \"RAM\", \"address\": \"0x24000000\", \"size\": \"512K\"},"
    " {\"name\": \"DTCM\", \"address\": 536870912, \"size\": 131072, \"executable\": false},"
    " {\"name\": \"F\", \"address\": \"0x08000000\", \"size\": \"2M\", \"kind\": \"flash\"}],"
    " \"servers\": {\"jlink\": \"STM32H743ZI\", \"machine\": [\"m\", \"n\"]}}";

static bool read_text(struct unit *unit, struct rp_board *board, const char *text) {
    return rp_board_read(board, &unit->arena, unit_text(unit, "b.json", text), &unit->err);
}

static void a_board_is_read(void **state) {
    struct unit *unit = *state;
    struct rp_board board;
    ACCEPTED(unit, read_text(unit, &board, good));
    assert_string_equal(board.core, "M7");
    assert_string_equal(board.title, "b");
    assert_string_equal(board.machine, "m");
    assert_true(board.has_caches);
    assert_false(board.counts_instructions);
    assert_int_equal(board.memory_count, 3);
    assert_int_equal(board.memories[0].area.address, 0x24000000);
    assert_int_equal(board.memories[0].area.size, 512 << 10);
    assert_int_equal(board.memories[1].area.address, 0x20000000);
    assert_true(board.memories[1].no_execute);
    assert_true(board.memories[2].is_flash);
    assert_string_equal(rp_board_for_server(&board, "jlink"), "STM32H743ZI");
    assert_null(rp_board_for_server(&board, "openocd"));
}

static void an_area_is_in_one_memory(void **state) {
    struct unit *unit = *state;
    struct rp_board board;
    ACCEPTED(unit, read_text(unit, &board, good));
    const struct rp_area last = {0x2407FFFC, 4}, across = {0x2407FFFC, 5}, none = {0, 4};
    const struct rp_area huge = {0x24000000, UINT32_MAX};
    assert_ptr_equal(rp_board_holding(&board, last), &board.memories[0]);
    assert_null(rp_board_holding(&board, across));
    assert_null(rp_board_holding(&board, none));
    assert_null(rp_board_holding(&board, huge));
}

/* good with one text replaced by another. */
static bool changed(struct unit *unit, const char *from, const char *to) {
    char text[1024];
    struct rp_board board;
    const char *at = strstr(good, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    return read_text(unit, &board, text);
}

static void what_is_wrong_is_named(void **state) {
    struct unit *unit = *state;
    static const struct {
        const char *from, *to, *said;
    } rows[] = {
        {"\"512K\"", "\"512Q\"", "member 'size'"},
        {"\"512K\"", "\"\"", "member 'size'"},
        {"\"512K\"", "-1", "member 'size'"},
        {"\"512K\"", "\"4096M\"", "member 'size'"},
        {"\"512K\"", "0", "a memory needs"},
        {"\"512K\"", "\"4000M\"", "a memory needs"},
        {"\"512K\"", "3", "memory 'RAM', 3 bytes at 0x24000000: it needs 1024 bytes"},
        {"\"512K\"", "1020", "memory 'RAM', 1020 bytes"},
        {"\"512K\"", "1026", "multiples of 4"},
        {"0x24000000", "0x24000002", "at 0x24000002"},
        {"64000000", "1", "clock_hz is 1"},
        {"64000000", "31999", "clock_hz is 31999: no core is slower than 32000 Hz"},
        {"536870912", "\"0x24010000\"", "'RAM' and 'DTCM' overlap"},
        {"\"executable\": false", "\"executable\": 0", "true or false"},
        {"\"executable\"", "\"executble\"", "unknown member 'executble'"},
        {"\"kind\": \"flash\"", "\"kind\": \"rom\"", "\"ram\" or \"flash\""},
        {"\"caches\"", "\"cache\"", "unknown member 'cache'"},
        {"\"jlink\": \"STM32H743ZI\"", "\"jlink\": 7", "member 'jlink'"},
        {"64000000", "0", "a board needs"},
        {"\"name\": \"b\"", "\"title\": \"b\"", "a board needs"},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        REFUSED(unit, changed(unit, rows[i].from, rows[i].to), RP_E_MANIFEST, rows[i].said);
    REFUSED(unit, changed(unit, "stm32h7", "stm32q7"), RP_E_USAGE, "stm32q7");
    struct rp_board board;
    REFUSED(unit, read_text(unit, &board, "[]"), RP_E_MANIFEST, "a board is a JSON object");
    REFUSED(unit, read_text(unit, &board, "{\"memories\": {}}"), RP_E_MANIFEST, "'memories'");
    REFUSED(unit, read_text(unit, &board, "{"), RP_E_MANIFEST, "not valid JSON");
    REFUSED(unit, changed(unit, "\"servers\"", "\"memories\""), RP_E_MANIFEST,
            "b.json:1: member 'memories' occurs twice");
}

/* Those that come with the tool; the emulated ones have the memories of verify's boards. */
static void our_boards_are_good(void **state) {
    struct unit *unit = *state;
    struct rp_strings paths = {0};
    size_t emulated = 0;
    ACCEPTED(unit, rp_board_files(&paths, &unit->arena, ".", &unit->err));
    assert_true(paths.count >= 9);
    for (size_t i = 0; i < paths.count; i++) {
        struct rp_board board = {0};
        ACCEPTED(unit, rp_board_read(&board, &unit->arena, paths.items[i], &unit->err));
        if (!board.counts_instructions)
            continue;
        const struct rp_board *own = rp_board_find(board.core);
        emulated++;
        assert_string_equal(own->machine, board.machine);
        assert_int_equal(own->clock_hz, board.clock_hz);
        assert_int_equal(own->memory_count, board.memory_count);
        for (size_t k = 0; k < own->memory_count; k++) {
            const struct rp_board_memory *same = rp_board_holding(&board, own->memories[k].area);
            assert_non_null(same);
            assert_int_equal(same->area.size, own->memories[k].area.size);
        }
    }
    assert_int_equal(emulated, 5);
    struct rp_board board;
    ACCEPTED(unit, rp_board_find_any(&board, &unit->arena, ".", "NUCLEO-H743ZI", &unit->err));
    REFUSED(unit, rp_board_find_any(&board, &unit->arena, ".", "nucleo", &unit->err), RP_E_USAGE,
            "nucleo-h743zi");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(a_board_is_read),
        UNIT(an_area_is_in_one_memory),
        UNIT(what_is_wrong_is_named),
        UNIT(our_boards_are_good),
    };
    return RUN(tests);
}
