/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the loader that depends on the compiler: calling with another r9, barriers, and the
 * lock bit. This file is for GNU C (gcc, clang, Arm Compiler 6); reloc_shim_iar.h and
 * reloc_shim_armcc.h do the same for the other two.
 */
#ifndef RELOC_SHIM_H
#define RELOC_SHIM_H

#include <stdbool.h>
#include <stdint.h>

/* A function and the r9 to call it with. The shims read the two words by position. */
struct reloc_target {
    uint32_t function; /* with the Thumb bit */
    uint32_t r9;
};

#if defined(__ICCARM__)
#include "reloc_shim_iar.h"
#elif defined(__CC_ARM)
#include "reloc_shim_armcc.h"
#else

/* noipa: gcc must not conclude from the body which registers survive the call. */
#if defined(__clang__)
#define RELOC_NAKED __attribute__((naked, noinline, used))
#else
#define RELOC_NAKED __attribute__((naked, noipa, used))
#endif
#define RELOC_IN_REGISTER __attribute__((unused))

/* Where the caller's registers are, for a debugger: only where the compiler says so itself. */
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
#define RELOC_PUSHED_4                                                                             \
    ".cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r4, 0\n\t.cfi_rel_offset lr, 4\n\t"
#define RELOC_PUSHED_9 ".cfi_adjust_cfa_offset 8\n\t.cfi_rel_offset r9, 4\n\t"
#define RELOC_PUSHED                                                                               \
    ".cfi_adjust_cfa_offset 16\n\t.cfi_rel_offset r9, 8\n\t.cfi_rel_offset lr, 12\n\t"
#else
#define RELOC_PUSHED_4
#define RELOC_PUSHED_9
#define RELOC_PUSHED
#endif

/*
 * Calls target->function(a0, a1, a2) with r9 = target->r9 and returns its r0. The caller's r9 is
 * restored. Interrupts are not masked: one in between sees the other r9 (docs/TARGET.md).
 */
RELOC_NAKED static uint32_t reloc_call(RELOC_IN_REGISTER uint32_t a0, RELOC_IN_REGISTER uint32_t a1,
                                       RELOC_IN_REGISTER uint32_t a2,
                                       RELOC_IN_REGISTER const struct reloc_target *target) {
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
    /* most instructions reach r0 to r7 only */
    __asm__ volatile("push {r4, lr}\n\t" RELOC_PUSHED_4 "mov r4, r9\n\t"
                     "push {r3, r4}\n\t" RELOC_PUSHED_9 "ldr r4, [r3, #4]\n\t"
                     "mov r9, r4\n\t"
                     "ldr r3, [r3]\n\t"
                     "blx r3\n\t"
                     "pop {r2, r3}\n\t"
                     "mov r9, r3\n\t"
                     "pop {r4, pc}");
#else
    __asm__ volatile("push {r2, r3, r9, lr}\n\t" /* 4 words: the stack stays a multiple of 8 */
                     RELOC_PUSHED "ldr r9, [r3, #4]\n\t"
                     "ldr r3, [r3]\n\t"
                     "blx r3\n\t"
                     "pop {r2, r3, r9, pc}");
#endif
}

static inline uint32_t reloc_get_r9(void) {
    uint32_t r9;
    __asm__ volatile("mov %0, r9" : "=r"(r9));
    return r9;
}

/* Data written before is visible to, and not older than, instructions fetched after. */
static inline void reloc_barrier(void) {
    __asm__ volatile("dsb 0xF\n\tisb 0xF" ::: "memory");
}

/*
 * Sets bits in *word; true if they were all clear before. Interrupts are off for these few
 * instructions, because exclusive loads and stores do not work in every kind of memory (external
 * RAM).
 */
static inline bool reloc_lock(volatile uint32_t *word, uint32_t bits) {
    uint32_t primask;
    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
    uint32_t old = *word;
    *word = old | bits;
    __asm__ volatile("msr primask, %0" : : "r"(primask) : "memory");
    return (old & bits) == 0;
}

#endif

#endif
