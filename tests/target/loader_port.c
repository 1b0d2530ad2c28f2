/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start-up of the loader's test firmware on one of the emulated boards
 * (templates/harness/boards.h), linked with firmware.ld: vector table, FPU,
 * variables; then main, whose result is the exit status. A fault prints its status and address
 * registers and exits with 254.
 */
#include "loader_port.h"

#include <string.h>

#include "semihost.h"

/* Defined by firmware.ld. */
extern uint8_t harness_bss_start[], harness_bss_end[];
extern uint8_t harness_handler_stack_end[];

enum { PORT_EXIT_FAULT = 254 };

int main(void);
void harness_reset(void);

void port_print(const char *text) {
    semihost_print(text);
}

void port_print_u32(uint32_t value) {
    char digits[11];
    char *p = digits + sizeof digits - 1;
    *p = '\0';
    do
        *--p = (char)('0' + value % 10u);
    while ((value /= 10u) != 0);
    semihost_print(p);
}

void harness_reset(void) {
#if PORT_FPU
    *(volatile uint32_t *)0xE000ED88u |= 0x00F00000u; /* CPACR: full access */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
#endif
    memset(harness_bss_start, 0, (uint32_t)(harness_bss_end - harness_bss_start));
    semihost_exit((uint32_t)main());
}

static void fault(void) {
    semihost_print("FAULT\n");
    semihost_print_hex("CFSR ", *(volatile uint32_t *)0xE000ED28u);
    semihost_print_hex("BFAR ", *(volatile uint32_t *)0xE000ED38u);
    semihost_exit(PORT_EXIT_FAULT);
}

__attribute__((section(".vectors"), used)) static const struct {
    uint8_t *stack;
    void (*handlers[15])(void);
} vectors = {harness_handler_stack_end,
             {harness_reset, fault, fault, fault, fault, fault, fault, 0, 0, 0, fault, fault, 0,
              fault, fault}};
