/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of cli/profile/execution and calls: the emulator's log becomes a tree of calls. */
#include "tests/unit/unit.h"

#include <elf.h>

#include "base/buf.h"
#include "cli/profile/execution.h"

/* Code of 2-byte instructions, and some of 4 bytes: functions of 0x40 bytes, then the gate. */
enum { AT = 0x1000, FUNCTION_BYTES = 0x40, FUNCTIONS = 6, GATE = AT + FUNCTIONS * FUNCTION_BYTES };
enum { SIZE = (FUNCTIONS + 1) * FUNCTION_BYTES };
enum { NOP = 0xBF00, BX_LR = 0x4770, BLX = 0x4798, POP_PC = 0xBD00, B = 0xE7FE, BX_R3 = 0x4718 };
static const char names[FUNCTIONS][2] = {"a", "b", "c", "d", "e", "f"};

struct world {
    struct unit *u;
    uint8_t code[SIZE];
    struct rp_scopes scopes;
    struct rp_call_tree calls;
    struct rp_execution execution;
    struct rp_buf log;
    uint64_t instructions;
};

static void put(struct world *w, uint32_t at, unsigned half) {
    w->code[at - AT] = (uint8_t)half;
    w->code[at - AT + 1] = (uint8_t)(half >> 8);
}

static uint32_t of(char function) {
    return AT + (uint32_t)(function - 'a') * FUNCTION_BYTES;
}

/*
 * Each function: two NOPs, a call at 4 (4 bytes), a NOP at 8, a call by register at 10, a jump at
 * 12, a return at 14, and from 16 on a tail call by register, a wide NOP, a return by pop.
 */
static void begin(struct world *w, struct unit *u) {
    static struct rp_section sections[2] = {
        {.name = ""},
        {.name = ".text", .flags = SHF_ALLOC | SHF_EXECINSTR, .addr = AT, .size = SIZE}};
    static struct rp_symbol symbols[FUNCTIONS];
    memset(w, 0, sizeof *w);
    w->u = u;
    for (uint32_t at = AT; at < AT + SIZE; at += 2)
        put(w, at, NOP);
    for (size_t i = 0; i < FUNCTIONS; i++) {
        uint32_t start = of(names[i][0]);
        put(w, start + 4, 0xF000), put(w, start + 6, 0xF800);
        put(w, start + 10, BLX), put(w, start + 12, B), put(w, start + 14, BX_LR);
        put(w, start + 16, BX_R3), put(w, start + 18, 0xF3AF), put(w, start + 20, 0x8000);
        put(w, start + 22, POP_PC);
        symbols[i] =
            (struct rp_symbol){names[i], start + 1, FUNCTION_BYTES, STT_FUNC, STB_GLOBAL, 1};
    }
    put(w, GATE, BLX), put(w, GATE + 2, POP_PC);
    const struct rp_elf elf = {
        .sections = sections, .section_count = 2, .symbols = symbols, .symbol_count = FUNCTIONS};
    const struct rp_code_part part = {AT, SIZE, AT, w->code, true};
    w->scopes.arena = w->calls.arena = w->log.arena = &u->arena;
    rp_scopes_add(&w->scopes, &elf, &part);
    w->calls.scopes = &w->scopes;
    w->calls.entry = rp_scope_named(&w->scopes, "a");
    w->execution = (struct rp_execution){.calls = &w->calls, .gate = GATE, .gate_size = 4};
}

static void translate(struct world *w, uint32_t start, uint32_t count) {
    rp_buf_puts(&w->log, "OP:\n ld_i32 loc3,env,$0xfffffffffffffff0\n\n");
    for (uint32_t i = 0; i < count; i++)
        rp_buf_printf(&w->log, " ---- %08x 00000000 00000000\n mov_i32 tmp5,$0x0\n\n",
                      (start & 0x3FF) + 2 * i);
}

static void trace(struct world *w, uint64_t place, uint32_t start) {
    rp_buf_printf(&w->log, "Trace 0: 0x%llx [00800408/%08x/00000010/ff020200] name\n",
                  (unsigned long long)place, start);
}

