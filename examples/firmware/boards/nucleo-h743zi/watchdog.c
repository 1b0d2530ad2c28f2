/* SPDX-License-Identifier: Apache-2.0 */
/* The independent watchdog, IWDG1 (RM0433, chapter 46), which nothing but a reset stops. */
#include "watchdog.h"

#include <stdint.h>

#define REGISTER(offset) (*(volatile uint32_t *)(0x58004800 + (offset)))
#define KEY              REGISTER(0x0)
#define PRESCALER        REGISTER(0x4)
#define RELOAD           REGISTER(0x8)
#define STATUS           REGISTER(0xC)
enum { START = 0xCCCC, UNLOCK = 0x5555, FEED = 0xAAAA, BY_256 = 6, LSI = 32000 };

void watchdog_begin(void) {
    KEY = START;
    KEY = UNLOCK;
    PRESCALER = BY_256;
    RELOAD = LSI / 256 * WATCHDOG_SECONDS;
    while (STATUS != 0) {
    }
    KEY = FEED;
}

void watchdog_feed(void) {
    KEY = FEED;
}
