/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of elfpack/r9 and r9_flow: who keeps r9, and who needs it in the meantime. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "elfpack/check/r9.h"
#include "runtime/format/reloc_format.h"
#include "tests/unit/code_sample.h"
#include "tests/unit/r9_codes.h"

static void make(struct code_sample *s) {
    code_make(s);
    code_symbol(s, "v", STT_OBJECT, RELOC_SEG_RAM)->section = 2;
}

static struct rp_r9_found found; /* of the last check */

static bool check(struct unit *u, struct code_sample *s) {
    code_read(s, u, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
    assert_int_equal(s->code.stranger_count, 0);
    bool ok = rp_r9_check(&s->layout, &u->arena, &s->code, &found, &u->err);
    assert_int_equal(ok, found.wrong.count == 0);
    code_free(s);
    return ok;
}

/* A single function of these instructions. */
#define ONE(u, ...)                                                                                \
    one(u, (const uint32_t[]){__VA_ARGS__},                                                        \
        sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
static bool one(struct unit *u, const uint32_t *codes, size_t count) {
    struct code_sample s;
    make(&s);
    code_function(&s, "f");
    code_put(&s, codes, count);
    return check(u, &s);
}

static void wants_it_back(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, ONE(u, LOAD_BY_R9, BX_LR));
    ACCEPTED(u, ONE(u, PUSH_R9, MOV_R9_R1, POP_R9));
    ACCEPTED(u, ONE(u, PUSH, MOV_R4_R9, MOV_R9_R1, MOV_R9_R4, POP));
    REFUSED(u, ONE(u, PUSH, MOV_R9_R1, POP), RP_E_R9,
            "f + 0x4 (f) returns, or jumps to another function, without restoring r9, which is "
            "written at f + 0x2 (f)");
    REFUSED(u, ONE(u, MOV_R9_R1, BX_LR), RP_E_R9, "f + 0x2 (f) returns");
    REFUSED(u, ONE(u, MOV_R9_R1, BX_R3), RP_E_R9, "f + 0x2 (f) returns, or jumps to another");
    /* skips a word: what it takes for the address to return to is r9 */
    REFUSED(u, ONE(u, PUSH_R9, MOV_R9_R1, POP), RP_E_R9, "f + 0x6 (f) jumps to a computed address");
    /* longjmp restores all registers that setjmp has saved: ldmia r0!, {r4-r11}; mov sp, r2 */
    ACCEPTED(u, ONE(u, 0xE8B00FF0, 0x4695, BX_R3));
    REFUSED(u, ONE(u, 0xE8B00FF0, BX_R3), RP_E_R9, "f + 0x4 (f) returns"); /* without sp */
    REFUSED(u, ONE(u, 0xE8B00EF0, 0x4695, BX_R3), RP_E_R9, "f + 0x6");     /* without r8 */
}

static void follows_both_ways(void **state) {
    struct unit *u = *state;
    REFUSED(u, ONE(u, 0xBF08 /* it eq */, MOV_R9_R1, BX_LR), RP_E_R9, "f + 0x4 (f) returns");
    REFUSED(u, ONE(u, 0xBF0C /* ite eq */, NOP, MOV_R9_R1, BX_LR), RP_E_R9, "f + 0x6 (f) returns");
    ACCEPTED(u, ONE(u, PUSH_R9, 0xBF08, MOV_R9_R1, POP_R9));
    /* it eq; bxeq lr: the other way writes r9 and restores it */
    ACCEPTED(u, ONE(u, 0xBF08, BX_LR, PUSH_R9, MOV_R9_R1, POP_R9));
    REFUSED(u, ONE(u, MOV_R4_R9, MOV_R9_R1, 0xBF08, BX_LR, MOV_R9_R4, BX_LR), RP_E_R9,
            "f + 0x6 (f) returns");
    /* beq over the instruction that restores r9, or over the one that writes it */
    REFUSED(u, ONE(u, MOV_R4_R9, MOV_R9_R1, 0xD000, MOV_R9_R4, BX_LR), RP_E_R9, "f + 0x8");
    REFUSED(u, ONE(u, MOV_R4_R9, 0xD000, MOV_R9_R1, BX_LR), RP_E_R9, "f + 0x6");
    ACCEPTED(u, ONE(u, MOV_R4_R9, 0xD000, MOV_R9_R1, MOV_R9_R4, BX_LR));
    /* a loop: at its start, r9 is what its end left */
    REFUSED(u, ONE(u, 0xBF08, BX_LR, MOV_R9_R1, 0xE7FB /* b to the start */), RP_E_R9, "f + 0x2");
}

/*
 * f writes r9 and has a table of two cases: both restore r9, or the second is behind the restoring.
 */
static bool branch_by_table(struct unit *u, uint32_t cases) {
    struct code_sample s;
    make(&s);
    code_function(&s, "f");
    CODE(&s, MOV_R4_R9, MOV_R9_R1, 0xE8DFF000 /* tbb [pc, r0] */);
    code_symbol(&s, "$d", STT_NOTYPE, code_here(&s))->bind = STB_LOCAL;
    CODE(&s, cases);
    code_symbol(&s, "$t", STT_NOTYPE, code_here(&s))->bind = STB_LOCAL;
    CODE(&s, MOV_R9_R4, BX_LR);
    return check(u, &s);
}

static void follows_tables(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, branch_by_table(u, 0x0101));
    REFUSED(u, branch_by_table(u, 0x0201), RP_E_R9, "f + 0xC (f) returns");
    struct code_sample s;
    make(&s); /* tbh, and half of an entry: the code ends there */
    code_function(&s, "f");
    CODE(&s, LOAD_BY_R9, 0xE8DFF010);
    code_symbol(&s, "$d", STT_NOTYPE, code_here(&s));
    s.sections[1].size++;
    ACCEPTED(u, check(u, &s));
}

