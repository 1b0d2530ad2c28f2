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
    const struct rp_area *areas; /* by enum harness_area */
};

/* The board that has a core such as "M7", or NULL. */
const struct rp_board *rp_board_find(const char *core);
struct rp_area rp_board_area(const struct rp_board *board, enum harness_area area);
/*
 * The same board with areas that keep away from taken, which lies at addresses that the model
 * itself names: of each area its larger rest. RP_E_VERIFY when taken is not in the board's external
 * memory; what names it in the message.
 */
const struct rp_board *rp_board_without(const struct rp_board *board, struct rp_arena *arena,
                                        struct rp_area taken, const char *what,
                                        struct rp_error *err);

/* An address for a name that the linked code refers to. */
struct rp_label {
    const char *name;
    uint32_t address;
};

/* A firmware to build: with the loader, or for a model that is linked in. */
struct rp_harness {
    const struct rp_plan_flags *flags; /* of a static build */
    const struct rp_board *board;
    bool is_static;
    const struct rp_strings *libraries;    /* of the model, or NULL */
    const struct rp_strings *link_options; /* for these, or NULL */
    const struct rp_npu *npu;              /* Neural-ART: its pack and its name; else NULL */
    bool is_secure;                        /* Neural-ART: for a secure image */
    struct rp_label labels[2];             /* of relative pools; name NULL: none */
};

/* Adds the harness's units to build. */
void rp_harness_add(struct rp_build *build, const struct rp_harness *harness);
/* Arguments of the link. */
void rp_harness_link(struct rp_build *build, const struct rp_harness *harness);

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
