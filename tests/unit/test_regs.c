/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/insn/regs.h: what is known about r9 after single instructions. */
#include "tests/unit/unit.h"

#include "elfpack/insn/regs.h"

static struct rp_regs_use apply(struct rp_regs *regs, uint32_t code, bool distance) {
    const uint8_t bytes[] = {(uint8_t)(code > 0xFFFF ? code >> 16 : code),
                             (uint8_t)(code > 0xFFFF ? code >> 24 : code >> 8), (uint8_t)code,
                             (uint8_t)(code >> 8)};
    struct rp_insn insn = rp_insn_read(bytes, code > 0xFFFF ? 4 : 2, 0x100);
    assert_int_not_equal(insn.family, RP_FAMILY_NONE);
    return rp_regs_apply(regs, &insn, 0x100, distance);
}

#define KIND(regs, number) (regs).reg[number].kind

static void keeps_it_on_the_stack(void **state) {
    struct rp_regs regs;
    (void)state;
    rp_regs_enter(&regs);
    apply(&regs, 0xE92D4210, false); /* push {r4, r9, lr} */
    apply(&regs, 0xED2D8B02, false); /* vpush {d8} */
    apply(&regs, 0xB082, false);     /* sub sp, #8 */
    apply(&regs, 0x4689, false);     /* mov r9, r1 */
    assert_int_equal(KIND(regs, 9), RP_VALUE_ANY);
    assert_int_equal(regs.reg[9].n, 0x100);
    apply(&regs, 0xB002, false);     /* add sp, #8 */
    apply(&regs, 0xECBD8B02, false); /* vpop {d8} */
    apply(&regs, 0xE8BD8210, false); /* pop {r4, r9, pc} */
    assert_int_equal(KIND(regs, 9), RP_VALUE_BASE);
    assert_true(KIND(regs, 13) == RP_VALUE_STACK && regs.reg[13].n == 0);
    apply(&regs, 0xE8BD8210, false); /* once more: another word of the stack */
    assert_int_equal(KIND(regs, 9), RP_VALUE_ANY);
}

static void sees_what_overwrites_it(void **state) {
    struct rp_regs regs;
    (void)state;
    rp_regs_enter(&regs);
    apply(&regs, 0xE96D8902, false); /* strd r8, r9, [sp, #-8]! */
    apply(&regs, 0x9101, false);     /* str r1, [sp, #4] */
    apply(&regs, 0xE8FD8902, false); /* ldrd r8, r9, [sp], #8 */
    assert_int_equal(KIND(regs, 9), RP_VALUE_ANY);
    rp_regs_enter(&regs);
    apply(&regs, 0xF8519B04, false); /* ldr r9, [r1], #4 */
    assert_int_equal(KIND(regs, 9), RP_VALUE_ANY);
    rp_regs_enter(&regs);
    apply(&regs, 0xF8591B04, false); /* ldr r1, [r9], #4 */
    assert_int_equal(KIND(regs, 9), RP_VALUE_ANY);
    rp_regs_enter(&regs);
    apply(&regs, 0x46CC, false); /* mov ip, r9 */
    apply(&regs, 0x4689, false); /* mov r9, r1 */
    apply(&regs, 0x46E1, false); /* mov r9, ip */
    assert_int_equal(KIND(regs, 9), RP_VALUE_BASE);
    apply(&regs, 0x4649, false); /* mov r1, r9 */
    apply(&regs, 0x000C, false); /* movs r4, r1 */
    assert_int_equal(KIND(regs, 4), RP_VALUE_BASE);
    apply(&regs, 0x004C, false); /* lsls r4, r1, #1 */
    assert_int_equal(KIND(regs, 4), RP_VALUE_ANY);
}

