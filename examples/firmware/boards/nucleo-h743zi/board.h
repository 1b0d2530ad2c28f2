/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ST NUCLEO-H743ZI: the slots are in bank 2, which is written while the firmware runs from bank 1
 * (RM0433, chapter 4). Serial line: USART3, which is the probe's.
 */
#ifndef BOARD_H
#define BOARD_H

#define BOARD_CLOCK  64000000 /* HSI, as after a reset */
#define FLASH_UNIT   32       /* a flash word */
#define FLASH_SECTOR 0x20000
#define SLOT_SIZE    0x40000

#endif
