/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two slots for images of a model. Whenever the power is cut, the next start finds a slot with a
 * complete image: the old model's or the new one's.
 *
 * A slot ends in four cells, each written once, in this order, after the slot was erased:
 *   installed   the image is complete and was checked; its length, and a number that grows
 *   tried       it is going to run for the first time
 *   confirmed   it did what it should; until then, the next start goes back to the other slot
 *   kept        the other slot is going to be erased; stands for installed and confirmed, too
 * Each word of a cell is followed by its complement, so that a cell that was only half written, or
 * half erased, is none: either can only clear bits, or only set them.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

enum { SLOTS = 2, CELLS = 4, CELL_SIZE = 32 }; /* bytes; a multiple of FLASH_UNIT */
enum { SLOT_IMAGE_MAX = SLOT_SIZE - CELLS * CELL_SIZE };

struct slot {
    bool installed, tried, confirmed;
    uint32_t number; /* of the image; the larger one is newer */
    uint32_t length; /* of the image's file, bytes */
};

/* Is a file a whole image? */
typedef bool slots_check(const uint8_t *image, uint32_t length);

struct slot slots_read(int which);
const uint8_t *slots_image(int which);
/* The slot to start, -1: there is none. */
int slots_choose(slots_check *check);
/* The same among confirmed images, which run without a write to the flash. */
int slots_choose_confirmed(slots_check *check);
/* To be called before the image of a slot runs. false: it must not run. */
bool slots_start(int which);
bool slots_confirm(int which);

/* An update: begin, write in pieces of any size, finish. */
struct slots_update {
    int slot;
    uint32_t number, length;
    uint8_t unit[FLASH_UNIT]; /* bytes that do not yet fill one */
};
/* running: the slot whose image runs, or -1: none does. false: it is not confirmed yet, or the
 * flash fails. */
bool slots_begin(struct slots_update *update, int running);
bool slots_write(struct slots_update *update, const uint8_t *bytes, uint32_t count);
/* From now on, the next start tries the new image. false: the old one stays. */
bool slots_finish(struct slots_update *update, slots_check *check);

#endif
