/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calling a model that is linked in. Archives are linked as for an image: their code finds
 * variables through r9 and the GOT that the linker makes. Code that includes this file or calls the
 * model is compiled with -ffixed-r9.
 */
#ifndef HARNESS_STATIC_GOT_H
#define HARNESS_STATIC_GOT_H

#include <stdint.h>

/*
 * The start of the output section in which the linker's own script puts the GOT. The assembler
 * takes the name for a distance from the code, and a link with this has a GOT, even an empty one.
 */
__attribute__((naked, noinline)) static char *static_got(void) {
    __asm__ volatile("ldr r0, 1f\n"
                     "2:\tadd r0, pc\n\t"
                     "bx lr\n\t"
                     ".balign 4\n"
                     "1:\t.word _GLOBAL_OFFSET_TABLE_-(2b+4)");
}

/* Sets r9 to the GOT; returns its previous value. */
static inline uint32_t enter(void) {
    uint32_t before;
    char *got = static_got();
    __asm__ volatile("mov %0, r9\n\tmov r9, %1" : "=&r"(before) : "r"(got) : "memory");
    return before;
}

/* A changed r9 is left as it is, so that it shows: the harness checks the registers afterwards. */
static inline void leave(uint32_t before) {
    uint32_t now;
    char *got = static_got();
    __asm__ volatile("mov %0, r9" : "=r"(now));
    if (now == (uint32_t)(uintptr_t)got)
        __asm__ volatile("mov r9, %0" : : "r"(before) : "memory");
}

#endif
