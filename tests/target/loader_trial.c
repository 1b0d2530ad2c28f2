/* SPDX-License-Identifier: Apache-2.0 */
/* See loader_trial.h. */
#include "loader_trial.h"

#include "semihost.h"

extern uint8_t harness_handler_stack_end[];
void harness_reset(void);

struct trial_fault trial_fault;
void (*trial_service)(uint32_t number, uint32_t r0, uint32_t r1);
static uint32_t trial_sp __attribute__((used)); /* of the trial that is running */

static uint32_t exception_number(void) {
    uint32_t number;
    __asm__ volatile("mrs %0, ipsr" : "=r"(number));
    return number;
}

static void become_privileged(void) {
    uint32_t control;
    __asm__ volatile("mrs %0, control\n\tbic %0, %0, #1\n\tmsr control, %0\n\tisb"
                     : "=&r"(control)
                     :
                     : "memory");
}

/*
 * Control by privilege: bit 0 set takes it away. The fault handler continues at trial_failed, on
 * the stack of that moment; SVC 0 gives the privilege back.
 */
__attribute__((naked, noipa)) static uint32_t call(void (*function)(void), uint32_t control) {
    (void)function, (void)control;
    __asm__ volatile("push {r3-r11, lr}\n\t"
                     "ldr r2, =trial_sp\n\t"
                     "str sp, [r2]\n\t"
                     "mrs r2, control\n\t"
                     "orr r2, r2, r1\n\t"
                     "msr control, r2\n\t"
                     "isb\n\t"
                     "blx r0\n\t"
                     "svc 0\n\t"
                     "movs r0, #1\n\t"
                     "pop {r3-r11, pc}\n"
                     "trial_failed:\n\t"
                     "ldr r2, =trial_sp\n\t"
                     "ldr sp, [r2]\n\t"
                     "movs r0, #0\n\t"
                     "pop {r3-r11, pc}\n\t"
                     ".ltorg");
}
extern uint8_t trial_failed[]; /* code, in call */

static void end_trial(uint32_t *frame, uint32_t number) {
    trial_fault.exception = number;
    trial_fault.cfsr = TRIAL_SCS(TRIAL_CFSR);
    trial_fault.bfar = TRIAL_SCS(TRIAL_BFAR);
    trial_fault.sfsr = 0;
    trial_fault.pc = frame[6];
    TRIAL_SCS(TRIAL_CFSR) = trial_fault.cfsr;
#ifdef __ARM_ARCH_8M_MAIN__
    trial_fault.sfsr = TRIAL_SCS(TRIAL_SFSR);
    TRIAL_SCS(TRIAL_SFSR) = trial_fault.sfsr;
#endif
    frame[6] = (uint32_t)trial_failed & ~UINT32_C(1);
    frame[7] = UINT32_C(1) << 24; /* Thumb, not in an IT block */
}

/* frame: r0 to r3, r12, lr, pc, xPSR. A fault outside of a trial ends the firmware. */
__attribute__((used)) static void handle(uint32_t *frame) {
    uint32_t number = exception_number();
    if (number == 15) {
        trial_service(TRIAL_TICK, 0, 0);
        return;
    }
    if (number == 11) {
        uint32_t service = ((const uint8_t *)frame[6])[-2];
        if (service != TRIAL_SVC_END) {
            trial_service(service, frame[0], frame[1]);
            return;
        }
    } else {
        if (trial_sp == 0) {
            semihost_print("FAULT outside of a trial\n");
            semihost_print_hex("pc ", frame[6]);
            semihost_exit(254);
        }
        end_trial(frame, number);
    }
    become_privileged();
}

__attribute__((naked)) static void exception(void) {
    __asm__ volatile("mov r0, sp\n\t"
                     "b handle");
}

__attribute__((aligned(128))) static const struct {
    uint8_t *stack;
    void (*handlers[15])(void);
} vectors = {harness_handler_stack_end,
             {harness_reset, exception, exception, exception, exception, exception, exception, 0, 0,
              0, exception, exception, 0, exception, exception}};

void trial_start(void) {
    TRIAL_SCS(TRIAL_VTOR) = (uint32_t)&vectors;
    TRIAL_SCS(TRIAL_SHCSR) |= 15u << 16; /* handlers for usage, bus, memory and secure faults */
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

bool trial(void (*function)(void), bool privileged) {
    trial_fault.exception = 0;
    uint32_t returned = call(function, privileged ? 0 : 1);
    trial_sp = 0;
    return returned != 0;
}
