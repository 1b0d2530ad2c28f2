# SPDX-License-Identifier: Apache-2.0
# Toolchain file; BOARD_FLAGS are the board's.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR arm)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_C_FLAGS_INIT "${BOARD_FLAGS}")
set(CMAKE_ASM_FLAGS_INIT "${BOARD_FLAGS}")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
