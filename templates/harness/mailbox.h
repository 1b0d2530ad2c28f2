/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a debugger and a firmware exchange plans and results (plan.h): little-endian u32 words in the
 * target's RAM, at the symbol relocpack_mailbox. The debugger needs nothing but memory and the
 * possibility to stop the core. Shared by host and firmware.
 *
 * Turns. The firmware fills in its words, adds one to TURN and looks for GO from time to time. The
 * host stops the core, reads the words and the block in BUFFER, answers in its own words, last of
 * all GO = TURN, and lets the core continue. Everything has a CRC-32 (zlib's): the firmware's
 * words, each block of results, the plan. What does not match is read or written again.
 *
 * The instruction at WAIT is the first one of each look. It does nothing: a host that has put a
 * breakpoint there continues behind it, at WAIT + 2. Without breakpoints the host stops the core
 * from time to time and looks whether TURN has changed.
 */
#ifndef HARNESS_MAILBOX_H
#define HARNESS_MAILBOX_H

#include <stdint.h>

#include "plan.h"

#define MAILBOX_MAGIC_WORD UINT32_C(0x424D5052) /* bytes "RPMB" */
/* Of these words, of results and of plans: another version of any of them is another one here. */
#define MAILBOX_VERSION_NOW                                                                        \
    ((uint32_t)HARNESS_PLAN_VERSION << 16 | (uint32_t)HARNESS_RESULT_VERSION << 8 | 1u)
enum { MAILBOX_AREAS_MAX = 8 };

enum harness_mailbox {
    MAILBOX_MAGIC = 0,
    MAILBOX_VERSION = 4,
    MAILBOX_TURN = 8,
    MAILBOX_STATE = 12,       /* enum harness_mailbox_state */
    MAILBOX_STATUS = 16,      /* enum harness_exit of the last plan */
    MAILBOX_BLOCK_BYTES = 20, /* size of the block of results, */
    MAILBOX_BLOCK_CRC = 24,   /* and the CRC-32 of these bytes */
    /* From here on the words are the same in each turn. */
    MAILBOX_WAIT = 28,        /* where the firmware looks for GO, without the Thumb bit */
    MAILBOX_PLAN = 32,        /* where the host writes plans, */
    MAILBOX_PLAN_ROOM = 36,   /* and how much room is there, in bytes */
    MAILBOX_BUFFER = 40,      /* a block of results, */
    MAILBOX_BUFFER_ROOM = 44, /* and its largest size */
    MAILBOX_CLOCK_HZ = 48,    /* of the counter; 0: the host has to know */
    MAILBOX_IMAGES = 52,      /* enum harness_mailbox_images: what the firmware installs */
    MAILBOX_AREA_COUNT = 56,  /* memory that the host may use; 0: the host has to know */
    MAILBOX_AREAS = 60,       /* MAILBOX_AREAS_MAX times MAILBOX_AREA_BYTES */
    MAILBOX_CRC = 156,        /* of the words above */
    /* Words of the host, in a cache line of their own. */
    MAILBOX_GO = 160,         /* = TURN: go on */
    MAILBOX_PLAN_BYTES = 164, /* of the plan, when STATE is READY */
    MAILBOX_PLAN_CRC = 168,
    MAILBOX_BYTES = 192
};

enum harness_mailbox_area {
    MAILBOX_AREA_ADDRESS = 0,
    MAILBOX_AREA_SIZE = 4,  /* bytes */
    MAILBOX_AREA_FLAGS = 8, /* enum harness_mailbox_area_flags */
    MAILBOX_AREA_BYTES = 12
};
enum harness_mailbox_area_flags {
    MAILBOX_AREA_EXECUTE = 1, /* code can run there */
    MAILBOX_AREA_NPU = 2      /* the NPU can read and write it */
};

enum harness_mailbox_images { MAILBOX_IMAGES_CORTEX_M = 1, MAILBOX_IMAGES_NEURAL_ART = 2 };

enum harness_mailbox_state {
    MAILBOX_READY = 1, /* waits for a plan; the block is the rest of the last one's results */
    MAILBOX_MORE = 2,  /* a plan is under way; the block is full */
    MAILBOX_OVER = 3   /* after a fault: nothing follows */
};

#endif
