/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by SysTick: see counter.h. Out: counts of instructions, which repeat exactly, or cycles.
 */
#include "counter.h"

#include "plan.h"

#define SYSTICK(offset) (*(volatile uint32_t *)(uintptr_t)(UINT32_C(0xE000E010) + (offset)))
#define ICSR            (*(volatile uint32_t *)(uintptr_t)UINT32_C(0xE000ED04))
enum { SYSTICK_CONTROL = 0, SYSTICK_RELOAD = 4, SYSTICK_VALUE = 8 };
enum { CONTROL_ON = 1, CONTROL_INTERRUPT = 2, CONTROL_CORE_CLOCK = 4 };
#define ICSR_PENDING       (UINT32_C(1) << 26) /* PENDSTSET */
#define ICSR_CLEAR_PENDING (UINT32_C(1) << 25) /* PENDSTCLR */
#define PERIOD_BITS        24
#define PERIOD_MASK        UINT32_C(0x00FFFFFF)

enum { OVERFLOW_INSTRUCTIONS = 5 }; /* of counter_overflow, as written below */

/* Periods since the last restart. */
extern volatile uint32_t counter_overflows;
volatile uint32_t counter_overflows;

/* One tick is tick_32nds / 32 ns (31.25 ns at 32 MHz), one instruction 1 << shift ns. */
static struct {
    uint32_t kind; /* enum harness_counter */
    uint32_t tick_32nds;
    uint32_t shift;
    uint32_t overhead;
} counter;

/* Interrupted code may run with another r9, so only stacked registers are used here. */
__attribute__((naked)) void counter_overflow(void) {
    __asm__ volatile("ldr r0, 1f\n\t"
                     "ldr r1, [r0]\n\t"
                     "adds r1, r1, #1\n\t"
                     "str r1, [r0]\n\t"
                     "bx lr\n\t"
                     ".balign 4\n"
                     "1: .word counter_overflows");
}

/*
 * Converts ticks to instructions. SysTick under QEMU has counted e ticks from the moment e ticks
 * have passed (exclusive) through e + 1 (inclusive), and instructions are further apart than ticks,
 * so at most one number fits.
 */
static uint64_t instructions(uint64_t ticks, uint32_t overflows) {
    if (counter.kind != COUNTER_INSTRUCTIONS)
        return ticks;
    uint64_t all = ((ticks + 1) * counter.tick_32nds) >> (counter.shift + 5);
    return all - (uint64_t)overflows * OVERFLOW_INSTRUCTIONS;
}

/*
 * A wrap between two reads must not be lost: masked, it stays pending, and the value is read twice.
 */
uint64_t counter_now(void) {
    __asm__ volatile("cpsid i" ::: "memory");
    uint32_t value = SYSTICK(SYSTICK_VALUE);
    uint32_t pending = ICSR & ICSR_PENDING;
    uint32_t again = SYSTICK(SYSTICK_VALUE);
    uint32_t overflows = counter_overflows;
    __asm__ volatile("cpsie i" ::: "memory");
    value = pending != 0 ? again : value;
    uint64_t wraps = (uint64_t)overflows + (pending != 0);
    return instructions((wraps << PERIOD_BITS) + ((0u - value) & PERIOD_MASK), overflows);
}

/*
 * Every measurement starts at 0: one that is shorter than a period (10 million instructions and
 * more) is not interrupted, and a longer one always at the same instruction.
 */
void counter_restart(void) {
    SYSTICK(SYSTICK_CONTROL) = 0;
    SYSTICK(SYSTICK_RELOAD) = PERIOD_MASK;
    SYSTICK(SYSTICK_VALUE) = 0;
    ICSR = ICSR_CLEAR_PENDING;
    counter_overflows = 0;
    SYSTICK(SYSTICK_CONTROL) = CONTROL_ON | CONTROL_INTERRUPT | CONTROL_CORE_CLOCK;
}

/* ---- calls ---- */

