# SPDX-License-Identifier: Apache-2.0
set(BOARD_FLAGS "-mcpu=cortex-m7 -mthumb -mfloat-abi=hard -mfpu=fpv5-d16")
set(BOARD_TARGET stm32h7)
set(BOARD_SOURCES boards/nucleo-h743zi/flash.c boards/nucleo-h743zi/serial.c
  boards/nucleo-h743zi/watchdog.c)
