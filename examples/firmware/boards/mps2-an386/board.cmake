# SPDX-License-Identifier: Apache-2.0
set(BOARD_FLAGS "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16")
set(BOARD_TARGET cortex-m4)
set(BOARD_QEMU mps2-an386)
set(BOARD_SOURCES boards/mps2/flash.c boards/mps2/serial.c boards/mps2/watchdog.c)
