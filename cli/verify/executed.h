/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which instructions of an image were executed, by QEMU's log of what it translates (-d in_asm): a
 * block is translated when it is about to be executed. In: the text of the log. Out: a mark for
 * each instruction. Pure.
 */
#ifndef RP_CLI_VERIFY_EXECUTED_H
#define RP_CLI_VERIFY_EXECUTED_H

#include <stddef.h>
#include <stdint.h>

#include "toolchain/compile/board.h"

struct rp_executed {
    const uint8_t *code; /* of the image, from its first byte */
    uint32_t size;
    struct rp_area areas[2]; /* where it is executed: in place, or in the RAM of both instances */
    size_t area_count;
    uint8_t
        *begins; /* for each half-word, size / 2 + 1: does an executed instruction begin here? */
};
/* Takes the text of a log. */
void rp_executed_take(struct rp_executed *log, const char *text, size_t size);
/* Bytes of all instructions that were executed. */
uint32_t rp_executed_bytes(const struct rp_executed *log);

#endif