/* f loads a distance from r9 and uses it in the given instruction. */
static bool use_distance(struct unit *u, uint32_t type, const uint32_t *codes, size_t count) {
    struct code_sample s;
    make(&s);
    uint32_t f = code_function(&s, "f");
    CODE(&s, LITERAL, 0xE001 /* b over it */);
    code_reloc(&s, f + 4, type, 1);
    code_symbol(&s, "$d", STT_NOTYPE, code_here(&s))->bind = STB_LOCAL;
    code_word(&s, 0);
    code_symbol(&s, "$t", STT_NOTYPE, code_here(&s))->bind = STB_LOCAL;
    code_put(&s, codes, count);
    return check(u, &s);
}
#define USE(u, type, ...)                                                                          \
    use_distance(u, type, (const uint32_t[]){__VA_ARGS__},                                         \
                 sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void wants_distances_with_it(void **state) {
    struct unit *u = *state;
    static const uint32_t types[] = {R_ARM_GOT32, R_ARM_SBREL32};
    for (size_t i = 0; i < COUNT(types); i++) {
        uint32_t type = types[i];
        ACCEPTED(u, USE(u, type, 0xF8593003 /* ldr r3, [r9, r3] */, BX_LR));
        REFUSED(u, USE(u, type, 0xF85A3003 /* ldr r3, [r10, r3] */, BX_LR), RP_E_R9,
                "f + 0x8 (f) adds an offset of the GOT or of a variable to r10");
        REFUSED(u, USE(u, type, PUSH_R9, MOV_R9_R1, 0xF8593003, POP_R9), RP_E_R9,
                "f + 0xE (f) adds an offset of the GOT or of a variable to r9, which has a value "
                "of its own since f + 0xC (f)");
        REFUSED(u, USE(u, type, 0xFB93F3F1 /* sdiv r3, r3, r1 */, BX_LR), RP_E_R9,
                "f + 0x8 (f) uses an offset");
    }
    /* no distance: any register will do */
    ACCEPTED(u, USE(u, R_ARM_REL32, 0xF85A3003, BX_LR));
}

/* a puts its own value into r9, calls b, and restores r9; b needs r9 or does not. */
static bool call_with_own(struct unit *u, bool needy, bool tail) {
    struct code_sample s;
    make(&s);
    uint32_t c = code_function(&s, "c");
    if (needy)
        CODE(&s, LOAD_BY_R9);
    CODE(&s, BX_LR);
    uint32_t b = code_function(&s, "b");
    if (tail) {
        code_jump(&s, c);
    } else {
        CODE(&s, PUSH);
        code_call(&s, c);
        CODE(&s, POP);
    }
    code_function(&s, "a");
    CODE(&s, PUSH_R9, MOV_R9_R1);
    code_call(&s, b);
    CODE(&s, POP_R9);
    return check(u, &s);
}

static void follows_calls(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, call_with_own(u, false, false));
    REFUSED(u, call_with_own(u, true, false), RP_E_R9, "\n  a (a) -> b (b) -> c (c)");
    REFUSED(u, call_with_own(u, true, true), RP_E_R9, "\n  a (a) -> b (b) -> c (c)");
    struct code_sample s;
    make(&s); /* r9 is back when c is called */
    uint32_t c = code_function(&s, "c");
    CODE(&s, LOAD_BY_R9, BX_LR);
    code_function(&s, "a");
    CODE(&s, PUSH_R9, MOV_R4_R9, MOV_R9_R1, MOV_R9_R4);
    code_call(&s, c);
    CODE(&s, POP_R9);
    ACCEPTED(u, check(u, &s));
}

