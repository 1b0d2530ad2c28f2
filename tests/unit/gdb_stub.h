/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A GDB server without a process and without time: it answers as its client sends, over a wire that
 * loses, repeats, garbles, cuts and holds what it carries, as a seed decides. When the client waits
 * for something that does not come, the clock jumps.
 */
#ifndef RP_TESTS_UNIT_GDB_STUB_H
#define RP_TESTS_UNIT_GDB_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "toolchain/probe/wire.h"

enum {
    STUB_RAM = 0x20000000,
    STUB_RAM_BYTES = 0x4000,
    STUB_FLASH = 0x08000000,
    STUB_FLASH_BYTES = 0x6000, /* of which the last 0x4000 are one block */
    STUB_SMALL_BLOCK = 0x800,
    STUB_REGISTERS = 17,
    STUB_FAULTS = 10
};

/* What a wire may do to a packet or an acknowledgment. */
enum stub_fault {
    STUB_DROP,
    STUB_REPEAT,
    STUB_LATE, /* repeated, but later */
    STUB_GARBLE,
    STUB_CUT,   /* its end is missing */
    STUB_NOISE, /* bytes before it */
    STUB_NAK,   /* its receiver is told that its last packet was garbled */
    STUB_HOLD,  /* it and all behind it arrive later */
    STUB_CLOSE,
    STUB_HANG /* nothing arrives any more */
};

struct stub {
    /* what the server is like: set before stub_start */
    size_t packet_size; /* 0: it does not say */
    bool lacks_x, has_binary_read, lacks_p, lacks_z, lacks_features, has_map, has_runs;
    bool resends;       /* it sends its last packet again until that is acknowledged */
    bool never_stops;   /* what runs, until it is interrupted */
    unsigned per_mille; /* faults */
    unsigned faults;    /* which of them, as bits */

    /* what happened to it */
    uint8_t ram[STUB_RAM_BYTES];
    uint8_t flash[STUB_FLASH_BYTES];
    uint8_t written[STUB_FLASH_BYTES]; /* 1: erased, 2: programmed as well */
    uint32_t registers[STUB_REGISTERS];
    uint32_t breakpoint;
    bool is_running, is_gone;
    unsigned faulty;               /* how many faults there were */
    unsigned continued, commanded; /* how often the client asked for it */
    char last[64];                 /* the beginning of the last request */

    /* the wire */
    struct rp_arena *arena;
    struct rp_buf in, out, held, reply;
    size_t in_used, out_used;
    bool is_held, is_hanging, is_awaiting;
    uint64_t random;
    double now, held_until;
    size_t waits;
};

/* A wire to the server; its members are 0 or set as above. */
struct rp_wire stub_start(struct stub *stub, struct rp_arena *arena, uint64_t seed);
uint32_t stub_random(struct stub *stub, uint32_t below);

#endif