/* Armv6-M: frames of more than 508 bytes. */
static void adds_constants_to_the_stack_pointer(void **state) {
    struct rp_regs regs;
    (void)state;
    rp_regs_enter(&regs);
    apply(&regs, 0x464B, false); /* mov r3, r9 */
    apply(&regs, 0x2481, false); /* movs r4, #129 */
    apply(&regs, 0x00A4, false); /* lsls r4, r4, #2 */
    apply(&regs, 0x4264, false); /* negs r4, r4 */
    apply(&regs, 0x44A5, false); /* add sp, r4 */
    assert_true(KIND(regs, 13) == RP_VALUE_STACK && (int32_t)regs.reg[13].n == -516);
    apply(&regs, 0x9302, false); /* str r3, [sp, #8] */
    apply(&regs, 0x2508, false); /* movs r5, #8 */
    apply(&regs, 0x446D, false); /* add r5, sp */
    apply(&regs, 0x682E, false); /* ldr r6, [r5] */
    assert_int_equal(KIND(regs, 6), RP_VALUE_BASE);
    apply(&regs, 0x3404, false); /* adds r4, #4 */
    assert_true(KIND(regs, 4) == RP_VALUE_CONSTANT && (int32_t)regs.reg[4].n == -512);
    apply(&regs, 0x1924, false); /* adds r4, r4, r4 */
    assert_true(KIND(regs, 4) == RP_VALUE_CONSTANT && (int32_t)regs.reg[4].n == -1024);
    apply(&regs, 0x9402, false); /* str r4, [sp, #8] */
    apply(&regs, 0x9E02, false); /* ldr r6, [sp, #8] */
    assert_int_equal(KIND(regs, 6), RP_VALUE_ANY);
    apply(&regs, 0x6804, false); /* ldr r4, [r0] */
    apply(&regs, 0x00A4, false); /* lsls r4, r4, #2 */
    apply(&regs, 0x44A5, false); /* add sp, r4 */
    assert_int_equal(KIND(regs, 13), RP_VALUE_NEAR_SP);
    rp_regs_enter(&regs);
    apply(&regs, 0xF64A37F4, false); /* movw r7, #0xabf4 */
    assert_true(KIND(regs, 7) == RP_VALUE_CONSTANT && regs.reg[7].n == 0xABF4);
    apply(&regs, 0x44BD, false); /* add sp, r7 */
    assert_true(KIND(regs, 13) == RP_VALUE_STACK && regs.reg[13].n == 0xABF4);
    apply(&regs, 0xF6CF77FF, false); /* movt r7, #0xffff */
    assert_int_equal(regs.reg[7].n, 0xFFFFABF4);
    apply(&regs, 0x463C, false);    /* mov r4, r7 */
    apply(&regs, 0xF2400700, true); /* movw r7, :lower16: of a distance */
    apply(&regs, 0xF2C00700, true); /* movt r7, :upper16: */
    assert_int_equal(KIND(regs, 7), RP_VALUE_DISTANCE);
    apply(&regs, 0xF2C00700, false); /* movt r7, #0: half of it */
    assert_int_equal(KIND(regs, 7), RP_VALUE_ANY);
}

/* What keeps r9 does not survive a shift or a change of sign. */
static void loses_it_in_arithmetic(void **state) {
    struct rp_regs regs;
    (void)state;
    rp_regs_enter(&regs);
    apply(&regs, 0x464B, false);                   /* mov r3, r9 */
    assert_true(apply(&regs, 0x425C, false).base); /* negs r4, r3 */
    assert_int_equal(KIND(regs, 4), RP_VALUE_ANY);
    apply(&regs, 0x4C01, true);                    /* ldr r4, [pc, #4] */
    assert_true(apply(&regs, 0x00A5, false).lost); /* lsls r5, r4, #2 */
    assert_int_equal(KIND(regs, 5), RP_VALUE_ANY);
}