enum way_in { RUNS_IN, RUNS_IN_USING_R9, RETURNS, BRANCHES_WITH_FRAME, BRANCHES_INSIDE };

/* a calls b with its own r9; b gets into c without a call. */
static bool call_neighbour(struct unit *u, enum way_in way) {
    struct code_sample s;
    make(&s);
    uint32_t b = code_function(&s, "b");
    if (way == BRANCHES_WITH_FRAME || way == BRANCHES_INSIDE) {
        CODE(&s, PUSH_R9);
        code_jump(&s, code_here(&s) + (way == BRANCHES_INSIDE ? 6 : 4));
        code_function(&s, "c");
        s.symbols[s.elf.symbol_count - 2].bind = STB_LOCAL; /* a part, as the frame shows */
        CODE(&s, NOP, LOAD_BY_R9, POP_R9);
    } else {
        if (way == RUNS_IN_USING_R9)
            CODE(&s, MOV_R4_R9, MOV_R9_R1, MOV_R9_R4);
        CODE(&s, way == RETURNS ? BX_LR : NOP, way == RETURNS ? NOP : 0x4408 /* add r0, r1 */);
        code_symbol(&s, "c", STT_FUNC, code_here(&s) | 1)->section = 1;
        CODE(&s, LOAD_BY_R9, BX_LR);
    }
    code_function(&s, "a");
    CODE(&s, PUSH_R9, MOV_R9_R1);
    code_call(&s, b);
    CODE(&s, POP_R9);
    return check(u, &s);
}

static void follows_neighbours(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, call_neighbour(u, RETURNS));
    REFUSED(u, call_neighbour(u, RUNS_IN), RP_E_R9, "\n  a (a) -> b (b) -> c (b)");
    REFUSED(u, call_neighbour(u, RUNS_IN_USING_R9), RP_E_R9, "\n  a (a) -> b (b) -> c (b)");
    REFUSED(u, call_neighbour(u, BRANCHES_WITH_FRAME), RP_E_R9, "\n  a (a) -> b (b) -> c (c)");
    REFUSED(u, call_neighbour(u, BRANCHES_INSIDE), RP_E_R9, "\n  a (a) -> b (b) -> c (c)");
}

/* Where the address of c is taken. */
enum taken { NOT_TAKEN, IN_DATA, IN_GOT, AS_DISTANCE, BY_FIXUP, BY_ADR };

