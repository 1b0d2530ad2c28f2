/* SPDX-License-Identifier: Apache-2.0 */
/* Measured calls: see counter.h. Out: counts of instructions, which repeat exactly, or cycles. */
#include "counter.h"

#include "plan.h"

static struct {
    uint32_t kind; /* enum harness_counter */
    uint32_t overhead;
} counter;

/* ---- calls ---- */

/* r4 to r11 during a measured call. */
static const uint32_t canaries[8] = {0xC0DE0004, 0xC0DE0005, 0xC0DE0006, 0xC0DE0007,
                                     0xC0DE0008, 0xC0DE0009, 0xC0DE0010, 0xC0DE0011};

/* The offsets in struct counter_call: 0 function, 4 arguments, 16 result, 20 kept, 52 sp. */
_Static_assert(sizeof(struct counter_call) == 56, "offsets in call_with_canaries");

__attribute__((naked, noinline)) static void
call_with_canaries(__attribute__((unused)) struct counter_call *call,
                   __attribute__((unused)) const uint32_t *registers) {
#if __ARM_ARCH_ISA_THUMB == 1
    __asm__ volatile(".syntax unified\n\t"
                     "push {r4-r7, lr}\n\t" /* 10 words in all: the stack stays a multiple of 8 */
                     "mov r2, r8\n\t"
                     "mov r3, r9\n\t"
                     "mov r4, r10\n\t"
                     "mov r5, r11\n\t"
                     "push {r0, r2-r5}\n\t"
                     "mov r2, sp\n\t"
                     "str r2, [r0, #52]\n\t"
                     "mov r12, r0\n\t"
                     "ldmia r1!, {r4-r7}\n\t"
                     "ldmia r1!, {r0, r2, r3}\n\t"
                     "mov r8, r0\n\t"
                     "mov r9, r2\n\t"
                     "mov r10, r3\n\t"
                     "ldr r0, [r1]\n\t"
                     "mov r11, r0\n\t"
                     "mov r3, r12\n\t"
                     "ldr r0, [r3, #4]\n\t"
                     "ldr r1, [r3, #8]\n\t"
                     "ldr r2, [r3, #12]\n\t"
                     "ldr r3, [r3]\n\t"
                     "blx r3\n\t"
                     "ldr r1, [sp]\n\t"
                     "str r0, [r1, #16]\n\t"
                     "adds r1, r1, #20\n\t"
                     "stmia r1!, {r4-r7}\n\t"
                     "mov r0, r8\n\t"
                     "mov r2, r9\n\t"
                     "mov r3, r10\n\t"
                     "stmia r1!, {r0, r2, r3}\n\t"
                     "mov r0, r11\n\t"
                     "str r0, [r1]\n\t"
                     "pop {r0, r2-r5}\n\t"
                     "mov r8, r2\n\t"
                     "mov r9, r3\n\t"
                     "mov r10, r4\n\t"
                     "mov r11, r5\n\t"
                     "pop {r4-r7, pc}");
#else
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
#endif
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
    __asm__ volatile(".syntax unified\n\t"
                     "1: subs r0, r0, #1\n\t"
                     "bne 1b\n\t"
                     "bx lr");
}

static uint64_t measure_loop(uint32_t rounds) {
    struct counter_call call = {.function = (uint32_t)(uintptr_t)loop, .arguments = {rounds, 0, 0}};
    return counter_measure(&call);
}

/* The first call also fills caches and prefetch buffers, so the second one counts. */
void counter_start(uint32_t kind, uint32_t clock_hz, uint32_t icount_shift) {
    counter.kind = counter_begin(kind, clock_hz, icount_shift);
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
    for (uint32_t rounds = 1; counter.kind < COUNTER_NONE && rounds < 200000;
         rounds = 3 * rounds + 1)
        works = works && loop_is_right(rounds, measure_loop(rounds)) &&
                loop_is_right(rounds, measure_loop(rounds));
    return works;
}
