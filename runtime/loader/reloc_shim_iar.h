/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reloc_shim.h for the IAR C/C++ Compiler for Arm (extended inline assembler, version 7.70 or
 * later). This project's tests do not compile it, because they have no such compiler: review it
 * before use.
 */
#ifndef RELOC_SHIM_IAR_H
#define RELOC_SHIM_IAR_H

#include <intrinsics.h>

/*
 * As in reloc_shim.h. The stack pointer is aligned to 8 here, because the compiler does not see a
 * call. The function is never inlined, so that callers save the registers that a call may change,
 * including those of the FPU.
 */
#pragma inline = never
static uint32_t reloc_call(uint32_t a0, uint32_t a1, uint32_t a2,
                           const struct reloc_target *target) {
    uint32_t frame[5];
    uint32_t result;
    frame[0] = a0;
    frame[1] = a1;
    frame[2] = a2;
    frame[3] = target->r9;
    frame[4] = target->function;
    __asm volatile("mov  r7, %1\n"
                   "mov  r4, r9\n"
                   "mov  r5, sp\n"
                   "lsrs r6, r5, #3\n"
                   "lsls r6, r6, #3\n"
                   "mov  sp, r6\n"
                   "ldm  r7!, {r0-r2}\n"
                   "ldr  r6, [r7]\n"
                   "mov  r9, r6\n"
                   "ldr  r6, [r7, #4]\n"
                   "blx  r6\n"
                   "mov  sp, r5\n"
                   "mov  r9, r4\n"
                   "mov  %0, r0\n"
                   : "=r"(result)
                   : "r"(frame)
                   : "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r12", "lr", "cc", "memory");
    return result;
}

static uint32_t reloc_get_r9(void) {
    uint32_t r9;
    __asm volatile("mov %0, r9" : "=r"(r9));
    return r9;
}

static void reloc_barrier(void) {
    __DSB();
    __ISB();
}

static bool reloc_lock(volatile uint32_t *word, uint32_t bits) {
    __istate_t state = __get_interrupt_state();
    __disable_interrupt();
    uint32_t old = *word;
    *word = old | bits;
    __set_interrupt_state(state);
    return (old & bits) == 0;
}

#endif
