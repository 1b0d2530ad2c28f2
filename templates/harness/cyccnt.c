/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counter's clock (counter.h) for a firmware that owns SysTick: the core's cycle counter, which
 * is switched on but never written, or a function of the firmware. The cycle counter has 32 bits: a
 * time without a call-back in it that is longer than that comes out too short.
 */
#include "counter.h"

#include <stddef.h>

#include "plan.h"

#define DEMCR         (*(volatile uint32_t *)(uintptr_t)UINT32_C(0xE000EDFC))
#define DWT_CTRL      (*(volatile uint32_t *)(uintptr_t)UINT32_C(0xE0001000))
#define DWT_CYCCNT    (*(volatile uint32_t *)(uintptr_t)UINT32_C(0xE0001004))
#define DWT_LAR       (*(volatile uint32_t *)(uintptr_t)UINT32_C(0xE0001FB0))
#define DEMCR_TRCENA  (UINT32_C(1) << 24)
#define CTRL_ON       UINT32_C(1)
#define LAR_KEY       UINT32_C(0xC5ACCE55) /* some Cortex-M7 lock the unit */
enum { LONG_ENOUGH = 16 /* looks at a counter that runs, until it has changed */ };

static struct {
    uint64_t (*given)(void); /* instead of the cycle counter, or NULL */
    uint32_t last, high; /* of the cycle counter: the last value seen, and how often it began anew */
    uint64_t base;
} cyccnt;

void counter_use(uint64_t (*source)(void)) {
    cyccnt.given = source;
}

static bool counts(void) {
    DEMCR |= DEMCR_TRCENA;
    DWT_LAR = LAR_KEY;
    DWT_CTRL |= CTRL_ON;
    const uint32_t before = DWT_CYCCNT;
    for (uint32_t i = 0; i < LONG_ENOUGH; i++)
        if (DWT_CYCCNT != before)
            return true;
    return false;
}

uint32_t counter_begin(uint32_t kind, uint32_t clock_hz, uint32_t icount_shift) {
    (void)clock_hz;
    (void)icount_shift;
    if (cyccnt.given != NULL)
        return COUNTER_COARSE;
    return kind != COUNTER_NONE && counts() ? (uint32_t)COUNTER_CYCLES : (uint32_t)COUNTER_NONE;
}

static uint64_t now(void) {
    if (cyccnt.given != NULL)
        return cyccnt.given();
    const uint32_t value = DWT_CYCCNT;
    cyccnt.high += value < cyccnt.last;
    cyccnt.last = value;
    return (uint64_t)cyccnt.high << 32 | value;
}

uint64_t counter_now(void) {
    return now() - cyccnt.base;
}

void counter_restart(void) {
    cyccnt.base = now();
}
