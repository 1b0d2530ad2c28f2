/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware that `verify` runs on an emulated board: its units, its link, the emulator's command
 * line. Boards and memory areas: templates/harness/boards.h.
 */
#ifndef RP_TOOLCHAIN_HARNESS_H
#define RP_TOOLCHAIN_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "templates/harness/boards.h"
#include "toolchain/build.h"
#include "toolchain/dialect.h"
#include "toolchain/process.h"

struct rp_area {
    uint32_t address;
    uint32_t size;
};

struct rp_board {
    enum harness_board id;
    const char *core;    /* "M7" */
    const char *machine; /* "mps2-an500" */
    uint32_t clock_hz;   /* of SysTick */
    uint32_t vectors;
};

/* The board that has a core such as "M7", or NULL. */
const struct rp_board *rp_board_find(const char *core);
struct rp_area rp_board_area(const struct rp_board *board, enum harness_area area);

/*
 * Adds the harness's units to build: with the loader, or for a model that is linked in. flags are
 * those of a static build.
 */
void rp_harness_add(struct rp_build *build, const struct rp_plan_flags *flags, bool is_static);
/* Arguments of the link; libraries of the model may be NULL. */
void rp_harness_link(struct rp_build *build, const struct rp_plan_flags *flags,
                     const struct rp_board *board, bool is_static,
                     const struct rp_strings *libraries);

/* A file that the emulator places in memory before it starts. */
struct rp_blob {
    const char *path;
    uint32_t address;
};

struct rp_emulation {
    const char *emulator; /* "qemu-system-arm", or a path */
    const struct rp_board *board;
    const char *firmware;
    const struct rp_blob *blobs;
    size_t blob_count;
    unsigned icount_shift;
};

void rp_emulation_argv(const struct rp_emulation *emulation, struct rp_arena *arena,
                       struct rp_strings *argv);

#endif
