/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calling a model that is linked in. Archives are linked in as they are for an image: their code
 * finds variables by r9, through the GOT that the linker makes. Whatever includes this file, or
 * calls the model, is compiled with -ffixed-r9.
 */
#ifndef HARNESS_STATIC_GOT_H
#define HARNESS_STATIC_GOT_H

#include <stdint.h>

/* Where the linker's own script begins the output section of the GOT; NULL: there is none. */
extern char _GLOBAL_OFFSET_TABLE_[] __attribute__((weak));

/* Sets r9 to the GOT; returns what it was. */
static inline uint32_t enter(void) {
    uint32_t before;
    __asm__ volatile("mov %0, r9\n\tmov r9, %1"
                     : "=&r"(before)
                     : "r"(_GLOBAL_OFFSET_TABLE_)
                     : "memory");
    return before;
}

/* An r9 that was changed is left to show: the harness checks the registers it got back. */
static inline void leave(uint32_t before) {
    uint32_t now;
    __asm__ volatile("mov %0, r9" : "=r"(now));
    if (now == (uint32_t)(uintptr_t)_GLOBAL_OFFSET_TABLE_)
        __asm__ volatile("mov r9, %0" : : "r"(before) : "memory");
}

#endif