static void adds_distances_to_it(void **state) {
    struct rp_regs regs;
    struct rp_regs_use use;
    (void)state;
    rp_regs_enter(&regs);
    use = apply(&regs, 0x4B01, true); /* ldr r3, literal */
    assert_false(use.base || use.good || use.bad || use.lost);
    assert_true(KIND(regs, 3) == RP_VALUE_DISTANCE && regs.reg[3].n == 0x108);
    struct rp_regs loaded = regs;
    use = apply(&regs, 0xF8593003, false); /* ldr r3, [r9, r3] */
    assert_true(use.good && use.base && !use.bad);
    assert_int_equal(KIND(regs, 3), RP_VALUE_LOADED);
    regs = loaded;
    use = apply(&regs, 0xF85A3003, false); /* ldr r3, [r10, r3] */
    assert_true(use.bad && !use.good && use.other == 10);
    regs = loaded;
    use = apply(&regs, 0x444B, false); /* add r3, r9 */
    assert_true(use.good);
    regs = loaded;
    use = apply(&regs, 0x681B, false); /* ldr r3, [r3] */
    assert_true(use.bad);
    regs = loaded;
    use = apply(&regs, 0xEE083A10, false); /* vmov s16, r3 */
    assert_true(use.lost && !use.bad);
    regs = loaded;
    apply(&regs, 0x9301, false); /* str r3, [sp, #4] */
    apply(&regs, 0x9A01, false); /* ldr r2, [sp, #4] */
    assert_true(KIND(regs, 2) == RP_VALUE_DISTANCE && regs.reg[2].n == 0x108);
    regs = loaded;
    apply(&regs, 0x4689, false); /* mov r9, r1 */
    use = apply(&regs, 0xF8593003, false);
    assert_true(use.bad && use.other == 9);
}

static void joins(void **state) {
    struct rp_regs a, b;
    (void)state;
    rp_regs_enter(&a);
    rp_regs_enter(&b);
    apply(&a, 0x4B01, true);
    apply(&b, 0x4B01, true);
    assert_false(rp_regs_join(&a, &b));
    b.reg[3].n = 0x200; /* another literal */
    assert_true(rp_regs_join(&a, &b));
    assert_true(KIND(a, 3) == RP_VALUE_DISTANCE && a.reg[3].n == 0);
    assert_false(rp_regs_join(&a, &b));
    apply(&a, 0xE92D4210, false);
    apply(&b, 0xE92D4210, false);
    apply(&b, 0x9101, false); /* str r1, [sp, #4], where r9 is */
    assert_true(rp_regs_join(&a, &b));
    apply(&a, 0xE8BD8210, false);
    assert_int_equal(KIND(a, 9), RP_VALUE_ANY);
}

static void has_room_for_so_many(void **state) {
    struct rp_regs regs;
    (void)state;
    rp_regs_enter(&regs);
    for (int i = 0; i < 2 * RP_REGS_SLOTS; i++)
        apply(&regs, 0xF84D9D04, false); /* str r9, [sp, #-4]! */
    assert_int_equal(regs.slot_count, RP_REGS_SLOTS);
    apply(&regs, 0xF85D9B04, false); /* the last one was not kept */
    assert_int_equal(KIND(regs, 9), RP_VALUE_ANY);
    rp_regs_enter(&regs);
    apply(&regs, 0x4668, false); /* mov r0, sp */
    for (int i = 0; i < 2 * RP_REGS_SLOTS; i++)
        apply(&regs, 0xF84D0D04, false); /* str r0, [sp, #-4]! */
    apply(&regs, 0xF84D9D04, false);     /* it takes the place of a stack pointer */
    assert_int_equal(regs.slot_count, RP_REGS_SLOTS);
    apply(&regs, 0xF85D9B04, false);
    assert_int_equal(KIND(regs, 9), RP_VALUE_BASE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_it_on_the_stack),
        cmocka_unit_test(sees_what_overwrites_it),
        cmocka_unit_test(adds_constants_to_the_stack_pointer),
        cmocka_unit_test(loses_it_in_arithmetic),
        cmocka_unit_test(adds_distances_to_it),
        cmocka_unit_test(joins),
        cmocka_unit_test(has_room_for_so_many),
    };
    return RUN(tests);
}
