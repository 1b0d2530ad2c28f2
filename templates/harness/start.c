/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Start-up of the harness on any Cortex-M: vector table, stacks, FPU and MVE,
 * constructors, faults. harness_reset is the ELF file's entry. Threads and handlers have separate
 * stacks, so that a stack overflow can still be reported. A fault reports the registers and ends
 * the run.
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "counter.h"
#include "harness.h"
#include "host.h"
#include "plan.h"

/*
 * Defined by the linker's own script. Variables that begin as zeros need no code here: the emulator
 * clears them, and on a board host_begin does.
 */
typedef void (*constructor)(void);
extern const constructor __preinit_array_start[], __preinit_array_end[];
extern const constructor __init_array_start[], __init_array_end[];

/*
 * Defined on the linker's command line: the thread stack, and the top of the handlers' stack behind
 * it.
 */
extern uint8_t harness_stack_start[], harness_stack_end[], harness_handler_stack_end[];

/* Armv6-M, Armv8-M Baseline: one kind of fault, no FPU, and few instructions of 32 bits. */
#if __ARM_ARCH_ISA_THUMB == 1
#define BASELINE 1
#endif

/* System control space: the same addresses in all architectures. */
#define SCS(offset) (*(volatile uint32_t *)(uintptr_t)(UINT32_C(0xE000E000) + (offset)))
enum {
    SCS_VTOR = 0xD08,
    SCS_SHCSR = 0xD24, /* bits 18..16: usage, bus, memory faults have handlers; 19: secure fault */
    SCS_CFSR = 0xD28,
    SCS_HFSR = 0xD2C,
    SCS_MMFAR = 0xD34,
    SCS_BFAR = 0xD38,
    SCS_CPACR = 0xD88
};
#define SHCSR_FAULTS    UINT32_C(0x000F0000)
#define CPACR_CP10_CP11 UINT32_C(0x00F00000) /* FPU, and MVE where there is one: full access */
/* Stacking errors of the three kinds: the frame was not written. Bit 20 is Armv8-M's limit check.
 */
#define CFSR_NO_FRAME UINT32_C(0x00101010)

struct harness_area_used harness_stack;

_Noreturn void harness_reset(void);
_Noreturn void harness_start(void);
_Noreturn void harness_fault(void);
_Noreturn void harness_fault_report(const uint32_t *saved, uint32_t exc_return);

/* Exceptions by number (Armv7-M Architecture Reference Manual, B1.5.2; Armv8-M, B3.30). */
struct vector_table {
    const void *stack;
    void (*handlers[15])(void); /* handlers[n - 1] is that of exception n */
};

/* In use from harness_start on. The host places a copy where a reset looks. */
extern const struct vector_table harness_vectors;
__attribute__((aligned(128), used)) const struct vector_table harness_vectors = {
    harness_handler_stack_end,
    {
        [1 - 1] = harness_reset,
        [2 - 1] = harness_fault,  /* NMI */
        [3 - 1] = harness_fault,  /* HardFault */
        [4 - 1] = harness_fault,  /* MemManage */
        [5 - 1] = harness_fault,  /* BusFault */
        [6 - 1] = harness_fault,  /* UsageFault */
        [7 - 1] = harness_fault,  /* SecureFault */
        [11 - 1] = harness_fault, /* SVCall */
        [12 - 1] = harness_fault, /* DebugMonitor: BKPT where nobody answers */
        [14 - 1] = harness_fault, /* PendSV */
        [15 - 1] = counter_overflow,
    },
};

/*
 * Calls all from first to end; volatile, because the compiler cannot know an end in another object.
 */
static void construct(const constructor *first, const constructor *volatile end) {
    for (; first != end; first++)
        (*first)();
}

/* Sets up faults, runs what a C library's start-up code would run, then each plan. */
__attribute__((used)) _Noreturn void harness_start(void) {
    host_begin();
    harness_stack = (struct harness_area_used){(uint32_t)(uintptr_t)harness_stack_start,
                                               (uint32_t)(harness_stack_end - harness_stack_start)};
    SCS(SCS_VTOR) = (uint32_t)(uintptr_t)&harness_vectors; /* no effect on a Cortex-M0 */
#ifndef BASELINE
    SCS(SCS_SHCSR) |= SHCSR_FAULTS;
#endif
    construct(__preinit_array_start, __preinit_array_end);
    construct(__init_array_start, __init_array_end);
    for (uint32_t status = HARNESS_EXIT_NONE;; status = harness_main())
        host_next(status);
}

