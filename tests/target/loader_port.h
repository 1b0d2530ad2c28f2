/* SPDX-License-Identifier: Apache-2.0 */
/* What the loader's test firmware needs of the emulated board, and the canary in r9. */
#ifndef LOADER_PORT_H
#define LOADER_PORT_H

#include <stdint.h>

#define PORT_R9 UINT32_C(0x9C0FFEE9)

void port_print(const char *text);
void port_print_u32(uint32_t value);

/* The whole firmware is compiled with -ffixed-r9: nothing else writes the register. */
static inline uint32_t port_r9(void) {
    uint32_t r9;
    __asm__ volatile("mov %0, r9" : "=r"(r9));
    return r9;
}

static inline void port_set_r9(void) {
    __asm__ volatile("mov r9, %0" : : "r"(PORT_R9));
}

#endif
