/* SPDX-License-Identifier: Apache-2.0 */
/* The watchdog of the MPS2 boards (CMSDK APB watchdog). First it raises an NMI, which resets. */
#include "watchdog.h"

#include <stdint.h>

#include "board.h"

#define REGISTER(offset) (*(volatile uint32_t *)(BOARD_WATCHDOG + (offset)))
#define LOAD             REGISTER(0x0)
#define CONTROL          REGISTER(0x8)
#define CLEAR            REGISTER(0xC)
enum { INTERRUPT = 1, RESET = 2 };

void watchdog_begin(void) {
    LOAD = (uint32_t)BOARD_CLOCK * WATCHDOG_SECONDS;
    CONTROL = INTERRUPT | RESET;
}

void watchdog_feed(void) {
    CLEAR = 1; /* and it counts from LOAD again */
}
