/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The flash of the slots, which the board provides. It is memory that can be read and executed; it
 * is erased to 0xFF a sector at a time, and each unit is written at most once between two erases.
 * Offsets are bytes from the start of the first slot. board.h has FLASH_UNIT, FLASH_SECTOR and
 * SLOT_SIZE, a multiple of FLASH_SECTOR.
 */
#ifndef FLASH_H
#define FLASH_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"

void flash_begin(void);
#ifdef BOARD_EMULATES_FLASH
/* The power goes in the middle of that operation, counted from 1; 0: it stays. */
void flash_cut(uint32_t operations);
#endif
const uint8_t *flash_at(uint32_t offset);
/* The sector that starts at offset. false: it is not erased. */
bool flash_erase(uint32_t offset);
/* FLASH_UNIT bytes at a multiple of FLASH_UNIT. false: they are not what was to be written. */
bool flash_write(uint32_t offset, const uint8_t *unit);

#endif
