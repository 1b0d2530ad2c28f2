/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/insn/thumb.h: instructions as the GNU assembler encodes them. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/insn/thumb.h"

/* Half-words in the order of a disassembler. */
#define CODE(first, second) (UINT32_C(0x##first) | UINT32_C(0x##second) << 16)

static void reads_halves(void **state) {
    (void)state;
    assert_int_equal(rp_thumb_half(CODE(f241, 2034)), 0x1234); /* movw r0 */
    assert_int_equal(rp_thumb_half(CODE(f64f, 7bff)), 0xFFFF); /* movw fp */
    assert_int_equal(rp_thumb_half(CODE(f640, 0300)), 0x0800); /* movw r3 */
    assert_int_equal(rp_thumb_half(CODE(f2c8, 7565)), 0x8765); /* movt r5 */
    assert_int_equal(CODE(f64f, 7bff) & RP_THUMB_REGISTER, 0x0B000000);
}

static void follows_branches(void **state) {
    static const struct {
        uint32_t instruction, place, target;
        bool conditional;
    } cases[] = {
        {CODE(f000, f800), 0x10, 0x14, false},
        {CODE(f7fe, fffe), 0x14, 0xFFFFF014, false},
        {CODE(f0ff, fffd), 0x18, 0x100016, false},
        {CODE(f7ff, 9ffe), 0x1C, 0xFF80001C, false},
        {CODE(f123, ba29), 0x20, 0x123476, false},
        {CODE(f000, 87fe), 0x24, 0x1024, true},
        {CODE(f440, 8000), 0x28, 0xFFF0002C, true},
        {CODE(f040, 8040), 0x2C, 0xB0, true},
        {CODE(f7fe, fffe), 0x20002000, 0x20001000, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(
            rp_thumb_branch(cases[i].instruction, cases[i].place, cases[i].conditional),
            cases[i].target);
}

static void measures_distances(void **state) {
    (void)state;
    assert_true(rp_thumb_is_distance(R_ARM_SBREL32, 0x1010, 0x1000, 0x10));
    assert_false(rp_thumb_is_distance(R_ARM_SBREL32, 0x1011, 0x1000, 0x10));
    assert_false(rp_thumb_is_distance(R_ARM_SBREL32, 0xFFF, 0x1000, 0x10));
    assert_true(rp_thumb_is_distance(R_ARM_THM_MOVW_BREL_NC, CODE(f241, 2034), 0x51230, 4));
    assert_false(rp_thumb_is_distance(R_ARM_THM_MOVW_BREL_NC, CODE(f241, 2034), 0x51230, 3));
    assert_true(rp_thumb_is_distance(R_ARM_THM_MOVT_BREL, CODE(f2c8, 7565), 0x8764FFFF, 1));
    assert_false(rp_thumb_is_distance(R_ARM_THM_MOVT_BREL, CODE(f2c8, 7565), 0x8764FFFF, 0));
    assert_false(rp_thumb_is_distance(R_ARM_ABS32, 0x1000, 0x1000, 0x10));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_halves),
        cmocka_unit_test(follows_branches),
        cmocka_unit_test(measures_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
