/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a debugger and a firmware exchange plans and results (plan.h): little-endian u32 words in the
 * target's RAM, at the symbol relocpack_mailbox. The debugger needs nothing but memory and the
 * possibility to stop the core. Shared by host and firmware.
 *
 * Turns. The firmware fills in its words, adds one to TURN and waits. The host stops the core,
 * reads the words and the block in BUFFER, answers in its own words, last of all GO = TURN, and
 * lets the core continue. Everything has a CRC-32 (zlib's): the firmware's words, each block of
 * results, the plan. What does not match is read or written again.
 *
 * The instruction at WAIT begins the waiting loop. It does nothing: a host that has put a
 * breakpoint there continues behind it, at WAIT + 2. Without breakpoints the host stops the core
 * from time to time and looks whether TURN has changed.
 */
#ifndef HARNESS_MAILBOX_H
#define HARNESS_MAILBOX_H

#include <stdint.h>

#define MAILBOX_MAGIC_WORD UINT32_C(0x424D5052) /* bytes "RPMB" */
enum { MAILBOX_VERSION_NOW = 1, MAILBOX_AREAS_MAX = 8 };

enum harness_mailbox {
    MAILBOX_MAGIC = 0,
    MAILBOX_VERSION = 4,
    MAILBOX_TURN = 8,
    MAILBOX_STATE = 12,       /* enum harness_mailbox_state */
    MAILBOX_STATUS = 16,      /* enum harness_exit of the last plan */
    MAILBOX_WAIT = 20,        /* address of the waiting loop, without the Thumb bit */
    MAILBOX_PLAN = 24,        /* where the host writes plans, */
    MAILBOX_PLAN_ROOM = 28,   /* and how much room is there, in bytes */
    MAILBOX_BUFFER = 32,      /* a block of results, */
    MAILBOX_BUFFER_ROOM = 36, /* its largest size, */
    MAILBOX_BLOCK_BYTES = 40, /* its size, */
    MAILBOX_BLOCK_CRC = 44,   /* and the CRC-32 of these bytes */
    MAILBOX_CLOCK_HZ = 48,    /* of the core; 0: the host has to know */
    MAILBOX_AREA_COUNT = 52,  /* memory that the host may use; 0: the host has to know */
    MAILBOX_AREAS = 56,       /* MAILBOX_AREAS_MAX times address, size in bytes */
    MAILBOX_CRC = 120,        /* of the words above */
    /* Words of the host, in a cache line of their own. */
    MAILBOX_GO = 128,         /* = TURN: go on */
    MAILBOX_PLAN_BYTES = 132, /* of the plan, when STATE is READY */
    MAILBOX_PLAN_CRC = 136,
    MAILBOX_BYTES = 160
};

enum harness_mailbox_state {
    MAILBOX_READY = 1, /* waits for a plan; the block is the rest of the last one's results */
    MAILBOX_MORE = 2,  /* a plan is under way; the block is full */
    MAILBOX_OVER = 3   /* after a fault: nothing follows */
};

#endif
