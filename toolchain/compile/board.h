/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Boards: cores, and the memories that can be used. The emulated ones of `verify` are in
 * templates/harness/boards.h; boards for `run` are JSON files (board_file.h).
 */
#ifndef RP_TOOLCHAIN_COMPILE_BOARD_H
#define RP_TOOLCHAIN_COMPILE_BOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "templates/harness/boards.h"

struct rp_area {
    uint32_t address;
    uint32_t size; /* bytes */
};

struct rp_board_memory {
    const char *name;
    struct rp_area area;
    bool is_flash;       /* the GDB server programs it; else it is RAM */
    bool no_execute;     /* no code can run in it */
    bool is_external;    /* used only for what does not fit in other memories */
    bool is_npus;        /* shared with the NPU: Neural-ART networks have pools in it */
    bool needs_firmware; /* it works only after a firmware has set it up */
};

/* Addresses of an emulated board that do not depend on the model: the columns of HARNESS_PLACES. */
enum rp_place { RP_PLACE_STACK, RP_PLACE_PLAN, RP_PLACE_FIRMWARE, RP_PLACE_COUNT };

struct rp_board {
    const char *name;         /* "nucleo-f446re" */
    const char *title;        /* "ST NUCLEO-F446RE" */
    const char *core;         /* "M7" */
    const char *series;       /* "stm32h7" or "cortex-m7": what the runner is compiled for */
    const char *machine;      /* of QEMU, "mps2-an500"; or NULL */
    const char *global;       /* a setting of QEMU; or "" */
    const char *runs_on;      /* the core that QEMU emulates: "M0" for "M0PLUS" */
    uint32_t part;            /* of that core's CPUID */
    uint32_t clock_hz;        /* of SysTick, after a reset */
    bool has_caches;          /* the runner switches them on */
    bool counts_instructions; /* an emulator: SysTick shows instructions, not cycles */
    uint32_t vectors;         /* emulated: address of the vector table at reset */
    uint32_t places[RP_PLACE_COUNT];
    const struct rp_board_memory *memories;
    size_t memory_count;
    struct rp_strings servers; /* its names for GDB servers: "jlink=STM32F446RE" */
};

/* The emulated board with a core such as "M7", or NULL. */
const struct rp_board *rp_board_find(const char *core);
/* Its memories by position, NULL past the end. */
const struct rp_board_memory *rp_board_memory(const struct rp_board *board, size_t index);
/* The memory named EXTERNAL, or {0, 0}. */
struct rp_area rp_board_external(const struct rp_board *board);
uint32_t rp_board_place(const struct rp_board *board, enum rp_place place);

#endif
