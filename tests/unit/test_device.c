/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of toolchain/build/device. */
#include "tests/unit/unit.h"

#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "toolchain/compile/device.h"

static void every_row_is_whole(void **state) {
    struct unit *u = *state;
    size_t count = 0;
    for (const struct rp_device *row; (row = rp_device_at(count)) != NULL; count++) {
        struct rp_device found;
        assert_non_null(rp_device_target(row));
        assert_true(rp_device_sizes(row).ram != 0);
        for (const char *c = row->name; *c != '\0'; c++)
            assert_true(islower((unsigned char)*c) || isdigit((unsigned char)*c));
        assert_true(rp_device_find(&found, &u->arena, "templates", row->name, &u->err));
        assert_string_equal(found.name, row->name); /* none begins with another's name */
    }
    assert_true(count >= 70);
}

static void names_with_package(void **state) {
    struct unit *u = *state;
    struct rp_device found;
    assert_true(rp_device_find(&found, &u->arena, ".", "STM32H743ZIT6", &u->err));
    assert_string_equal(found.name, "stm32h743zi");
    const struct rp_device_sizes sizes = rp_device_sizes(&found);
    assert_int_equal(sizes.flash, 2 << 20);
    assert_int_equal(sizes.ram, (512 + 128 + 128 + 32 + 64 + 128 + 64) << 10);
    assert_int_equal(sizes.ext_ram, 0);
    assert_false(rp_device_find(&found, &u->arena, ".", "stm32h743zi-x", &u->err));
    assert_int_equal(u->err.id, RP_E_USAGE);
}

/* The series of a part has its flags: not those of its core in general. */
static void series_of_parts(void **state) {
    struct unit *u = *state;
    static const char *const parts[][2] = {
        {"nrf52840", "nrf52840"},   {"pico2", "rp2350"},     {"mimxrt1064", "imxrt1060"},
        {"R7FA6M5BH3CFC", "ra6m5"}, {"apollo3p", "apollo3"}, {"stm32h563zi", "cortex-m33"},
        {"CY8C624ABZI", "psoc6"}};
    for (size_t i = 0; i < COUNT(parts); i++) {
        struct rp_device found;
        assert_true(rp_device_find(&found, &u->arena, ".", parts[i][0], &u->err));
        assert_string_equal(rp_device_target(&found)->series, parts[i][1]);
    }
}

static void boards_are_devices(void **state) {
    struct unit *u = *state;
    struct rp_device found;
    assert_true(rp_device_find(&found, &u->arena, ".", "mps3-an547", &u->err));
    assert_int_equal(rp_device_sizes(&found).ext_ram, 2048ull << 20);
    assert_true(
        rp_device_find(&found, &u->arena, ".", "templates/boards/nucleo-f446re.json", &u->err));
    assert_int_equal(rp_device_sizes(&found).flash, 512 << 10);
    assert_true(rp_device_find(&found, &u->arena, ".", "pico2", &u->err));
    assert_int_equal(rp_device_sizes(&found).flash, 4 << 20); /* outside, as there is none inside */
}

static void another_core_is_refused(void **state) {
    struct unit *u = *state;
    struct rp_device found;
    assert_true(rp_device_find(&found, &u->arena, ".", "nrf52840", &u->err));
    assert_true(rp_device_check(&found, rp_target_find("stm32l4", NULL, NULL), &u->err));
    assert_false(rp_device_check(&found, rp_target_find("stm32h7", NULL, NULL), &u->err));
    assert_non_null(strstr(u->err.message, "nrf52840"));
    assert_non_null(strstr(u->err.message, "cortex-m4"));
    assert_non_null(strstr(u->err.message, "stm32h7"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(every_row_is_whole), UNIT(names_with_package),      UNIT(series_of_parts),
        UNIT(boards_are_devices), UNIT(another_core_is_refused),
    };
    return RUN(tests);
}
