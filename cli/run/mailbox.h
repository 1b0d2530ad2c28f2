/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exchanges plans and results with the firmware on a board, through its mailbox
 * (templates/harness/mailbox.h) and a GDB server. Everything that is transferred is confirmed by a
 * CRC-32; what does not match is transferred again, a few times.
 */
#ifndef RP_CLI_RUN_MAILBOX_H
#define RP_CLI_RUN_MAILBOX_H

#include "base/buf.h"
#include "templates/harness/mailbox.h"
#include "toolchain/compile/board.h"
#include "toolchain/probe/gdb.h"

/* Called when the core has stopped at a breakpoint that is not the mailbox's. */
struct rp_mailbox_stops {
    bool (*at)(void *context, uint32_t pc, struct rp_error *err);
    void *context;
};

struct rp_mailbox {
    struct rp_gdb *gdb;
    struct rp_arena *arena;
    uint32_t address;              /* of relocpack_mailbox */
    unsigned timeout_s;            /* of one plan */
    bool has_breakpoint;           /* at WAIT; else the core is stopped from time to time to look */
    bool is_running;               /* the core runs */
    uint8_t words[MAILBOX_GO + 4]; /* of the firmware, in its last turn, and the host's first */
    bool has_answered;             /* GO was written here: */
    uint32_t answered;             /* it still has to be that */
    uint32_t stopped_at;           /* pc when a plan took too long, or 0 */
    uint32_t exception;            /* the core was in the handler of, or 0 */
    const struct rp_mailbox_stops *stops; /* or NULL: there are none */
};

/*
 * The core is stopped, its pc at the entry of the firmware. Lets it run to its first turn.
 * RP_E_BOARD: the firmware does not get there, within ten seconds.
 */
bool rp_mailbox_begin(struct rp_mailbox *mailbox, struct rp_error *err);
/*
 * The core is stopped, in a firmware that has the mailbox and goes on doing other things. Waits
 * until it is ready for a plan; what another host has left is carried out and dropped. RP_E_BOARD:
 * there is no mailbox within ten seconds, or it has another version.
 */
bool rp_mailbox_join(struct rp_mailbox *mailbox, struct rp_error *err);
/*
 * Has a plan carried out. results gets the records (those of result.bin). RP_E_BOARD: the time is
 * over, or a transfer was damaged again and again; a fault of the core is no error here, it is a
 * record.
 */
bool rp_mailbox_carry_out(struct rp_mailbox *mailbox, const struct rp_buf *plan,
                          struct rp_buf *results, struct rp_error *err);
/* A word of the firmware. */
uint32_t rp_mailbox_word(const struct rp_mailbox *mailbox, uint32_t at);
/* Where the breakpoint is. */
uint32_t rp_mailbox_wait_at(const struct rp_mailbox *mailbox);
/* Room for a plan in bytes. */
uint32_t rp_mailbox_plan_room(const struct rp_mailbox *mailbox);

#endif
