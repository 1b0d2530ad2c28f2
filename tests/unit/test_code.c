/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/code: what is code, and which instructions a core lacks. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "tests/unit/code_sample.h"

#define NOP       0xBF00u
#define BX_LR     0x4770u
#define UDF       0xDE00u
#define UNDEFINED 0xB6FFu
#define VADD      0xEE300A00u

static uint32_t m3(void) {
    return rp_core_families(&rp_cores[RP_CORE_M3], false, false);
}

static bool check(struct unit *u, const struct code_sample *s) {
    const struct rp_code_words words = {.core = "the core", .hint = "a hint"};
    return rp_code_check(&s->code, &u->arena, &words, &u->err);
}

/* The marks of the half-words from an address on. */
static void marks_are(const struct code_sample *s, uint32_t at, const uint8_t *want, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (rp_code_mark(&s->code, at + 2 * (uint32_t)i) != want[i])
            fail_msg("half-word %zu is marked 0x%x, not 0x%x", i,
                     rp_code_mark(&s->code, at + 2 * (uint32_t)i), want[i]);
}

static void marks_instructions(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    enum {
        S = RP_CODE_START,
        T = RP_CODE_TARGET,
        L = RP_CODE_LITERAL,
        M = RP_CODE_MAYBE,
        R9 = RP_CODE_R9,
        F = RP_CODE_FLOW,
        V = RP_CODE_VALUE
    };
    code_make(&s);
    uint32_t f = code_function(&s, "f");
    CODE(&s, 0xE92D4210 /* push {r4, r9, lr} */, 0x4B03 /* ldr r3, [pc, #12] */, 0xBF08 /* it eq */,
         0x4718 /* bxeq r3 */, 0xD000 /* beq +0 */, NOP, NOP, 0xE8BD8210 /* pop {r4, r9, pc} */);
    code_symbol(&s, "$d", STT_NOTYPE, code_here(&s));
    code_word(&s, UNDEFINED);
    code_read(&s, u, m3());
    static const uint8_t want[] = {S | T | R9, 0,     S | V,      S, S | F | M, S | F,
                                   S,          S | T, S | R9 | F, 0, L,         L};
    marks_are(&s, f, want, COUNT(want));
    assert_int_equal(rp_code_mark(&s.code, f - 2), 0);
    assert_int_equal(rp_code_mark(&s.code, f + 1), 0);
    assert_int_equal(rp_code_mark(&s.code, code_here(&s)), 0);
    assert_int_equal(rp_code_insn(&s.code, f + 2).size, 0);
    assert_int_equal(rp_code_insn(&s.code, f).size, 4);
    ACCEPTED(u, check(u, &s));
    code_free(&s);
}

