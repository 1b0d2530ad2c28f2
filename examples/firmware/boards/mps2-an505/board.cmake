# SPDX-License-Identifier: Apache-2.0
set(BOARD_FLAGS "-mcpu=cortex-m33 -mthumb -mfloat-abi=hard -mfpu=fpv5-sp-d16")
set(BOARD_TARGET cortex-m33)
set(BOARD_QEMU mps2-an505)
set(BOARD_SOURCES boards/mps2/flash.c boards/mps2/serial.c boards/mps2/watchdog.c)