/* Executes count instructions from start, a block that was translated before or not. */
static void run(struct world *w, uint32_t start, uint32_t count) {
    translate(w, start, count);
    trace(w, 0x7f0000000000 + ((uint64_t)count << 24) + 64 * (uint64_t)start, start);
    w->instructions += count;
}

static bool take(struct world *w) {
    return rp_execution_take(&w->execution, w->log.data, w->log.len) &&
           rp_execution_end(&w->execution);
}

/* The frame that a path of functions leads to: "abc" is c as called by b as called by a. */
static const struct rp_frame *frame_of(const struct world *w, size_t root, const char *path) {
    const struct rp_frame *frames = w->calls.frames.items;
    const struct rp_frame *at = &frames[w->calls.roots.items[root].frame];
    for (; *path != '\0'; path++) {
        uint32_t child = at->first;
        while (child != RP_NO_FRAME && w->scopes.list.items[frames[child].scope].name[0] != *path)
            child = frames[child].next;
        if (child == RP_NO_FRAME)
            return NULL;
        at = &frames[child];
    }
    return at;
}

static void assert_frame(const struct world *w, const char *path, uint64_t calls, uint64_t own) {
    const struct rp_frame *frame = frame_of(w, 0, path);
    if (frame == NULL)
        fail_msg("no frame '%s'", path);
    if (frame->calls != calls || frame->own != own)
        fail_msg("'%s': %llu calls, %llu own", path, (unsigned long long)frame->calls,
                 (unsigned long long)frame->own);
}

static void assert_whole(struct world *w, size_t frames) {
    ACCEPTED(w->u, take(w));
    rp_calls_sum(&w->calls);
    assert_int_equal(w->calls.roots.count, 1);
    assert_int_equal(w->calls.roots.items[0].count, w->instructions);
    assert_int_equal(frame_of(w, 0, "")->total, w->instructions);
    assert_int_equal(w->calls.frames.count, frames + 1); /* and the root */
}

/* The gate's own blocks count for nothing. */
static void gate(struct world *w, uint32_t at) {
    uint64_t before = w->instructions;
    run(w, at, 1);
    w->instructions = before;
}

static void calls_and_returns(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    run(&w, of('a'), 3);      /* calls b */
    run(&w, of('b'), 3);      /* calls c */
    run(&w, of('c') + 14, 1); /* returns, though its start was never seen */
    run(&w, of('b') + 8, 2);  /* calls c by a register */
    run(&w, of('c'), 2);      /* cut off in the middle, for a timer or at a page */
    run(&w, of('c') + 14, 1);
    run(&w, of('b') + 12, 1); /* jumps */
    run(&w, of('b') + 18, 2); /* returns by pop */
    run(&w, of('a') + 8, 1);
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 3);
    assert_frame(&w, "a", 1, 5);
    assert_frame(&w, "ab", 1, 8);
    assert_frame(&w, "abc", 2, 4);
    assert_int_equal(frame_of(&w, 0, "ab")->total, 12);
    assert_int_equal(frame_of(&w, 0, "a")->made.count, 1);
    assert_int_equal(frame_of(&w, 0, "a")->made.items[0].count, 12);
    assert_int_equal(frame_of(&w, 0, "ab")->made.count, 2);
    assert_int_equal(frame_of(&w, 0, "ab")->made.items[0].count, 1);
    assert_int_equal(frame_of(&w, 0, "ab")->made.items[1].count, 3);
}

static void a_call_on_a_condition_may_not_happen(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    run(&w, of('a'), 3); /* ends in a call */
    run(&w, of('a') + 8, 1);
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 1);
    assert_frame(&w, "a", 1, 5);
}

/* A function that calls itself is one frame, however it gets there; its returns are told apart. */
static void recursion_is_one_frame(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    for (unsigned i = 0; i < 1000; i++) {
        run(&w, of('a'), 3);
        run(&w, of('b'), 3);
    }
    run(&w, of('a') + 14, 1);
    for (unsigned i = 0; i < 1000; i++) {
        run(&w, of('b') + 8, 1);
        run(&w, of('b') + 14, 1);
        run(&w, of('a') + 8, 1);
        run(&w, of('a') + 14, 1);
    }
    gate(&w, GATE + 2);
    assert_whole(&w, 2);
    assert_frame(&w, "a", 1001, 3 * 1000 + 1 + 2 * 1000);
    assert_frame(&w, "ab", 1000, 5 * 1000);
}

