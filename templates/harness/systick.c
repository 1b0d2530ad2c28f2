/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter's clock (counter.h) by SysTick, for a firmware that owns it: cycles of a real core's
 * clock, or instructions of an emulated one. Under QEMU's -icount shift=N an instruction takes
 * exactly 1 << N ns of the time that SysTick shows. From N = 6 on a tick is shorter than that at any
 * board's clock, so ticks resolve single instructions.
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
} systick;

uint32_t counter_begin(uint32_t kind, uint32_t clock_hz, uint32_t icount_shift) {
    systick.kind = kind;
    systick.tick_32nds = (uint32_t)(UINT64_C(32000000000) / clock_hz);
    systick.shift = icount_shift;
    return kind;
}

/* Interrupted code may run with another r9, so only stacked registers are used here. */
__attribute__((naked)) void counter_overflow(void) {
    __asm__ volatile(".syntax unified\n\t"
                     "ldr r0, 1f\n\t"
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
    if (systick.kind != COUNTER_INSTRUCTIONS)
        return ticks;
    uint64_t all = ((ticks + 1) * systick.tick_32nds) >> (systick.shift + 5);
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
