/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Unit tests of elfpack/insn/insn.h: instructions as the GNU assembler encodes them.
 * tests/e2e/test_instructions.py compares every row of the table with the assembler.
 */
#include "tests/unit/unit.h"

#include "elfpack/insn/insn.h"
#include "runtime/format/reloc_format.h"

static struct rp_insn wide(uint32_t code, uint32_t address) {
    const uint8_t bytes[] = {(uint8_t)(code >> 16), (uint8_t)(code >> 24), (uint8_t)code,
                             (uint8_t)(code >> 8)};
    return rp_insn_read(bytes, sizeof bytes, address);
}

static struct rp_insn narrow(uint32_t code, uint32_t address) {
    const uint8_t bytes[] = {(uint8_t)code, (uint8_t)(code >> 8)};
    return rp_insn_read(bytes, sizeof bytes, address);
}

static void tells_families(void **state) {
    static const struct {
        uint32_t code;
        enum rp_family family;
    } cases[] = {
        {0xFB90F0F1, RP_FAMILY_BASE},     /* sdiv */
        {0xF2400900, RP_FAMILY_BASE},     /* movw r9, #0 */
        {0xF7FFBFFE, RP_FAMILY_BASE},     /* b.w */
        {0xF7FFFFFE, RP_FAMILY_V6M},      /* bl */
        {0xF3BF8F5F, RP_FAMILY_V6M},      /* dmb */
        {0xF3EF8009, RP_FAMILY_V6M},      /* mrs r0, psp */
        {0xF3EF8011, RP_FAMILY_V7M},      /* mrs r0, basepri */
        {0xEC200A00, RP_FAMILY_V8M_MAIN}, /* vlstm r0 */
        {0xEA000000, RP_FAMILY_V7M},      /* and.w */
        {0xFA81F080, RP_FAMILY_DSP},      /* qadd */
        {0xEE300A00, RP_FAMILY_FP},       /* vadd.f32 */
        {0xEE300B00, RP_FAMILY_FP_DP},    /* vadd.f64 */
        {0xEE300B20, RP_FAMILY_NONE},     /* the same with d16 */
        {0xED911B01, RP_FAMILY_FP},       /* vldr d1: loads two words, no more */
        {0xFEB80A40, RP_FAMILY_FPV5},     /* vrinta.f32 */
        {0xEE300900, RP_FAMILY_FP16},     /* vadd.f16 */
        {0xE8DD2FAF, RP_FAMILY_V8M},      /* lda */
        {0xEA508201, RP_FAMILY_V81M},     /* csel */
        {0xEF200840, RP_FAMILY_MVE},      /* vadd.i32 */
        {0xFB60F200, RP_FAMILY_PACBTI},   /* pacg */
        {0xF3AF801D, RP_FAMILY_V7M},      /* pac: a hint, which does nothing on other cores */
        {0xEE000010, RP_FAMILY_COPROCESSOR}, {0xF3EF890A, RP_FAMILY_V8M}, /* mrs r9, msplim */
        {0xF3EF8909, RP_FAMILY_V6M},                                      /* mrs r9, psp */
        {0xF7F08000, RP_FAMILY_NONE},                                     /* smc */
        {0xF8CF0004, RP_FAMILY_NONE},                                     /* str r0, [pc, #4] */
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(wide(cases[i].code, 0).family, cases[i].family);
    assert_int_equal(narrow(0xB6FF, 0).family, RP_FAMILY_NONE);
    assert_int_equal(narrow(0xB120, 0).family, RP_FAMILY_BASE); /* cbz */
    assert_int_equal(narrow(0xBF08, 0).family, RP_FAMILY_V7M);  /* it eq */
    assert_int_equal(narrow(0xB672, 0).family, RP_FAMILY_V6M);  /* cpsid i */
    assert_int_equal(narrow(0xB671, 0).family, RP_FAMILY_V7M);  /* cpsid f */
    assert_int_equal(narrow(0x4648, 0).family, RP_FAMILY_V6M);  /* mov r0, r9 */
    assert_int_equal(narrow(0xDEFF, 0).flow, RP_FLOW_STOP);
}

static void knows_cores(void **state) {
    uint32_t m3 = rp_core_families(&rp_cores[RP_CORE_M3], false, false);
    uint32_t m4 = rp_core_families(&rp_cores[RP_CORE_M4], true, false);
    uint32_t m7 = rp_core_families(&rp_cores[RP_CORE_M7], true, true);
    uint32_t m33 = rp_core_families(&rp_cores[RP_CORE_M33], true, false);
    uint32_t m55 = rp_core_families(&rp_cores[RP_CORE_M55], true, true);
    (void)state;
    uint32_t m0 = rp_core_families(&rp_cores[RP_CORE_M0], false, false);
    uint32_t m23 = rp_core_families(&rp_cores[RP_CORE_M23], false, false);
    assert_int_equal(m0, 1u << RP_FAMILY_V6M);
    assert_int_equal(rp_core_families(&rp_cores[RP_CORE_M0P], false, false), m0);
    assert_int_equal(m23, m0 | 1u << RP_FAMILY_BASE | 1u << RP_FAMILY_V8M);
    assert_int_equal(m3, m0 | 1u << RP_FAMILY_BASE | 1u << RP_FAMILY_V7M);
    assert_int_equal(rp_core_families(&rp_cores[RP_CORE_M85], true, true), m55);
    assert_int_equal(rp_core_families(&rp_cores[RP_CORE_M52], true, true), m55);
    assert_int_equal(m4, m3 | 1u << RP_FAMILY_DSP | 1u << RP_FAMILY_FP);
    assert_int_equal(m7, m4 | 1u << RP_FAMILY_FPV5 | 1u << RP_FAMILY_FP_DP);
    assert_int_equal(m33,
                     m4 | 1u << RP_FAMILY_FPV5 | 1u << RP_FAMILY_V8M | 1u << RP_FAMILY_V8M_MAIN);
    assert_int_equal(m55,
                     m7 | m33 | 1u << RP_FAMILY_V81M | 1u << RP_FAMILY_MVE | 1u << RP_FAMILY_FP16);
    for (int i = 0; i < RP_FAMILY_COUNT; i++)
        assert_non_null(rp_family_text((enum rp_family)i));
}

static void follows_control(void **state) {
    (void)state;
    assert_int_equal(narrow(0xE7FE, 0x100).target, 0x100);      /* b . */
    assert_int_equal(narrow(0xD0FE, 0x100).target, 0x100);      /* beq . */
    assert_int_equal(narrow(0xB120, 0x100).target, 0x10C);      /* cbz r0, .+12 */
    assert_int_equal(wide(0xF00FC803, 0x11E).target, 0x11C);    /* le lr, .-2 */
    assert_int_equal(wide(0xF049C003, 0x122).target, 0x12A);    /* wls lr, r9, .+8 */
    assert_int_equal(wide(0xF7FFFFFE, 0x100).target, 0x100);    /* bl . */
    assert_int_equal(narrow(0x4801, 0x102).target, 0x108);      /* ldr r0, .+6: aligned */
    assert_int_equal(wide(0xF85F0004, 0x104).target, 0x104);    /* ldr.w r0, .-4 */
    assert_int_equal(narrow(0x4770, 0).flow, RP_FLOW_JUMP);     /* bx lr */
    assert_int_equal(narrow(0xBD10, 0).flow, RP_FLOW_JUMP);     /* pop {r4, pc} */
    assert_int_equal(narrow(0x46F7, 0).flow, RP_FLOW_JUMP);     /* mov pc, lr */
    assert_int_equal(wide(0xE8BD8210, 0).flow, RP_FLOW_JUMP);   /* pop {r4, r9, pc} */
    assert_int_equal(wide(0xF85DFB04, 0).flow, RP_FLOW_JUMP);   /* ldr pc, [sp], #4 */
    assert_int_equal(wide(0xF859F00C, 0).flow, RP_FLOW_JUMP);   /* ldr.w pc, [r9, ip] */
    assert_int_equal(wide(0xF811F002, 0).flow, RP_FLOW_NEXT);   /* pld [r1, r2] */
    assert_int_equal(wide(0xE8D1F002, 0).flow, RP_FLOW_TABLE);  /* tbb [r1, r2] */
    assert_int_equal(narrow(0x4780, 0).flow, RP_FLOW_CALL_REG); /* blx r0 */
}

static void counts_conditions(void **state) {
    struct rp_insn it = narrow(0xBF08, 0), itete = narrow(0xBF15, 0); /* it eq, itete ne */
    (void)state;
    assert_int_equal(rp_insn_it_count(&it), 1);
    assert_int_equal(rp_insn_it_count(&itete), 4);
    assert_true(rp_insn_it_then(&itete, 0) && !rp_insn_it_then(&itete, 1));
    assert_true(rp_insn_it_then(&itete, 2) && !rp_insn_it_then(&itete, 3));
}

static void moves_the_stack(void **state) {
    struct rp_insn push = wide(0xE92D4210, 0), pop = wide(0xE8BD8210, 0); /* {r4, r9, lr/pc} */
    struct rp_insn store = wide(0xF84D9D04, 0),
                   load = wide(0xF85D9B04, 0); /* [sp, #-4]!, [sp], #4 */
    (void)state;
    assert_int_equal(push.imm, -12);
    assert_int_equal(push.step, -12);
    assert_int_equal(pop.imm, 0);
    assert_int_equal(pop.step, 12);
    assert_true((pop.writes >> 9 & 1) != 0 && (push.writes >> 9 & 1) == 0);
    assert_true(store.imm == -4 && store.step == -4 && load.imm == 0 && load.step == 4);
    assert_int_equal(narrow(0xB082, 0).imm, -8);     /* sub sp, #8 */
    assert_int_equal(wide(0xF5AD7D80, 0).imm, -256); /* sub.w sp, sp, #256 */
    assert_int_equal(wide(0xF1090980, 0).imm, 128);  /* add.w r9, r9, #128 */
    assert_int_equal(wide(0xED2D8B04, 0).step, -16); /* vpush {d8, d9} */
    assert_int_equal(wide(0xECB13B06, 0).step, 24);  /* vldmia r1!, {d3-d5} */
    assert_int_equal(wide(0xE96D8902, 0).step, -8);  /* strd r8, r9, [sp, #-8]! */
}

static void stops_at_the_end(void **state) {
    const uint8_t bytes[] = {0x30, 0xEE, 0x00, 0x0B};
    (void)state;
    assert_int_equal(rp_insn_read(bytes, 0, 0).size, 0);
    assert_int_equal(rp_insn_read(bytes, 1, 0).size, 0);
    assert_int_equal(rp_insn_read(bytes, 2, 0).size, 2); /* half of one: undefined */
    assert_int_equal(rp_insn_read(bytes, 3, 0).family, RP_FAMILY_NONE);
    assert_int_equal(rp_insn_read(bytes, 4, 0).size, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_families),  cmocka_unit_test(knows_cores),
        cmocka_unit_test(follows_control), cmocka_unit_test(counts_conditions),
        cmocka_unit_test(moves_the_stack), cmocka_unit_test(stops_at_the_end),
    };
    return RUN(tests);
}