/* Each returns in place of the one that jumped; a loop of them does not grow the stack. */
static void tail_calls(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    run(&w, of('a'), 3);
    run(&w, of('b') + 16, 1); /* bx r3, to the start of c */
    for (unsigned i = 0; i < 100000; i++) {
        run(&w, of('c') + 12, 1); /* b, to d */
        run(&w, of('d') + 16, 1); /* and back */
    }
    run(&w, of('c'), 1);
    run(&w, of('c') + 14, 1); /* returns to a */
    run(&w, of('a') + 8, 2);
    run(&w, of('e') + 14, 1);
    run(&w, of('a') + 12, 1); /* a tail call of the entry itself */
    run(&w, of('f') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 6);
    assert_frame(&w, "ab", 1, 1);
    assert_frame(&w, "abc", 0, 100002); /* only entered behind its start */
    assert_frame(&w, "abcd", 0, 100000);
    assert_frame(&w, "ae", 1, 1);
    assert_frame(&w, "af", 0, 1);
    assert_true(w.calls.stack.capacity < 100);
}

/* A tail call at the start counts; what two functions share does not. */
static void shared_code(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    run(&w, of('a'), 3);
    run(&w, of('b') + 12, 1);
    run(&w, of('c'), 1); /* a tail call */
    run(&w, of('c') + 12, 1);
    run(&w, of('b') + 8, 1); /* back into b, which is still there */
    run(&w, of('b') + 12, 1);
    run(&w, of('d') + 22, 1); /* b's end, in d */
    run(&w, of('a') + 8, 1);
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 4);
    assert_frame(&w, "ab", 1, 3);
    assert_frame(&w, "abc", 1, 2);
    assert_frame(&w, "abd", 0, 1);
    assert_int_equal(frame_of(&w, 0, "a")->made.count, 1);
    assert_int_equal(frame_of(&w, 0, "a")->made.items[0].count, 6);
}

/* One function ends where the next one begins. */
static void control_may_run_on(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    run(&w, of('a') + FUNCTION_BYTES - 4, 4); /* two of a, two of b */
    run(&w, of('b') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 2);
    assert_frame(&w, "a", 1, 2);
    assert_frame(&w, "ab", 1, 3);
}

/* longjmp: several calls end at once. */
static void a_return_may_skip_calls(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    run(&w, of('a'), 3);
    run(&w, of('b'), 3);
    run(&w, of('c'), 3);
    run(&w, of('d') + 14, 1); /* returns to a */
    run(&w, of('a') + 8, 2);
    run(&w, of('e') + 14, 1);
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 5);
    assert_frame(&w, "abcd", 1, 1);
    assert_frame(&w, "ae", 1, 1);
}

/* A switch may jump, through a register, to where a call of the same function will return to. */
static void a_jump_inside_is_no_return(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    run(&w, of('a'), 3);
    run(&w, of('b') + 16, 1); /* bx r3 in b … */
    run(&w, of('b') + 2, 2);  /* … to b */
    run(&w, of('c') + 14, 1);
    run(&w, of('b') + 14, 1);
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    ACCEPTED(w.u, take(&w));
    assert_frame(&w, "ab", 1, 4);
    assert_frame(&w, "abc", 1, 1);
}

static void only_measured_calls_count(void **state) {
    struct world w;
    begin(&w, *state);
    run(&w, of('a'), 3);
    run(&w, of('b') + 14, 1);
    gate(&w, GATE);
    gate(&w, GATE + 2); /* what it called is not in the log */
    gate(&w, GATE);
    run(&w, of('c') + 14, 1);
    gate(&w, GATE + 2);
    run(&w, of('d'), 3);
    gate(&w, GATE);
    run(&w, of('e'), 2);
    run(&w, of('e') + 14, 1);
    gate(&w, GATE + 2);
    run(&w, of('a'), 3);
    ACCEPTED(w.u, take(&w));
    assert_int_equal(w.calls.roots.count, 2);
    assert_int_equal(w.calls.roots.items[0].count, 1);
    assert_int_equal(w.calls.roots.items[1].count, 3);
    assert_non_null(frame_of(&w, 0, "c"));
    assert_non_null(frame_of(&w, 1, "e"));
}

