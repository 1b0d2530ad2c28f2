/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts what a call takes: the cycles of a real core's clock, or the instructions of an emulated
 * one. The clock is that of systick.c or of cyccnt.c.
 */
#ifndef HARNESS_COUNTER_H
#define HARNESS_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

#include "part.h"

/* A measured call: a function and three arguments in words. */
struct counter_call {
    uint32_t function; /* with the Thumb bit */
    uint32_t arguments[3];
    uint32_t result;  /* r0 afterwards */
    uint32_t kept[8]; /* r4 to r11 afterwards */
    uint32_t sp;      /* at the function's entry */
};

/*
 * Takes what is counted (enum harness_counter), the clock in Hz and QEMU's icount shift, and
 * measures its own overhead.
 */
PART void counter_start(uint32_t kind, uint32_t clock_hz, uint32_t icount_shift);

/*
 * Makes the call and returns its instructions or cycles, from its first through its return, without
 * those of the counter's own interrupt. r4 to r11 hold canaries at its entry; counter_lost
 * tells which ones it did not preserve.
 */
PART uint64_t counter_measure(struct counter_call *call);

/* Instructions since counter_restart or the start of the measurement under way. */
PART uint64_t counter_now(void);
PART void counter_restart(void);

/* Bits 4 to 11: the call changed r4 to r11. */
PART uint32_t counter_lost(const struct counter_call *call);

/* What an empty measurement counts, which counter_measure subtracts. */
PART uint32_t counter_overhead(void);

/*
 * Whether it counts right: a loop of known length, run twice, must give the exact number of
 * instructions both times, or more cycles the longer it is.
 */
PART bool counter_works(void);

/* ---- the clock ---- */

/* Not an order of the host: a clock that does not resolve single cycles. */
enum { COUNTER_COARSE = 3 };

/* Returns what is counted: enum harness_counter, or COUNTER_COARSE. */
PART uint32_t counter_begin(uint32_t kind, uint32_t clock_hz, uint32_t icount_shift);
/* systick.c: the handler of SysTick, for the vector table. */
void counter_overflow(void);
/* cyccnt.c: a function that is used instead of the cycle counter, or NULL. */
PART void counter_use(uint64_t (*source)(void));

#endif
