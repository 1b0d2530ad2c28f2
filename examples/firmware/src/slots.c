/* SPDX-License-Identifier: Apache-2.0 */
/* Two slots for images of a model: see slots.h. */
#include "slots.h"

#include <string.h>

#include "flash.h"

enum cell { INSTALLED, TRIED, CONFIRMED, KEPT };
enum { WORDS = CELL_SIZE / 8 };           /* of a cell, each with its complement */
static const uint32_t MAGIC = 0x6C6F6452; /* then number and length */

_Static_assert(CELL_SIZE % FLASH_UNIT == 0 && SLOT_SIZE % FLASH_SECTOR == 0 &&
                   CELLS * CELL_SIZE <= FLASH_SECTOR,
               "sizes of the flash");

/* ---- cells ---- */

static uint32_t cell_offset(int which, enum cell cell) {
    return (uint32_t)which * SLOT_SIZE + SLOT_IMAGE_MAX + (uint32_t)cell * CELL_SIZE;
}

static bool is_blank(int which, enum cell cell) {
    const uint8_t *bytes = flash_at(cell_offset(which, cell));
    for (unsigned i = 0; i < CELL_SIZE; i++)
        if (bytes[i] != 0xFF)
            return false;
    return true;
}

static bool read_cell(int which, enum cell cell, uint32_t words[WORDS]) {
    uint32_t pairs[2 * WORDS];
    memcpy(pairs, flash_at(cell_offset(which, cell)), sizeof pairs);
    for (unsigned i = 0; i < WORDS; i++) {
        if (pairs[2 * i] != ~pairs[2 * i + 1])
            return false;
        words[i] = pairs[2 * i];
    }
    return words[0] == MAGIC;
}

static bool write_cell(int which, enum cell cell, uint32_t number, uint32_t length) {
    const uint32_t words[WORDS] = {MAGIC, number, length};
    uint32_t pairs[2 * WORDS];
    for (unsigned i = 0; i < WORDS; i++) {
        pairs[2 * i] = words[i];
        pairs[2 * i + 1] = ~words[i];
    }
    for (uint32_t at = 0; at < CELL_SIZE; at += FLASH_UNIT)
        if (!flash_write(cell_offset(which, cell) + at, (const uint8_t *)pairs + at))
            return false;
    return true;
}

/* ---- slots ---- */

struct slot slots_read(int which) {
    uint32_t words[WORDS], more[WORDS];
    struct slot slot = {0};
    bool kept = read_cell(which, KEPT, words);
    if ((kept || read_cell(which, INSTALLED, words)) && words[2] <= SLOT_IMAGE_MAX)
        slot = (struct slot){.installed = true, .number = words[1], .length = words[2]};
    slot.tried = !is_blank(which, TRIED); /* half written counts */
    slot.confirmed = kept || read_cell(which, CONFIRMED, more);
    return slot;
}

/* Numbers may overflow. */
static bool is_newer(struct slot slot, struct slot than) {
    return slot.installed && (!than.installed || slot.number - than.number - 1 < INT32_MAX);
}

const uint8_t *slots_image(int which) {
    return flash_at((uint32_t)which * SLOT_SIZE);
}

static int choose(slots_check *check, bool only_confirmed) {
    struct slot newest = {0};
    int best = -1;
    for (int which = 0; which < SLOTS; which++) {
        const struct slot slot = slots_read(which);
        bool may_run = slot.confirmed || (!slot.tried && !only_confirmed);
        if (may_run && is_newer(slot, newest) && check(slots_image(which), slot.length)) {
            best = which;
            newest = slot;
        }
    }
    return best;
}

int slots_choose(slots_check *check) {
    return choose(check, false);
}

int slots_choose_confirmed(slots_check *check) {
    return choose(check, true);
}

bool slots_start(int which) {
    const struct slot slot = slots_read(which);
    return slot.confirmed || (!slot.tried && write_cell(which, TRIED, slot.number, slot.length));
}

bool slots_confirm(int which) {
    const struct slot slot = slots_read(which);
    return slot.confirmed || write_cell(which, CONFIRMED, slot.number, slot.length);
}

/* ---- update ---- */

/* From now on, the device goes back to this slot. Bits whose writing was cut may read differently
 * from one start to the next, and nobody knows whether that happened to an older cell. */
static bool keep(int which) {
    const struct slot slot = slots_read(which);
    return slot.confirmed &&
           (!is_blank(which, KEPT) || write_cell(which, KEPT, slot.number, slot.length));
}

bool slots_begin(struct slots_update *update, int running) {
    if (running >= 0 && !keep(running))
        return false;
    int stays = running; /* or the newest, of two that do not run */
    if (running < 0)
        stays = is_newer(slots_read(0), slots_read(1)) ? 0 : 1;
    *update = (struct slots_update){.slot = 1 - stays, .number = slots_read(stays).number + 1};
    for (uint32_t at = 0; at < SLOT_SIZE; at += FLASH_SECTOR)
        if (!flash_erase((uint32_t)update->slot * SLOT_SIZE + at))
            return false;
    return true;
}

static bool write_unit(struct slots_update *update, uint32_t offset) {
    return flash_write((uint32_t)update->slot * SLOT_SIZE + offset, update->unit);
}

bool slots_write(struct slots_update *update, const uint8_t *bytes, uint32_t count) {
    if (count > SLOT_IMAGE_MAX - update->length)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        update->unit[update->length % FLASH_UNIT] = bytes[i];
        update->length++;
        if (update->length % FLASH_UNIT == 0 && !write_unit(update, update->length - FLASH_UNIT))
            return false;
    }
    return true;
}

bool slots_finish(struct slots_update *update, slots_check *check) {
    const uint32_t rest = update->length % FLASH_UNIT;
    if (rest != 0) {
        memset(update->unit + rest, 0xFF, FLASH_UNIT - rest);
        if (!write_unit(update, update->length - rest))
            return false;
    }
    return check(slots_image(update->slot), update->length) &&
           write_cell(update->slot, INSTALLED, update->number, update->length);
}