/* What the emulator takes back was not executed. */
static void taken_back(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    run(&w, of('a'), 3);
    run(&w, of('b'), 3);
    rp_buf_puts(&w.log, "Stopped execution of TB chain before 0x7f0000 [00001040] b\n");
    w.instructions -= 3;
    run(&w, of('b'), 3); /* the interrupt is not in the log */
    rp_buf_puts(&w.log, "cpu_io_recompile: rewound execution of TB to 00001044\n");
    w.instructions -= 1; /* the call was not executed, the two before it were */
    run(&w, of('b') + 4, 1);
    run(&w, of('c') + 14, 1);
    run(&w, of('b') + 8, 1);
    rp_buf_puts(&w.log, "cpu_io_recompile: rewound execution of TB to 00001048\n");
    w.instructions -= 1;
    run(&w, of('b') + 8, 1);
    run(&w, of('b') + 14, 1);
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 3);
    assert_frame(&w, "ab", 1, 5);
    assert_frame(&w, "abc", 1, 1);
}

/* The time is up after an instruction: the same code is translated again, shorter. */
static void a_place_may_hold_another_block(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    translate(&w, of('a'), 2);
    trace(&w, 64, of('a'));
    trace(&w, 64, of('a'));
    translate(&w, of('a'), 1); /* in the same place, after the cache was emptied */
    trace(&w, 64, of('a'));
    trace(&w, 64, of('a'));
    translate(&w, of('a') + 2, 1);
    translate(&w, of('a') + 2, 2); /* the first one was too long for the emulator */
    trace(&w, 64, of('a') + 2);    /* and at another address */
    trace(&w, 64, of('a'));
    w.instructions = 2 + 2 + 1 + 1 + 2 + 1;
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 1);
}

/* Pieces may end anywhere, and lines be of any length. */
static void pieces_of_the_log(void **state) {
    struct world w, whole;
    begin(&whole, *state);
    gate(&whole, GATE);
    run(&whole, of('a'), 3);
    for (unsigned i = 0; i < 3000; i++)
        rp_buf_puts(&whole.log, "x");
    rp_buf_puts(&whole.log, "Trace 0: \n");
    run(&whole, of('b') + 14, 1);
    run(&whole, of('a') + 14, 1);
    gate(&whole, GATE + 2);
    for (size_t size = 1; size < 100; size++) {
        begin(&w, *state);
        for (size_t at = 0; at < whole.log.len; at += size) {
            size_t left = whole.log.len - at;
            assert_true(
                rp_execution_take(&w.execution, whole.log.data + at, left < size ? left : size));
        }
        w.instructions = whole.instructions;
        assert_whole(&w, 2);
        assert_int_equal(w.execution.bytes, whole.log.len);
    }
}

static void wrong_logs(void **state) {
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"Trace 0: 0x40 [00800408/00001000/00000010/ff020200] a\n", "was not translated"},
        {"OP:\n ---- 00000002 0 0\nTrace 0: 0x40 [0/00001000/0/0] a\n", "was not translated"},
        {"OP:\n ---- 00000000 0 0\nTrace 0: 0x40 [0/00005000/0/0] a\n", "no code"},
        {"OP:\n ---- 000001be 0 0\n ---- 000001c0 0 0\nTrace 0: 0x40 [0/000011be/0/0] a\n",
         "no code"},
        {"Trace 0: 0x40 of something else\n", "not understood"},
        {"Trace 0\n", "not understood"},
        {"Trace 0: 0x40 [12345678\n", "not understood"},
        {"OP:\n ---- 00000000 0 0\nTrace 0: 0x40 [0/00001000/0/0] a\n"
         "cpu_io_recompile: rewound execution of TB to 00001004\n",
         "no instruction"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct world w;
        begin(&w, *state);
        rp_buf_puts(&w.log, cases[i].text);
        assert_false(take(&w));
        CONTAINS(w.execution.wrong, cases[i].why);
        assert_false(rp_execution_take(&w.execution, "OP:\n", 4)); /* for good */
    }
}