/* a calls a pointer with its own r9, or calls b, which calls one. */
static bool call_pointer(struct unit *u, enum taken taken, bool by_b, bool needy) {
    struct code_sample s;
    struct rp_fixup fixup = {RELOC_SEG_RAM, CODE_BASE | 1};
    make(&s);
    code_function(&s, "c");
    if (needy)
        CODE(&s, LOAD_BY_R9);
    CODE(&s, BX_LR);
    uint32_t b = code_function(&s, "b");
    CODE(&s, PUSH, BLX_R3, POP);
    code_function(&s, "a");
    CODE(&s, PUSH_R9, MOV_R9_R1);
    if (by_b)
        code_call(&s, b);
    else
        CODE(&s, BLX_R3);
    CODE(&s, POP_R9);
    if (taken == BY_ADR) {
        code_function(&s, "d");
        uint32_t at = code_here(&s);
        CODE(&s, 0xF2AF0000u | (at % 4 != 0 ? at + 2 - CODE_BASE : at + 4 - CODE_BASE), BX_LR);
    } else {
        code_function(&s, "d");
        CODE(&s, NOP, BX_LR);
    }
    if (taken == AS_DISTANCE)
        code_reloc(&s, CODE_BASE, R_ARM_REL32, 2 /* c */);
    code_read(&s, u, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
    uint32_t place = RELOC_SEG_RAM + 4;
    unit_put32(s.data + 4, taken == IN_DATA ? CODE_BASE | 1 : 0);
    unit_put32(s.data + 8, taken == IN_GOT ? CODE_BASE | 1 : 0);
    s.layout.words.rel = (struct rp_words){&place, 1, 1};
    s.layout.parts.bounds.got_start = 8;
    s.layout.parts.bounds.got_end = 12;
    if (taken == BY_FIXUP)
        s.layout.words.fixups = (struct rp_fixups){&fixup, 1, 1};
    bool ok = rp_r9_check(&s.layout, &u->arena, &s.code, &found, &u->err);
    code_free(&s);
    return ok;
}

/* The pointer leads to a function that needs r9 only for what it calls, and that comes later. */
static void needs_reach_back(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    make(&s);
    uint32_t b = code_function(&s, "b"), place = RELOC_SEG_RAM + 4;
    CODE(&s, PUSH, BLX_R3, POP);
    uint32_t c = code_function(&s, "c"), h = c + 8;
    CODE(&s, PUSH);
    code_call(&s, h);
    CODE(&s, POP);
    assert_int_equal(code_function(&s, "h"), h);
    CODE(&s, LOAD_BY_R9, BX_LR);
    uint32_t a = code_function(&s, "a");
    CODE(&s, PUSH_R9, MOV_R9_R1);
    code_call(&s, b);
    CODE(&s, POP_R9);
    code_read(&s, u, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
    unit_put32(s.data + 4, c | 1);
    s.layout.words.rel = (struct rp_words){&place, 1, 1};
    REFUSED(u, rp_r9_check(&s.layout, &u->arena, &s.code, &found, &u->err), RP_E_R9,
            "\n  a (a) -> b (b) -> c (c) -> h (h)");
    assert_int_equal(found.wrong.count, 1);
    assert_int_equal(found.wrong.items[0], a);
    code_free(&s);
}

static void follows_pointers(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, call_pointer(u, NOT_TAKEN, false, true));
    assert_null(found.pointed);
    ACCEPTED(u, call_pointer(u, IN_DATA, false, false));
    assert_null(found.pointed);
    for (enum taken taken = IN_DATA; taken <= BY_ADR; taken++) {
        REFUSED(u, call_pointer(u, taken, false, true), RP_E_R9, "\n  a (a) -> c (c)");
        REFUSED(u, call_pointer(u, taken, true, true), RP_E_R9, "\n  a (a) -> b (b) -> c (c)");
        assert_string_equal(found.pointed, "c (c)");
    }
}

/* a calls a pointer with its own r9; it leads to a label behind the return of b. */
static bool call_label(struct unit *u, bool needy, uint32_t word) {
    struct code_sample s;
    uint32_t place = RELOC_SEG_RAM + 4;
    make(&s);
    code_function(&s, "b");
    CODE(&s, BX_LR);
    uint32_t label = code_here(&s);
    CODE(&s, needy ? LOAD_BY_R9 : 0xF8D23004u /* ldr r3, [r2, #4] */, BX_LR);
    code_function(&s, "a");
    CODE(&s, PUSH_R9, MOV_R9_R1, BLX_R3, POP_R9);
    code_read(&s, u, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
    unit_put32(s.data + 4, label + word);
    s.layout.words.rel = (struct rp_words){&place, 1, 1};
    bool ok = rp_r9_check(&s.layout, &u->arena, &s.code, &found, &u->err);
    code_free(&s);
    return ok;
}

static void follows_pointers_to_labels(void **state) {
    struct unit *u = *state;
    REFUSED(u, call_label(u, true, 1), RP_E_R9, "\n  a (a) -> b (b)");
    ACCEPTED(u, call_label(u, false, 1));
    REFUSED(u, call_label(u, true, 0), RP_E_R9, "\n  a (a) -> b (b)"); /* for mov pc */
    ACCEPTED(u, call_label(u, true, 3)); /* nor is this: no instruction begins there */
}

/* f saves r9, writes it, stores by the given instructions, and restores it. */
#define SAVED(u, ...) ONE(u, PUSH_R9, MOV_R9_R1, __VA_ARGS__, POP_R9)

static void forgets_what_is_overwritten(void **state) {
    struct unit *u = *state;
    ACCEPTED(u, SAVED(u, 0xF88D3000 /* strb r3, [sp] */));
    REFUSED(u, SAVED(u, 0xF88D3006 /* strb r3, [sp, #6] */), RP_E_R9, "f + 0xA (f) returns");
    REFUSED(u, SAVED(u, 0xED8D0A01 /* vstr s0, [sp, #4] */), RP_E_R9, "f + 0xA (f) returns");
    REFUSED(u, SAVED(u, 0xED8D0B00 /* vstr d0, [sp] */), RP_E_R9, "f + 0xA (f) returns");
    /* movs r2, #4; str r3, [sp, r2] */
    REFUSED(u, SAVED(u, 0x2204, 0xF84D3002), RP_E_R9, "f + 0xC (f) returns");
    /* add sp, #12; sub sp, #12: an interrupt may have come in between */
    REFUSED(u, SAVED(u, 0xB003, 0xB083), RP_E_R9, "f + 0xA (f) returns");
    /* push {r4, r9, lr}; pop {r4}; sub sp, #4; pop {r4, r9, pc}: r4's word only */
    ACCEPTED(u, SAVED(u, 0xBC10, 0xB081));
    /* cmp within the block: itte eq; cmpeq r0, #0; moveq r9, r4; movne r9, r4 */
    REFUSED(u, ONE(u, MOV_R4_R9, MOV_R9_R1, 0xBF06, 0x2800, MOV_R9_R4, MOV_R9_R4, BX_LR), RP_E_R9,
            "f + 0xC (f) returns");
    ACCEPTED(u, ONE(u, MOV_R4_R9, MOV_R9_R1, 0xBF0C, MOV_R9_R4, MOV_R9_R4, BX_LR));
}

#define MOV_PC_R3 0x469Fu
#define ADD_PC_R3 0x449Fu
#define ADD_R2_PC 0x447Au
#define TBB_AWAY  0xE8D2F001u /* tbb [r2, r1] */

static void wants_jumps_where_it_is_known(void **state) {
    struct unit *u = *state;
    static const uint32_t jumps[] = {BX_R3, MOV_PC_R3, ADD_PC_R3, TBB_AWAY};
    for (size_t i = 0; i < COUNT(jumps); i++) {
        ACCEPTED(u, ONE(u, PUSH, jumps[i], POP)); /* nothing writes r9 */
        REFUSED(u, ONE(u, PUSH_R9, jumps[i], MOV_R9_R1, POP_R9), RP_E_R9,
                "f + 0x4 (f) jumps to a computed address");
    }
    /* pop {r4, r9, lr}; bx r3: a tail call, if the address is not of this section */
    ACCEPTED(u, ONE(u, PUSH_R9, MOV_R9_R1, 0xE8BD4210, BX_R3));
    REFUSED(u, ONE(u, PUSH_R9, MOV_R9_R1, ADD_R2_PC, 0xE8BD4210, BX_R3), RP_E_R9,
            "f + 0xC (f) jumps");
    REFUSED(u, ONE(u, PUSH_R9, MOV_R9_R1, 0xA200 /* adr r2 */, 0xE8BD4210, BX_R3), RP_E_R9,
            "jumps to a computed address");
    REFUSED(u, ONE(u, PUSH_R9, MOV_R9_R1, 0xE8BD4210, ADD_PC_R3), RP_E_R9, "f + 0xA (f) jumps");
    /* a call has left an address of this section in lr: pop {r4, r9, r12}; bx lr */
    REFUSED(u, ONE(u, PUSH_R9, MOV_R9_R1, BLX_R3, 0xE8BD1210, BX_LR), RP_E_R9, "f + 0xC (f) jumps");
    /* pop {r4, r9, r12}; bx r12: a return by another register */
    ACCEPTED(u, ONE(u, PUSH_R9, MOV_R9_R1, 0xE8BD1210, 0x4760));
    ACCEPTED(u, ONE(u, 0xB500 /* push {lr} */, 0xBC08 /* pop {r3} */, BX_R3));
}

static void keeps_distances_as_such(void **state) {
    struct unit *u = *state;
    /* it eq; moveq r3, r2: on one way r3 is the distance, and is added to r10 */
    REFUSED(u, USE(u, R_ARM_GOT32, 0xBF08, 0x4613, 0xF85A3003, BX_LR), RP_E_R9,
            "f + 0xC (f) adds an offset of the GOT or of a variable to r10");
    ACCEPTED(u, USE(u, R_ARM_GOT32, 0xBF08, 0x4613, 0xF8593003, BX_LR));
    /* ldrb r0, [r3]; tbb [r3, r1]; add pc, r3: none of these is the base */
    REFUSED(u, USE(u, R_ARM_GOT32, LOAD_BY_R9 ^ 0x1000, 0x7818, BX_LR), RP_E_R9,
            "f + 0xC (f) adds");
    REFUSED(u, USE(u, R_ARM_GOT32, LOAD_BY_R9 ^ 0x1000, 0xE8D3F001), RP_E_R9, "f + 0xC (f) adds");
    REFUSED(u, USE(u, R_ARM_GOT32, LOAD_BY_R9 ^ 0x1000, ADD_PC_R3), RP_E_R9, "f + 0xC (f) adds");
}

/*
 * f jumps to a loaded address without a frame, with an lr that a call has left: to its label, or to
 * a function whose address is taken.
 */
static void leaves_by_a_jump_to_labels(void **state) {
    struct unit *u = *state;
    for (int needy = 0; needy < 2; needy++) {
        struct code_sample s;
        uint32_t places[] = {RELOC_SEG_RAM + 4, RELOC_SEG_RAM + 8};
        make(&s);
        uint32_t plain = code_function(&s, "plain");
        CODE(&s, BX_LR);
        uint32_t h = code_function(&s, "h");
        CODE(&s, needy != 0 ? LOAD_BY_R9 : NOP, BX_LR);
        uint32_t f = code_function(&s, "f");
        CODE(&s, PUSH);
        code_call(&s, plain);
        CODE(&s, 0xE8BD1010 /* pop {r4, r12} */, 0x6803 /* ldr r3, [r0] */, BX_R3);
        uint32_t label = code_here(&s);
        CODE(&s, MOV_R4_R9, MOV_R9_R1, MOV_R9_R4, 0x4760 /* bx r12 */);
        code_function(&s, "a");
        CODE(&s, PUSH_R9, MOV_R9_R1);
        code_call(&s, f);
        CODE(&s, POP_R9);
        code_read(&s, u, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
        unit_put32(s.data + 4, h | 1);
        unit_put32(s.data + 8, label | 1);
        s.layout.words.rel = (struct rp_words){places, 2, 2};
        bool ok = rp_r9_check(&s.layout, &u->arena, &s.code, &found, &u->err);
        code_free(&s);
        if (needy == 0)
            ACCEPTED(u, ok);
        else
            REFUSED(u, ok, RP_E_R9, "\n  a (a) -> f (f) -> h (h)");
    }
}

/* A jump with a frame and an lr of its own: to the label it loads, or a call that returns there. */
static void calls_by_a_jump_with_a_frame(void **state) {
    struct unit *u = *state;
    for (int needy = 0; needy < 2; needy++) {
        struct code_sample s;
        uint32_t places[] = {RELOC_SEG_RAM + 4, RELOC_SEG_RAM + 8};
        make(&s);
        uint32_t h = code_function(&s, "h");
        CODE(&s, needy != 0 ? LOAD_BY_R9 : NOP, BX_LR);
        code_function(&s, "f");
        CODE(&s, PUSH_R9, MOV_R9_R1, 0xF8D0E000 /* ldr lr, [r0] */, 0x6843 /* ldr r3, [r0, #4] */,
             BX_R3);
        uint32_t label = code_here(&s);
        CODE(&s, POP_R9);
        code_read(&s, u, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
        unit_put32(s.data + 4, h | 1);
        unit_put32(s.data + 8, label | 1);
        s.layout.words.rel = (struct rp_words){places, 2, 2};
        bool ok = rp_r9_check(&s.layout, &u->arena, &s.code, &found, &u->err);
        code_free(&s);
        if (needy == 0)
            ACCEPTED(u, ok);
        else
            REFUSED(u, ok, RP_E_R9, "\n  f (f) -> h (h)");
    }
}

/* A call of plain, then a label whose address is taken: the call returns, with f's own r9. */
static void runs_into_labels_after_calls(void **state) {
    struct unit *u = *state;
    struct code_sample s;
    uint32_t place = RELOC_SEG_RAM + 4;
    make(&s);
    uint32_t plain = code_function(&s, "plain");
    CODE(&s, BX_LR);
    code_function(&s, "f");
    CODE(&s, PUSH, MOV_R9_R1);
    code_call(&s, plain);
    uint32_t label = code_here(&s);
    CODE(&s, NOP, 0xBD10);
    code_read(&s, u, rp_core_families(&rp_cores[RP_CORE_M4], true, false));
    unit_put32(s.data + 4, label | 1);
    s.layout.words.rel = (struct rp_words){&place, 1, 1};
    REFUSED(u, rp_r9_check(&s.layout, &u->arena, &s.code, &found, &u->err), RP_E_R9, "returns");
    code_free(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(wants_it_back),
        UNIT(follows_both_ways),
        UNIT(wants_distances_with_it),
        UNIT(follows_tables),
        UNIT(follows_calls),
        UNIT(follows_neighbours),
        UNIT(needs_reach_back),
        UNIT(follows_pointers),
        UNIT(follows_pointers_to_labels),
        UNIT(forgets_what_is_overwritten),
        UNIT(wants_jumps_where_it_is_known),
        UNIT(keeps_distances_as_such),
        UNIT(leaves_by_a_jump_to_labels),
        UNIT(calls_by_a_jump_with_a_frame),
        UNIT(runs_into_labels_after_calls),
    };
    return RUN(tests);
}
