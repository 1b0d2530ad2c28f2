/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A firmware that does something of its own, counts how often, and has the service for
 * `relocpack run` in it. It is linked with documented.ld. Macros: AREAS, the rows of its areas;
 * CLOCK_HZ; BEFORE_INIT, AFTER_INIT and IN_LOOP, statements; LL_ATON_RT_RELOC as for the pack.
 */
#include <stddef.h>
#include <stdint.h>

#include "relocpack_service.h"

#ifndef CLOCK_HZ
#define CLOCK_HZ 1000000
#endif
#ifndef BEFORE_INIT
#define BEFORE_INIT
#endif
#ifndef AFTER_INIT
#define AFTER_INIT
#endif
#ifndef IN_LOOP
#define IN_LOOP (void)relocpack_service_poll()
#endif

#define WORD(address) (*(volatile uint32_t *)(uintptr_t)UINT32_C(address))

extern uint8_t heap_end[], stack_end[];
extern volatile uint32_t relocpack_mailbox[];
void reset(void);
void fault(void);
void tick(void);
void seal(void);
int main(void);

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_end,     (void *)reset, (void *)fault, (void *)fault,
    (void *)fault, (void *)fault, (void *)fault, [15] = (void *)tick};

volatile uint32_t work;  /* how often the firmware did what it is for */
volatile uint32_t ticks; /* whether its interrupts go on */

void tick(void) {
    ticks++;
}

void fault(void) {
    for (;;) {
    }
}

/* After words were changed: what the service does at each turn. */
void seal(void) {
    uint32_t crc = UINT32_MAX;
    for (uint32_t i = 0; i < 156; i++) {
        crc ^= (relocpack_mailbox[i / 4] >> (8 * (i % 4))) & 0xFFu;
        for (uint32_t bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ ((crc & 1u) != 0 ? UINT32_C(0xEDB88320) : 0);
    }
    relocpack_mailbox[156 / 4] = ~crc;
}

/* Neither is read in the middle of an overflow. */
static uint64_t cycles(void) {
    uint32_t high, value;
    do {
        high = ticks;
        value = WORD(0xE000E018);
    } while (high != ticks);
    return (uint64_t)high * 0xFFFF + (0xFFFF - value);
}

int main(void) {
    static const relocpack_service_area areas[] = {AREAS};
    const relocpack_service_config config = {.areas = areas,
                                             .area_count = sizeof areas / sizeof areas[0],
                                             .clock_hz = CLOCK_HZ,
                                             .stack = heap_end,
                                             .stack_size = (uint32_t)(stack_end - heap_end),
                                             .cycles = cycles};
    BEFORE_INIT;
    if (!relocpack_service_init(&config))
        fault();
    AFTER_INIT;
    for (;;) {
        work++;
        IN_LOOP;
    }
}

void reset(void) {
    WORD(0xE000ED88) |= 0xF00000u; /* CPACR: FPU on */
    WORD(0xE000E014) = 0xFFFE;
    WORD(0xE000E018) = 0;
    WORD(0xE000E010) = 7; /* SysTick with its interrupt */
    __asm__ volatile("dsb\n\tisb");
    (void)main();
}

#ifdef LL_ATON_RT_RELOC
/* What LL_ATON expects of a firmware; the emulated board has no caches. */
#define CACHE(type, name, ...)                                                                     \
    type name(__VA_ARGS__);                                                                        \
    type name(__VA_ARGS__)
CACHE(int, mcu_cache_clean_range, uint32_t start, uint32_t end) {
    return start > end;
}
CACHE(int, mcu_cache_invalidate_range, uint32_t start, uint32_t end) {
    return start > end;
}
CACHE(int, mcu_cache_clean_invalidate_range, uint32_t start, uint32_t end) {
    return start > end;
}
CACHE(void, npu_cache_clean_range, uint32_t start, uint32_t end) {
    (void)start;
    (void)end;
}
CACHE(void, npu_cache_clean_invalidate_range, uint32_t start, uint32_t end) {
    (void)start;
    (void)end;
}
CACHE(void, npu_cache_invalidate, void) {}
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *text);
_Noreturn void __assert_func(const char *file, int line, const char *function, const char *text) {
    (void)file;
    (void)line;
    (void)function;
    (void)text;
    for (;;) {
    }
}
#endif
