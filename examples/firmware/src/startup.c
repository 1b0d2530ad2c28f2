/* SPDX-License-Identifier: Apache-2.0 */
/* Vector table, start, and the two things of the core that the rest needs: see system.h. */
#include <stdint.h>
#include <string.h>

#include "board.h"
#include "system.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYST_CSR          REGISTER(0xE000E010)
#define SYST_RVR          REGISTER(0xE000E014)
#define SYST_CVR          REGISTER(0xE000E018)
#define SCB_AIRCR         REGISTER(0xE000ED0C)
#define SCB_CPACR         REGISTER(0xE000ED88)

extern uint32_t stack_top[], data_start[], data_end[], data_load[], bss_start[], bss_end[];
int main(void);
void start(void);

uint32_t system_tick(void) {
    return SYST_CSR >> 16 & 1; /* COUNTFLAG, which reading clears */
}

void system_reset(void) {
    __asm__ volatile("dsb" : : : "memory");
    SCB_AIRCR = 0x05FA0004; /* VECTKEY, SYSRESETREQ */
    for (;;) {
    }
}

static uint32_t bytes(const uint32_t *from, const uint32_t *to) {
    return (uint32_t)((uintptr_t)to - (uintptr_t)from);
}

void start(void) {
    SCB_CPACR |= 0xFu << 20; /* the FPU */
    __asm__ volatile("dsb\n isb" : : : "memory");
    memcpy(data_start, data_load, bytes(data_start, data_end));
    memset(bss_start, 0, bytes(bss_start, bss_end));
    SYST_RVR = BOARD_CLOCK / 1000 - 1;
    SYST_CVR = 0;
    SYST_CSR = 5; /* on, from the core's clock, no interrupt */
    (void)main();
    system_reset();
}

/* Faults, and the NMI of a watchdog. A model that faults or hangs is one that is not confirmed: the
 * next start goes back to the one before. */
static void fault(void) {
    system_reset();
}

struct vectors {
    uint32_t *stack;
    void (*handlers[15])(void);
};
__attribute__((section(".vectors"), used)) static const struct vectors vectors = {
    stack_top, {start, fault, fault, fault, fault, fault, fault}};
