/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A flash that is emulated in RAM, which a reset keeps. The first start finds slot 0 as a
 * programmer would have left it. flash_cut lets the power go in the middle of an operation.
 */
#include "flash.h"

#include <string.h>

#include "board.h"
#include "system.h"

enum { SLOTS_SIZE = 2 * SLOT_SIZE };

/* What a reset keeps. */
struct memory {
    uint8_t slots[SLOTS_SIZE];
    uint8_t powered[16];
    uint32_t until_cut; /* operations; 0: never */
};
extern struct memory slots_memory; /* firmware.ld */
extern const uint8_t delivered[];  /* delivered.S: slot 0 */
static const uint8_t POWERED[16] = "slots are there";

void flash_begin(void) {
    if (memcmp(slots_memory.powered, POWERED, sizeof POWERED) == 0)
        return;
    memset(slots_memory.slots, 0xFF, SLOTS_SIZE);
    memcpy(slots_memory.slots, delivered, SLOT_SIZE);
    memcpy(slots_memory.powered, POWERED, sizeof POWERED);
    slots_memory.until_cut = 0;
}

const uint8_t *flash_at(uint32_t offset) {
    return slots_memory.slots + offset;
}

void flash_cut(uint32_t operations) {
    slots_memory.until_cut = operations;
}

static bool power_goes(void) {
    return slots_memory.until_cut != 0 && --slots_memory.until_cut == 0;
}

bool flash_erase(uint32_t offset) {
    bool cut = power_goes();
    memset(slots_memory.slots + offset, 0xFF, cut ? FLASH_SECTOR / 2 : FLASH_SECTOR);
    if (cut)
        system_reset();
    return true;
}

bool flash_write(uint32_t offset, const uint8_t *unit) {
    bool cut = power_goes();
    for (uint32_t i = 0; i < (cut ? FLASH_UNIT / 2 : FLASH_UNIT); i++)
        slots_memory.slots[offset + i] &= unit[i];
    if (cut)
        system_reset();
    return memcmp(slots_memory.slots + offset, unit, FLASH_UNIT) == 0;
}
