/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware's side of the mailbox (mailbox.h): turns, and the results of a plan (host.h).
 * Debuggers read and write memory behind the back of the core's caches, so the data cache is
 * written back and emptied before and after the host's part of a turn, and instructions are fetched
 * anew.
 */
#ifndef HARNESS_TURN_H
#define HARNESS_TURN_H

#include <stdbool.h>
#include <stdint.h>

#include "mailbox.h"
#include "part.h"

struct turn_area {
    uint32_t address;
    uint32_t size_bytes;
    uint32_t flags; /* enum harness_mailbox_area_flags */
};

struct turn_settings {
    uint32_t plan_room; /* bytes at harness_plan */
    uint8_t *buffer;    /* for a block of results: a multiple of 32, as is its size */
    uint32_t buffer_room;
    uint32_t clock_hz;
    uint32_t images; /* enum harness_mailbox_images */
    const struct turn_area *areas;
    uint32_t area_count; /* MAILBOX_AREAS_MAX at most */
    uint32_t patience;   /* looks for an answer in the middle of a plan; 0: without end */
};

PART void turn_enable_caches(void);
/* Fills in the words that are the same in each turn. The settings stay in use. */
PART void turn_begin(const struct turn_settings *settings);
/* A turn of the firmware; status is that of the last plan (enum harness_exit). */
PART void turn_offer(enum harness_mailbox_state state, uint32_t status);
/* Looks once whether the host has answered; to be asked again if not. */
PART bool turn_is_answered(void);
/* After the answer to a turn in state READY: is the plan as the host sent it? */
PART bool turn_has_plan(void);

#endif