/* r4 to r11 during a measured call. */
static const uint32_t canaries[8] = {0xC0DE0004, 0xC0DE0005, 0xC0DE0006, 0xC0DE0007,
                                     0xC0DE0008, 0xC0DE0009, 0xC0DE0010, 0xC0DE0011};

/* The offsets in struct counter_call: 0 function, 4 arguments, 16 result, 20 kept, 52 sp. */
_Static_assert(sizeof(struct counter_call) == 56, "offsets in call_with_canaries");

__attribute__((naked, noinline)) static void
call_with_canaries(__attribute__((unused)) struct counter_call *call,
                   __attribute__((unused)) const uint32_t *registers) {
    __asm__ volatile("push {r0, r4-r11, lr}\n\t" /* 10 words: the stack stays a multiple of 8 */
                     "mov r12, r0\n\t"
                     "mov r3, sp\n\t"
                     "str r3, [r12, #52]\n\t"
                     "ldmia r1, {r4-r11}\n\t"
                     "ldr r3, [r12]\n\t"
                     "ldr r0, [r12, #4]\n\t"
                     "ldr r1, [r12, #8]\n\t"
                     "ldr r2, [r12, #12]\n\t"
                     "blx r3\n\t"
                     "ldr r1, [sp]\n\t"
                     "str r0, [r1, #16]\n\t"
                     "adds r1, r1, #20\n\t"
                     "stmia r1, {r4-r11}\n\t"
                     "pop {r0, r4-r11, pc}");
}

/* Instructions of the call plus those that read the counter. */
__attribute__((noinline)) static uint64_t measure_raw(struct counter_call *call) {
    counter_restart();
    uint64_t start = counter_now();
    call_with_canaries(call, canaries);
    return counter_now() - start;
}

uint64_t counter_measure(struct counter_call *call) {
    uint64_t raw = measure_raw(call);
    if (counter.kind == COUNTER_NONE)
        return 0;
    return raw > counter.overhead ? raw - counter.overhead : 0; /* cycles vary a little */
}

uint32_t counter_lost(const struct counter_call *call) {
    uint32_t lost = 0;
    for (uint32_t i = 0; i < 8; i++)
        if (call->kept[i] != canaries[i])
            lost |= UINT32_C(1) << (4 + i);
    return lost;
}

uint32_t counter_overhead(void) {
    return counter.overhead;
}

/* ---- calibration and self-test ---- */

/* One instruction. */
__attribute__((naked, noinline)) static void empty(void) {
    __asm__ volatile("bx lr");
}

/* 2 * rounds + 1 instructions. */
__attribute__((naked, noinline)) static void loop(__attribute__((unused)) uint32_t rounds) {
    __asm__ volatile("1: subs r0, r0, #1\n\t"
                     "bne 1b\n\t"
                     "bx lr");
}

static uint64_t measure_loop(uint32_t rounds) {
    struct counter_call call = {.function = (uint32_t)(uintptr_t)loop, .arguments = {rounds, 0, 0}};
    return counter_measure(&call);
}

/* The first call also fills caches and prefetch buffers, so the second one counts. */
void counter_start(uint32_t kind, uint32_t clock_hz, uint32_t icount_shift) {
    counter.kind = kind;
    counter.tick_32nds = (uint32_t)(UINT64_C(32000000000) / clock_hz);
    counter.shift = icount_shift;
    counter.overhead = 0;
    struct counter_call call = {.function = (uint32_t)(uintptr_t)empty};
    (void)measure_raw(&call);
    counter.overhead = (uint32_t)measure_raw(&call) - 1u;
}

static bool loop_is_right(uint32_t rounds, uint64_t counted) {
    return counter.kind == COUNTER_INSTRUCTIONS ? counted == 2u * rounds + 1u : counted >= rounds;
}

bool counter_works(void) {
    bool works = true;
    for (uint32_t rounds = 1; counter.kind != COUNTER_NONE && rounds < 200000;
         rounds = 3 * rounds + 1)
        works = works && loop_is_right(rounds, measure_loop(rounds)) &&
                loop_is_right(rounds, measure_loop(rounds));
    return works;
}
