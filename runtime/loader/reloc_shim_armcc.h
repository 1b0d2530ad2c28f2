/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reloc_shim.h for Arm Compiler 5 (armcc --c99), using its embedded assembler. This project's tests
 * do not compile it, because they have no such compiler: review it before use. Arm Compiler 6 takes
 * reloc_shim.h.
 */
#ifndef RELOC_SHIM_ARMCC_H
#define RELOC_SHIM_ARMCC_H

/* One instruction per line: the assembler takes no more, and clang-format does not know that. */
/* clang-format off */

/* As in reloc_shim.h. Arguments are in r0 to r3 (AAPCS); four words keep the stack aligned to 8. */
static __asm uint32_t reloc_call(uint32_t a0, uint32_t a1, uint32_t a2,
                                 const struct reloc_target *target) {
    PRESERVE8
    push {r4, lr}
    mov r4, r9
    push {r3, r4}
    ldr r4, [r3, #4]
    mov r9, r4
    ldr r3, [r3]
    blx r3
    pop {r2, r3}
    mov r9, r3
    pop {r4, pc}
}

static __asm uint32_t reloc_get_r9(void) {
    mov r0, r9
    bx lr
}

/* clang-format on */

static void reloc_barrier(void) {
    __dsb(0xF);
    __isb(0xF);
}

static bool reloc_lock(volatile uint32_t *word, uint32_t bits) {
    int masked = __disable_irq();
    uint32_t old = *word;
    *word = old | bits;
    if (!masked)
        __enable_irq();
    return (old & bits) == 0;
}

#endif
