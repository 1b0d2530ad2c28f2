/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A debugger as the host of a firmware that it has loaded into a board's RAM and started: see
 * host.h and mailbox.h. The host knows the board's memory, so it is not told any.
 */
#include "harness.h"
#include "host.h"
#include "turn.h"

#include <string.h>

/* Defined on the linker's command line, as the stack is: the block of results. */
extern uint8_t harness_buffer[], harness_buffer_end[], harness_plan_end[];
/* By the linker's own script. */
extern uint8_t __bss_start__[], __bss_end__[];

#define SCS(offset) (*(volatile uint32_t *)(uintptr_t)(UINT32_C(0xE000E000) + (offset)))
enum {
    SCS_SYSTICK = 0x010,
    SCS_ICER = 0x180, /* 16 words: switches interrupts off, */
    SCS_ICPR = 0x280, /* and forgets those that are pending */
    SCS_MPU_CTRL = 0xD94
};

void host_begin(void) {
    static struct turn_settings settings;
    memset(__bss_start__, 0, (size_t)(__bss_end__ - __bss_start__));
    SCS(SCS_SYSTICK) = 0;
    for (uint32_t i = 0; i < 16; i++) {
        SCS(SCS_ICER + 4 * i) = UINT32_MAX;
        SCS(SCS_ICPR + 4 * i) = UINT32_MAX;
    }
    SCS(SCS_MPU_CTRL) = 0;
#ifdef HARNESS_ENABLE_CACHES
    turn_enable_caches();
#endif
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    settings = (struct turn_settings){.plan_room = (uint32_t)(harness_plan_end - harness_plan),
                                      .buffer = harness_buffer,
                                      .buffer_room =
                                          (uint32_t)(harness_buffer_end - harness_buffer),
                                      .images = MAILBOX_IMAGES_CORTEX_M};
    turn_begin(&settings);
}

static void take_turn(enum harness_mailbox_state state, uint32_t status) {
    turn_offer(state, status);
    while (!turn_is_answered()) {
    }
}

void host_next(uint32_t status) {
    take_turn(status == HARNESS_EXIT_FAULT ? MAILBOX_OVER : MAILBOX_READY, status);
    while (!turn_has_plan())
        take_turn(MAILBOX_READY, HARNESS_EXIT_PLAN);
}
