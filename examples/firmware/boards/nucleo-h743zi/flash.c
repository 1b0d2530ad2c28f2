/* SPDX-License-Identifier: Apache-2.0 */
/* Bank 2 of the STM32H743's flash (RM0433, chapter 4). The caches are off, as after a reset. */
#include "flash.h"

#include <string.h>

#include "board.h"
#include "watchdog.h"

struct bank {
    volatile uint32_t unused, key, option_key, control, status, clear;
};
#define BANK2 ((struct bank *)0x52002100)
enum { LOCK = 1 << 0, PG = 1 << 1, SER = 1 << 2, PSIZE_32 = 2 << 4, START = 1 << 7, SNB = 8 };
enum { BSY = 1 << 0, WBNE = 1 << 1, QW = 1 << 2, ERRORS = 0x07EE0000, EOP = 1 << 16 };
extern uint8_t slots_memory[]; /* firmware.ld */

void flash_begin(void) {}

const uint8_t *flash_at(uint32_t offset) {
    return slots_memory + offset;
}

static void open_bank(uint32_t control) {
    BANK2->clear = ERRORS | EOP;
    if ((BANK2->control & LOCK) != 0) {
        BANK2->key = 0x45670123;
        BANK2->key = 0xCDEF89AB;
    }
    BANK2->control = control | PSIZE_32;
}

static bool close_bank(void) {
    __asm__ volatile("dsb" : : : "memory");
    while ((BANK2->status & (BSY | WBNE | QW)) != 0) {
    }
    bool good = (BANK2->status & ERRORS) == 0;
    BANK2->control = LOCK;
    return good;
}

bool flash_erase(uint32_t offset) {
    watchdog_feed(); /* up to four seconds */
    const uint32_t control = SER | offset / FLASH_SECTOR << SNB;
    open_bank(control);
    BANK2->control = control | PSIZE_32 | START;
    return close_bank();
}

bool flash_write(uint32_t offset, const uint8_t *unit) {
    volatile uint32_t *to = (volatile uint32_t *)(void *)(slots_memory + offset);
    uint32_t words[FLASH_UNIT / 4];
    memcpy(words, unit, sizeof words);
    open_bank(PG);
    __asm__ volatile("isb\n dsb" : : : "memory");
    for (unsigned i = 0; i < FLASH_UNIT / 4; i++)
        to[i] = words[i];
    return close_bank() && memcmp(slots_memory + offset, unit, FLASH_UNIT) == 0;
}
