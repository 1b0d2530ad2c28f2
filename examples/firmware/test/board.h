/* SPDX-License-Identifier: Apache-2.0 */
/* A small flash, so that every operation can be cut. */
#ifndef BOARD_H
#define BOARD_H

#ifndef FLASH_UNIT
#define FLASH_UNIT 32
#endif
#define FLASH_SECTOR 512
#define SLOT_SIZE    (4 * FLASH_SECTOR)

#endif