/*
 * Everything before the first C function: CPACR, and the two stacks with their limits (Armv8-M
 * Mainline has registers for these; on the other emulated boards nothing is mapped below). A
 * debugger may have stopped another firmware to start this one, so nothing is taken to be as a
 * reset leaves it.
 */
__attribute__((naked, used)) _Noreturn void harness_reset(void) {
    __asm__ volatile(
        ".syntax unified\n\t" /* compilers assume the other one on Armv6-M */
#ifndef BASELINE
        "ldr r0, =0xE000ED88\n\t"
        "ldr r1, [r0]\n\t"
        "orr r1, r1, #0x00F00000\n\t"
        "str r1, [r0]\n\t"
        "movs r0, #0\n\t"
        "msr basepri, r0\n\t"
        "msr faultmask, r0\n\t"
#endif
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
        "msr msplim, r0\n\t"
        "msr psplim, r0\n\t"
#endif
        "ldr r0, =harness_handler_stack_end\n\t"
        "msr msp, r0\n\t"
        "ldr r0, =harness_stack_end\n\t"
        "msr psp, r0\n\t"
        "movs r0, #0\n\t"
        "msr primask, r0\n\t"
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
        "ldr r0, =harness_stack_start\n\t"
        "msr psplim, r0\n\t"
        "ldr r0, =harness_stack_end\n\t"
        "msr msplim, r0\n\t"
#endif
        "movs r0, #2\n\t"
        "msr control, r0\n\t"
        "dsb\n\t"
        "isb\n\t"
        "bl harness_start\n\t"
        ".ltorg");
}

/* Saves r4 to r11 and passes on the values that tell which stack holds the rest. */
__attribute__((naked, used)) _Noreturn void harness_fault(void) {
    __asm__ volatile("mrs r0, psp\n\t"
                     "mov r1, sp\n\t"
                     "mov r2, r10\n\t"
                     "mov r3, r11\n\t"
                     "push {r2, r3}\n\t"
                     "mov r2, r8\n\t"
                     "mov r3, r9\n\t"
                     "push {r2, r3}\n\t"
                     "push {r4-r7}\n\t"
                     "push {r0, r1}\n\t" /* saved[0] = psp, [1] = msp, [2..9] = r4..r11 */
                     "mov r0, sp\n\t"
                     "mov r1, lr\n\t"
                     "bl harness_fault_report");
}

/* The frame that the core pushed, or NULL if it pushed none or it cannot be read. */
static const uint32_t *fault_frame(const uint32_t *saved, uint32_t exc_return, uint32_t cfsr) {
    uint32_t sp = exc_return & 4u ? saved[0] : saved[1];
    uint32_t start = (uint32_t)(uintptr_t)harness_stack_start;
    uint32_t end = (uint32_t)(uintptr_t)harness_handler_stack_end;
    if ((cfsr & CFSR_NO_FRAME) != 0 || sp < start || sp > end - 32u || sp % 4u != 0)
        return NULL;
    return (const uint32_t *)(uintptr_t)sp;
}

static void fault_fill(uint32_t *words, const uint32_t *saved, uint32_t exc_return) {
    memset(words, 0, FAULT_WORDS * sizeof *words);
#ifndef BASELINE
    words[FAULT_CFSR] = SCS(SCS_CFSR);
    words[FAULT_HFSR] = SCS(SCS_HFSR);
    words[FAULT_MMFAR] = SCS(SCS_MMFAR);
    words[FAULT_BFAR] = SCS(SCS_BFAR);
#endif
    words[FAULT_EXC_RETURN] = exc_return;
    words[FAULT_SP] = exc_return & 4u ? saved[0] : saved[1];
    memcpy(&words[FAULT_R4], &saved[2], 8 * sizeof *words);
    const uint32_t *frame = fault_frame(saved, exc_return, words[FAULT_CFSR]);
    words[FAULT_HAS_FRAME] = frame != NULL;
    if (frame != NULL)
        memcpy(&words[FAULT_R0], frame, 8 * sizeof *words);
}

__attribute__((used)) _Noreturn void harness_fault_report(const uint32_t *saved,
                                                          uint32_t exc_return) {
    static const char *const labels[FAULT_WORDS] = {
#define X(name, label) [FAULT_##name] = label,
        HARNESS_FAULT_WORDS(X)
#undef X
    };
    uint32_t words[FAULT_WORDS];
    fault_fill(words, saved, exc_return);
    words[FAULT_STEP] = harness_step;
    host_print("harness: fault\n");
    for (uint32_t i = 0; i < FAULT_WORDS; i++)
        host_print_hex(labels[i], words[i]);
    harness_record_fault(words);
    for (;;)
        host_next(HARNESS_EXIT_FAULT);
}
