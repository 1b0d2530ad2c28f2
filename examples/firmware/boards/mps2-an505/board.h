/* SPDX-License-Identifier: Apache-2.0 */
/* Arm MPS2 with AN505, a Cortex-M33, as QEMU emulates it. The flash of the slots is emulated in
 * RAM. */
#ifndef BOARD_H
#define BOARD_H

#define BOARD_CLOCK          20000000
#define BOARD_UART           0x50200000
#define BOARD_WATCHDOG       0x50081000
#define BOARD_EMULATES_FLASH 1
#define FLASH_UNIT           32
#define FLASH_SECTOR         0x4000
#define SLOT_SIZE            0x10000

#endif
