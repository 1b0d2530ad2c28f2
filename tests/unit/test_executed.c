/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/verify/executed: what a log of blocks says was executed. */
#include "tests/unit/unit.h"

#include "cli/verify/executed.h"

/* movs r0, #0; push.w {r4-r8, lr}; nop; bx lr; a literal */
static const uint8_t code[] = {0x00, 0x20, 0x2D, 0xE9, 0xF0, 0x41, 0x00,
                               0xBF, 0x70, 0x47, 0x78, 0x56, 0x34, 0x12};
enum { HALVES = sizeof code / 2 };

/* Executed bytes, of an image at 0x1000 and at 0x8000. */
static uint32_t bytes_of(const char *text) {
    uint8_t begins[HALVES + 1] = {0};
    struct rp_executed log = {.code = code,
                              .size = sizeof code,
                              .areas = {{0x1000, sizeof code}, {0x8000, sizeof code}},
                              .area_count = 2,
                              .begins = begins};
    rp_executed_take(&log, text, strlen(text));
    return rp_executed_bytes(&log);
}

static void counts_each_instruction_once(void **state) {
    (void)state;
    static const char block[] = "----------------\nIN: \n"
                                "0x00001000:  2000       movs     r0, #0\n"
                                "0x00001002:  e92d 41f0  push.w   {r4, r5, r6, r7, r8, lr}\n\n";
    char both[2 * sizeof block];
    assert_int_equal(bytes_of(block), 6);
    (void)snprintf(both, sizeof both, "%s%s", block, block);
    assert_int_equal(bytes_of(both), 6);
    assert_int_equal(bytes_of("0x00001000:  2000  movs\n0x00008000:  2000  movs\n"), 2);
    assert_int_equal(bytes_of("0x00001000:  2000  movs\n0x00008008:  4770  bx lr\n"), 4);
}

static void passes_over_other_addresses(void **state) {
    (void)state;
    assert_int_equal(bytes_of(""), 0);
    assert_int_equal(bytes_of("0x00000ffe:  2000\n0x0000100e:  2000\n0x00007ffe:  2000\n"), 0);
    assert_int_equal(bytes_of("IN: 0x00001000\n  0x00001000:\n"), 0);
}

/* An emulator without a disassembler writes a block's bytes. */
static void reads_bytes_of_blocks(void **state) {
    (void)state;
    assert_int_equal(bytes_of("0x00001000:  \nOBJD-T: 00202de9f04100bf\n"), 8);
    assert_int_equal(bytes_of("0x00001000:  \nOBJD-T: 00202de9f041\nOBJD-T: 00bf7047\n"), 10);
    assert_int_equal(bytes_of("0x00001008:  \nOBJD-T: 704700000000000000000000\n"), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(counts_each_instruction_once),
        UNIT(passes_over_other_addresses),
        UNIT(reads_bytes_of_blocks),
    };
    return RUN(tests);
}
