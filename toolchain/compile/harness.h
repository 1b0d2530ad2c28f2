/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware that runs images, on an emulated board for `verify` and on any board for `run`: its
 * units, its link, and the command line of the emulator.
 */
#ifndef RP_TOOLCHAIN_COMPILE_HARNESS_H
#define RP_TOOLCHAIN_COMPILE_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "toolchain/compile/board.h"
#include "toolchain/compile/build.h"
#include "toolchain/dialect.h"

/* An address for a name in the linked code. */
struct rp_label {
    const char *name;
    uint32_t address;
};

/*
 * A firmware to build, with the loader or with a model linked in. It is linked with the linker's
 * own script, so that the toolchain places every section of a model.
 */
struct rp_harness {
    const struct rp_plan_flags *flags; /* of a static build */
    const struct rp_board *board;
    bool is_static;
    bool sorted;   /* sections of a kind are sorted by name, and not in the order of the objects */
    uint32_t base; /* start address: a multiple of the linker's page */
    struct rp_area stack; /* of threads and, at its end, handlers */
    struct rp_area plan;
    struct rp_area buffer; /* for a debugger as the host: blocks of results; size 0: an emulator */
    const struct rp_strings *libraries;    /* of the model; or NULL */
    const struct rp_strings *link_options; /* for the libraries; or NULL */
    const char *network;                   /* Neural-ART: the network's C name; else NULL */
    const char *ll_aton_dir;               /* Neural-ART: the pack's LL_ATON sources */
    bool is_secure;                        /* Neural-ART: for a secure image */
    struct rp_label labels[2];             /* of relative pools; name NULL: none */
    const char
        *shared; /* object of another build, which compiled what all firmwares have; or NULL */
};

/* Adds the units of the firmware to build. Returns the path of the object that others can share. */
const char *rp_harness_add(struct rp_build *build, const struct rp_harness *harness);
/* Arguments of the link. */
void rp_harness_link(struct rp_build *build, const struct rp_harness *harness);

/* A file that the emulator loads into memory before it starts. */
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
    const char *log;        /* file for the log of log_items, or NULL */
    const char *log_items;  /* of -d: "exec,nochain,op" */
    const char *log_filter; /* the addresses of these: "0x1000+0x200,0x8000+0x40" */
};

void rp_emulation_argv(const struct rp_emulation *emulation, struct rp_arena *arena,
                       struct rp_strings *argv);

#endif
