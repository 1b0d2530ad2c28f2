/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the log that QEMU writes with -d exec,nochain,op while it runs: which blocks it translates,
 * and each time that one is executed. In: pieces of the text. Out: calls (calls.h). Memory does not
 * grow with the length of the log.
 *
 * "op" shows a line for each instruction of a block, once when it is translated; "exec" a line each
 * time it is executed. With -icount an execution may be taken back, as a whole because the time for
 * a timer has come, or from an instruction on that accesses a device; lines say that, too.
 */
#ifndef RP_CLI_PROFILE_EXECUTION_H
#define RP_CLI_PROFILE_EXECUTION_H

#include "cli/profile/calls.h"

struct rp_block_slot {
    uint64_t place;         /* in the emulator's memory; one block may run at several addresses */
    struct rp_block *block; /* NULL: free */
};

enum { RP_EXECUTION_LINE_MAX = 256 }; /* what is behind that in a line is not looked at */

/* Zero-initialise, with calls, gate and gate_size. */
struct rp_execution {
    struct rp_call_tree *calls;
    uint32_t gate, gate_size; /* where the function lies that measured calls are made by */
    char line[RP_EXECUTION_LINE_MAX];
    size_t line_len;        /* of the line that a piece ended in; above the maximum: of more */
    uint32_t translated;    /* instructions of the block translated last, until it is executed */
    uint32_t translated_at; /* the lower bits of its address */
    struct rp_block_slot *slots; /* blocks by their place in the emulator's memory */
    size_t slot_count, used;     /* slot_count: a power of two, or 0 */
    struct rp_block *pending;    /* executed, unless the next line takes it back */
    uint64_t bytes, blocks;      /* of the log; executed */
    const char *wrong;           /* what is wrong with the log, or NULL */
};

/* The next piece of the text. False: wrong, or a limit of calls, says why no more is wanted. */
bool rp_execution_take(struct rp_execution *log, const char *bytes, size_t size);
/* After the last piece. False as above. */
bool rp_execution_end(struct rp_execution *log);

#endif