static void limits(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    for (unsigned i = 0; i < 70000; i++)
        run(&w, of('a'), 3);
    assert_false(take(&w));
    assert_null(w.execution.wrong);
    assert_int_equal(w.calls.limit, RP_CALLS_TOO_DEEP);
}

/* Beyond a number of calls there is no list of them. */
static void many_calls_are_not_listed(void **state) {
    struct world w;
    begin(&w, *state);
    gate(&w, GATE);
    for (unsigned i = 0; i < RP_CALLS_LISTED + 1; i++) {
        run(&w, of('a'), 3);
        run(&w, of('b') + 14, 1);
        run(&w, of('a') + 12, 1);
    }
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 2);
    assert_true(frame_of(&w, 0, "a")->made_more);
    assert_int_equal(frame_of(&w, 0, "a")->made.count, RP_CALLS_LISTED);
    assert_frame(&w, "ab", RP_CALLS_LISTED + 1, RP_CALLS_LISTED + 1);
}

/* Inlined copies are frames in the function; a call from one is made by it. */
static void inlined_copies(void **state) {
    struct world w;
    begin(&w, *state);
    const struct rp_inlined_piece x[] = {{of('a') + 2, of('a') + 10}};
    const struct rp_inlined_piece y[] = {{of('a') + 4, of('a') + 8}};
    const struct rp_inlined copies[] = {{"x", SIZE_MAX, x, 1}, {"y", 0, y, 1}};
    rp_scopes_inline(&w.scopes, copies, COUNT(copies));
    gate(&w, GATE);
    for (unsigned i = 0; i < 2; i++) {
        run(&w, of('a'), 3); /* one of a, one of x, one of y in it, which calls b */
        run(&w, of('b') + 14, 1);
        run(&w, of('a') + 8, 3); /* one of x, then two of a */
    }
    run(&w, of('a') + 14, 1);
    gate(&w, GATE + 2);
    assert_whole(&w, 4);
    assert_frame(&w, "a", 1, 7);
    assert_frame(&w, "ax", 0, 4);
    assert_frame(&w, "axy", 0, 2);
    assert_frame(&w, "axyb", 2, 2);
    assert_int_equal(frame_of(&w, 0, "a")->made.count, 1);
    assert_int_equal(frame_of(&w, 0, "ax")->total, 8);
}

/* Frames that were counted elsewhere: a function that calls itself, through another one, is one. */
static void added_calls(void **state) {
    struct world w;
    begin(&w, *state);
    const uint32_t a = rp_scope_named(&w.scopes, "a"), b = rp_scope_named(&w.scopes, "b");
    const uint32_t root = rp_calls_add(&w.calls, RP_NO_FRAME, RP_NO_SCOPE);
    const uint32_t first = rp_calls_add(&w.calls, root, a),
                   below = rp_calls_add(&w.calls, first, b);
    assert_int_equal(rp_calls_add(&w.calls, root, a), first);
    assert_int_equal(rp_calls_add(&w.calls, below, a), first);
    assert_int_equal(rp_calls_add(&w.calls, below, b), below);
    assert_int_not_equal(rp_calls_add(&w.calls, root, b), below);
    w.calls.frames.items[first].own = 3, w.calls.frames.items[below].own = 4;
    rp_calls_sum(&w.calls);
    assert_int_equal(w.calls.frames.items[root].total, 7);
    assert_int_equal(w.calls.roots.items[0].frame, root);
    assert_int_equal(w.calls.frames.items[first].level, 0);
    assert_true(w.calls.frames.items[first].made_more);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        UNIT(calls_and_returns),
        UNIT(a_call_on_a_condition_may_not_happen),
        UNIT(recursion_is_one_frame),
        UNIT(tail_calls),
        UNIT(shared_code),
        UNIT(control_may_run_on),
        UNIT(a_return_may_skip_calls),
        UNIT(a_jump_inside_is_no_return),
        UNIT(only_measured_calls_count),
        UNIT(taken_back),
        UNIT(a_place_may_hold_another_block),
        UNIT(pieces_of_the_log),
        UNIT(wrong_logs),
        UNIT(limits),
        UNIT(many_calls_are_not_listed),
        UNIT(inlined_copies),
        UNIT(added_calls),
    };
    return RUN(tests);
}
