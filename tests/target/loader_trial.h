/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware that survives faults: calls a function, privileged or not, and tells whether it
 * returned or which fault ended it. Takes the vector table over (trial_start). For Armv7-M and
 * Armv8-M Mainline; everything runs on the main stack.
 */
#ifndef LOADER_TRIAL_H
#define LOADER_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

/* System control space: the same addresses on Armv7-M and Armv8-M. */
#define TRIAL_SCS(offset) (*(volatile uint32_t *)(UINT32_C(0xE000E000) + (offset)))
enum {
    TRIAL_CPUID = 0xD00,
    TRIAL_VTOR = 0xD08,
    TRIAL_CCR = 0xD14,
    TRIAL_SHCSR = 0xD24,
    TRIAL_CFSR = 0xD28,
    TRIAL_BFAR = 0xD38,
    TRIAL_CPACR = 0xD88,
    TRIAL_SFSR = 0xDE4 /* Armv8-M with the security extension */
};

/* Exceptions, and bits of CFSR and SFSR. */
enum {
    TRIAL_MEMMANAGE = 4,
    TRIAL_BUSFAULT = 5,
    TRIAL_SECUREFAULT = 7,
    TRIAL_IACCVIOL = 1 << 0,
    TRIAL_PRECISERR = 1 << 9,
    TRIAL_BFARVALID = 1 << 15,
    TRIAL_INVTRAN = 1 << 4
};

struct trial_fault {
    uint32_t exception; /* its number; 0: none */
    uint32_t cfsr;
    uint32_t bfar;
    uint32_t sfsr; /* 0 without the security extension */
    uint32_t pc;
};
extern struct trial_fault trial_fault; /* of the last trial */

/*
 * Privileged calls, by number: what the handler does with r0 and r1. A firmware may have its own.
 * SysTick comes here as well.
 */
enum { TRIAL_SVC_END = 0, TRIAL_SVC_OWN = 1, TRIAL_TICK = 256 };
extern void (*trial_service)(uint32_t number, uint32_t r0, uint32_t r1);

/* From then on faults end trials. Privileged code only. */
void trial_start(void);

/* Calls function; true when it returned. The caller is privileged, and is so again afterwards. */
bool trial(void (*function)(void), bool privileged);

#endif