static void names_what_the_core_lacks(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    code_make(&s);
    code_function(&s, "f");
    CODE(&s, NOP, VADD, UNDEFINED, BX_LR);
    code_read(&s, u, m3());
    REFUSED(u, check(u, &s), RP_E_INSTRUCTION,
            "the code has 2 instructions that the core cannot run:\n"
            "  f + 0x2 (f): instruction ee30 0a00: needs floating point\n"
            "  f + 0x6 (f): instruction b6ff: an undefined instruction");
    struct rp_code_words words = {.core = "it", .hint = "a hint"};
    rp_strings_push(&u->arena, &words.texts, "vadd.f32 s0, s0, s0");
    rp_code_check(&s.code, &u->arena, &words, &u->err);
    CONTAINS(u->err.message, "f + 0x2 (f): 'vadd.f32 s0, s0, s0': needs floating point");
    assert_string_equal(u->err.hint, "a hint");
    assert_string_equal(u->err.symbol, "f");
    code_free(&s);
    code_make(&s);
    code_function(&s, "f");
    CODE(&s, VADD, BX_LR);
    code_read(&s, u, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
    u->err = (struct rp_error){0};
    ACCEPTED(u, check(u, &s));
    code_free(&s);
}

static void counts_more_than_it_shows(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    code_make(&s);
    code_function(&s, "f");
    for (unsigned i = 0; i < 103; i++)
        CODE(&s, VADD);
    CODE(&s, BX_LR);
    code_read(&s, u, m3());
    assert_int_equal(s.code.stranger_count, 103);
    assert_int_equal(s.code.strangers.count, 100);
    REFUSED(u, check(u, &s), RP_E_INSTRUCTION, "\n  and 91 more");
    code_free(&s);
}

/* Data behind f are code when control reaches them: one stranger, or none. */
static size_t strangers_behind(struct unit *u, const uint32_t *codes, size_t count) {
    struct code_sample s;
    code_make(&s);
    code_function(&s, "f");
    code_put(&s, codes, count);
    code_symbol(&s, "$d", STT_NOTYPE, code_here(&s));
    CODE(&s, UNDEFINED, UNDEFINED);
    code_symbol(&s, "$t.2", STT_NOTYPE, code_here(&s));
    CODE(&s, BX_LR);
    code_read(&s, u, m3());
    size_t found = s.code.stranger_count;
    code_free(&s);
    return found;
}
#define BEHIND(u, ...)                                                                             \
    strangers_behind(u, (const uint32_t[]){__VA_ARGS__},                                           \
                     sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void tells_code_from_data(void **state) {
    struct unit *u = *state;
    assert_int_equal(BEHIND(u, BX_LR), 0);
    assert_int_equal(BEHIND(u, BX_LR, NOP), 0);    /* which aligns the data */
    assert_int_equal(BEHIND(u, NOP, NOP), 1);      /* falls into it */
    assert_int_equal(BEHIND(u, 0xBF08, BX_LR), 1); /* bxeq lr */
    assert_int_equal(BEHIND(u, 0xDF00), 1);        /* svc returns */
    assert_int_equal(BEHIND(u, UDF), 0);
    assert_int_equal(BEHIND(u, 0xD001, BX_LR, BX_LR), 1); /* beq to the data */
    assert_int_equal(BEHIND(u, 0xE7FF, BX_LR), 0);        /* b to bx lr */
    assert_int_equal(BEHIND(u, 0xE000, BX_LR), 1);        /* b to the data */
    assert_int_equal(BEHIND(u, 0xF000F801, BX_LR), 1);    /* bl of the data */
    assert_int_equal(BEHIND(u, 0xF000F801, 0x4798), 1);   /* the same, and blx r3 */
    assert_int_equal(BEHIND(u, 0x4798), 0);               /* blx r3 may not return */
    assert_int_equal(BEHIND(u, 0x4800, NOP), 0); /* ldr r0, [pc]: data that is read is data */
}

static void follows_without_mapping_symbols(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    code_make(&s);
    code_part(&s, "f");
    CODE(&s, 0x4800 /* ldr r0, [pc] */, BX_LR);
    code_word(&s, UNDEFINED | UNDEFINED << 16);
    code_read(&s, u, m3());
    ACCEPTED(u, check(u, &s));
    code_free(&s);
    code_make(&s);
    code_part(&s, "f");
    CODE(&s, BX_LR, UNDEFINED);
    code_read(&s, u, m3());
    REFUSED(u, check(u, &s), RP_E_INSTRUCTION, "or data: the object has no mapping symbols");
    code_free(&s);
    code_make(&s); /* tbb: three entries of one byte and one that fills up, then code */
    uint32_t f = code_part(&s, "f");
    CODE(&s, 0xE8DFF000, 0x0302, 0x0003, BX_LR, BX_LR);
    code_read(&s, u, m3());
    ACCEPTED(u, check(u, &s));
    assert_int_equal(rp_code_mark(&s.code, f + 4), 0);
    assert_true((rp_code_mark(&s.code, f + 8) & RP_CODE_START) != 0);
    code_free(&s);
    code_make(&s); /* constants are no code, unless there is a function in them */
    s.parts[s.map.count++] = (struct rp_contribution){".rodata", CODE_BASE, 2, "f", NULL};
    CODE(&s, UNDEFINED);
    code_read(&s, u, m3());
    ACCEPTED(u, check(u, &s));
    code_free(&s);
    code_make(&s);
    s.parts[s.map.count++] = (struct rp_contribution){".rodata", CODE_BASE, 2, "f", NULL};
    CODE(&s, UNDEFINED);
    code_symbol(&s, "g", STT_FUNC, CODE_BASE | 1);
    code_read(&s, u, m3());
    REFUSED(u, check(u, &s), RP_E_INSTRUCTION,
            "g + 0x0 (f): instruction b6ff: an undefined instruction, or data");
    code_free(&s);
}

static void refuses_other_code(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    code_make(&s);
    code_part(&s, "arm");
    code_symbol(&s, "$a", STT_NOTYPE, code_here(&s));
    code_word(&s, 0xE12FFF1E);
    code_read(&s, u, m3());
    REFUSED(u, check(u, &s), RP_E_INSTRUCTION, "instruction e12f ff1e: needs Arm state");
    code_free(&s);
    code_make(&s);
    code_function(&s, "f");
    code_call(&s, CODE_BASE + 0x1000);
    CODE(&s, BX_LR);
    code_read(&s, u, m3());
    REFUSED(u, check(u, &s), RP_E_INSTRUCTION, "a branch that leads out of the image");
    code_free(&s);
    code_make(&s); /* the first half of an instruction at the end */
    code_function(&s, "f");
    CODE(&s, NOP, 0xF000);
    code_read(&s, u, m3());
    REFUSED(u, check(u, &s), RP_E_INSTRUCTION, "f + 0x2 (f)");
    code_free(&s);
}

static void names_places(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    code_make(&s);
    uint32_t f = code_function(&s, "f");
    CODE(&s, NOP, NOP);
    code_symbol(&s, "label", STT_NOTYPE, code_here(&s));
    CODE(&s, BX_LR);
    uint32_t g = code_part(&s, "g.o");
    CODE(&s, NOP, BX_LR);
    code_read(&s, u, m3());
    assert_string_equal(rp_code_label(&s.code, f + 2), "f");
    assert_string_equal(rp_code_label(&s.code, f + 4), "label");
    assert_string_equal(rp_code_label(&s.code, g), ""); /* of another section */
    assert_string_equal(rp_code_function(&s.code, &u->arena, f + 2), "f (f)");
    assert_string_equal(rp_code_place(&s.code, &u->arena, f + 2), "f + 0x2 (f)");
    assert_string_equal(rp_code_place(&s.code, &u->arena, g + 2), ".text + 0x2 (g.o)");
    code_free(&s);
}

/* Where B does not reach, compilers for Armv6-M write BL for a jump inside a function. */
static void tells_far_jumps_from_calls(void **state) {
    static const char *const names[] = {"a", "b", "c", "d", "e"};
    struct unit *u = *state;
    struct code_sample s;
    uint32_t at[COUNT(names)];
    code_make(&s);
    for (size_t i = 0; i < COUNT(names); i++) {
        at[i] = code_function(&s, names[i]);
        s.symbols[s.elf.symbol_count - 2].size = 16;
        code_call(&s, at[i] + 12); /* a jump */
        code_call(&s, at[i]);      /* recursion */
        code_call(&s, at[0] + (i == 0 ? 28 : 12));
        CODE(&s, NOP, BX_LR);
    }
    code_read(&s, u, m3());
    for (size_t i = 0; i < COUNT(names); i++) {
        assert_int_equal(rp_code_insn(&s.code, at[i]).flow, RP_FLOW_BRANCH);
        assert_int_equal(rp_code_insn(&s.code, at[i] + 4).flow, RP_FLOW_CALL);
        assert_int_equal(rp_code_insn(&s.code, at[i] + 8).flow, RP_FLOW_CALL);
    }
    code_free(&s);
}

/* Padding between functions does not count as code; a NOP that is executed does. */
static void counts_bytes_of_instructions(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    code_make(&s);
    code_function(&s, "a");
    CODE(&s, NOP, BX_LR, NOP, NOP);
    code_function(&s, "b");
    CODE(&s, VADD, BX_LR);
    code_read(&s, u, UINT32_MAX);
    assert_int_equal(rp_code_bytes(&s.code), 2 + 2 + 4 + 2);
    code_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(marks_instructions),
        UNIT(names_what_the_core_lacks),
        UNIT(counts_more_than_it_shows),
        UNIT(tells_code_from_data),
        UNIT(follows_without_mapping_symbols),
        UNIT(refuses_other_code),
        UNIT(tells_far_jumps_from_calls),
        UNIT(counts_bytes_of_instructions),
        UNIT(names_places),
    };
    return RUN(tests);
}
