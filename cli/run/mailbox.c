/* SPDX-License-Identifier: Apache-2.0 */
/* Plans and results through a mailbox: see mailbox.h. */
#include "cli/run/mailbox.h"

#include <string.h>

#include "elfpack/image/integrity.h"
#include "templates/harness/plan.h"
#include "toolchain/compile/process.h"
#include "toolchain/probe/memory.h"
#include "toolchain/probe/registers.h"

enum { TRIES = 5, BEGIN_S = 10, BLOCK_MAX = 1 << 20 };
/* Without a breakpoint: pauses between two looks at the mailbox. */
#define FIRST_LOOK_S   0.01
#define LONGEST_LOOK_S 0.5
/* With one: a wire may lose the news that the core has stopped, which no server tells twice. */
#define LOST_STOP_S 20.0
/* What there is of time after a turn's to stop the core and to ask where it is. */
#define LATE_S 3.0

static uint32_t word(const struct rp_mailbox *mailbox, enum harness_mailbox at) {
    return rp_get_le32(mailbox->words + at);
}

uint32_t rp_mailbox_word(const struct rp_mailbox *mailbox, uint32_t at) {
    return rp_get_le32(mailbox->words + at);
}

uint32_t rp_mailbox_plan_room(const struct rp_mailbox *mailbox) {
    return word(mailbox, MAILBOX_PLAN_ROOM);
}

uint32_t rp_mailbox_wait_at(const struct rp_mailbox *mailbox) {
    return word(mailbox, MAILBOX_WAIT);
}

/* ---- the firmware's words ---- */

static bool has_words(const struct rp_mailbox *mailbox) {
    return word(mailbox, MAILBOX_MAGIC) == MAILBOX_MAGIC_WORD &&
           word(mailbox, MAILBOX_CRC) == rp_crc32_bytes(mailbox->words, MAILBOX_CRC);
}

/* A firmware clears the host's words when it starts. */
static bool has_restarted(const struct rp_mailbox *mailbox) {
    return mailbox->has_answered && word(mailbox, MAILBOX_GO) != mailbox->answered;
}

/*
 * Reads the firmware's words; a turn that is not over yet, or memory that is none of a firmware,
 * gives *turn = 0. What the wire damaged is read again.
 */
static bool read_words(struct rp_mailbox *mailbox, uint32_t *turn, struct rp_error *err) {
    *turn = 0;
    for (unsigned i = 0; i < TRIES && (*turn == 0 || has_restarted(mailbox)); i++) {
        if (!rp_gdb_read(mailbox->gdb, mailbox->address, mailbox->words, sizeof mailbox->words,
                         err))
            return false;
        if (has_words(mailbox))
            *turn = word(mailbox, MAILBOX_TURN);
    }
    return *turn == 0 || !has_restarted(mailbox) ||
           rp_fail(err, RP_E_BOARD,
                   "the firmware has started again in the middle of a plan: a fault, a watchdog or "
                   "a reset");
}

static bool stop(struct rp_mailbox *mailbox, struct rp_error *err) {
    struct rp_gdb_stop how;
    if (!rp_gdb_interrupt(mailbox->gdb, &how, err))
        return false;
    mailbox->is_running = false;
    return how.how == RP_GDB_STOPPED ||
           rp_fail(err, RP_E_BOARD, "the GDB server says that the target is gone");
}

static bool check_version(const struct rp_mailbox *mailbox, struct rp_error *err) {
    return word(mailbox, MAILBOX_VERSION) == MAILBOX_VERSION_NOW ||
           rp_fail(err, RP_E_BOARD, "the firmware's mailbox has version 0x%06x, this is for 0x%06x",
                   word(mailbox, MAILBOX_VERSION), MAILBOX_VERSION_NOW);
}

/* The time of a plan is over. */
static bool fail_late(struct rp_mailbox *mailbox, unsigned seconds, struct rp_error *err) {
    uint32_t pc = 0, xpsr = 0;
    if ((mailbox->is_running && !stop(mailbox, err)) ||
        !rp_gdb_get_register(mailbox->gdb, "pc", &pc, err) ||
        !rp_gdb_get_register(mailbox->gdb, "xpsr", &xpsr, err) ||
        (word(mailbox, MAILBOX_MAGIC) == MAILBOX_MAGIC_WORD && !check_version(mailbox, err)))
        return false;
    mailbox->stopped_at = pc;
    mailbox->exception = xpsr & 0x1FF;
    return has_words(mailbox)
               ? rp_fail(err, RP_E_BOARD,
                         "the core did not answer within %u seconds: it is at pc 0x%08x", seconds,
                         pc)
               : rp_fail(err, RP_E_BOARD,
                         "there is no mailbox at 0x%08x, or its words are damaged: after %u "
                         "seconds the core is at pc 0x%08x",
                         mailbox->address, seconds, pc);
}

/* Waits for the core to stop by itself, at most for that time. */
static bool wait_a_while(struct rp_mailbox *mailbox, double seconds, struct rp_error *err) {
    struct rp_gdb_stop how;
    if (!rp_gdb_wait(mailbox->gdb, seconds, NULL, &how, err))
        return false;
    if (how.how == RP_GDB_GONE)
        return rp_fail(err, RP_E_BOARD, "the GDB server says that the target is gone");
    mailbox->is_running = how.how == RP_GDB_RUNNING;
    return true;
}

/* The core may have stopped at a breakpoint of somebody else. */
static bool tell_of_stop(const struct rp_mailbox *mailbox, struct rp_error *err) {
    uint32_t pc;
    if (mailbox->stops == NULL || mailbox->is_running)
        return true;
    return rp_gdb_get_register(mailbox->gdb, "pc", &pc, err) &&
           (pc == word(mailbox, MAILBOX_WAIT) ||
            mailbox->stops->at(mailbox->stops->context, pc, err));
}

/* Lets the core run, from behind the breakpoint when it stands there. */
static bool resume(struct rp_mailbox *mailbox, struct rp_error *err) {
    uint32_t pc, wait = word(mailbox, MAILBOX_WAIT);
    if (mailbox->has_breakpoint) {
        if (!rp_gdb_get_register(mailbox->gdb, "pc", &pc, err) ||
            (pc == wait && !rp_gdb_set_register(mailbox->gdb, "pc", wait + 2, err)))
            return false;
    }
    mailbox->is_running = true;
    return rp_gdb_continue(mailbox->gdb, err);
}

static bool await_turn(struct rp_mailbox *mailbox, uint32_t last, unsigned seconds,
                       struct rp_error *err) {
    const double end = rp_process_now() + seconds;
    double look = mailbox->has_breakpoint ? LOST_STOP_S : FIRST_LOOK_S;
    uint32_t turn = last;
    while (turn == last || turn == 0) {
        double left = end - rp_process_now();
        if (left <= 0)
            return fail_late(mailbox, seconds, err);
        if (!mailbox->is_running && !resume(mailbox, err))
            return false;
        double pause = left < look ? left : look;
        if (!mailbox->has_breakpoint)
            look = look * 2 < LONGEST_LOOK_S ? look * 2 : LONGEST_LOOK_S;
        if (!wait_a_while(mailbox, pause, err) || !tell_of_stop(mailbox, err) ||
            (mailbox->is_running && !stop(mailbox, err)) || !read_words(mailbox, &turn, err))
            return false;
    }
    return true;
}

/*
 * Lets the core run until its next turn, which it has to reach within that time. A server that
 * garbles its answers does not prolong it.
 */
static bool next_turn(struct rp_mailbox *mailbox, uint32_t last, unsigned seconds,
                      struct rp_error *err) {
    rp_gdb_limit(mailbox->gdb, seconds + LATE_S);
    bool ok = await_turn(mailbox, last, seconds, err);
    rp_gdb_limit(mailbox->gdb, 0);
    return ok;
}

/* ---- a turn ---- */

/*
 * Writes the first words of the host, GO as the last of them, and sees that they have arrived.
 */
static bool answer(struct rp_mailbox *mailbox, const uint32_t *words, size_t count,
                   struct rp_error *err) {
    const uint32_t go = mailbox->address + MAILBOX_GO;
    uint8_t bytes[12], back[12];
    mailbox->answered = words[0];
    mailbox->has_answered = true;
    for (size_t i = 0; i < count; i++)
        rp_put_le32((char *)bytes + 4 * i, words[i]);
    for (unsigned i = 0; i < TRIES; i++) {
        if ((count > 1 && !rp_gdb_write(mailbox->gdb, go + 4, bytes + 4, 4 * (count - 1), err)) ||
            !rp_gdb_write(mailbox->gdb, go, bytes, 4, err) ||
            !rp_gdb_read(mailbox->gdb, go, back, 4 * count, err))
            return false;
        if (memcmp(bytes, back, 4 * count) == 0)
            return true;
    }
    return rp_fail(err, RP_E_BOARD, "the memory at 0x%08x does not hold what is written there", go);
}

/* Reads the block of results that belongs to this turn. */
static bool take_block(struct rp_mailbox *mailbox, struct rp_buf *results, struct rp_error *err) {
    uint32_t size = word(mailbox, MAILBOX_BLOCK_BYTES);
    if (size > word(mailbox, MAILBOX_BUFFER_ROOM) || size > BLOCK_MAX)
        return rp_fail(err, RP_E_BOARD, "the firmware announces a block of %u bytes", size);
    uint8_t *block = rp_alloc(mailbox->arena, size + 1, 1);
    for (unsigned i = 0; i < TRIES; i++) {
        if (size != 0 &&
            !rp_gdb_read(mailbox->gdb, word(mailbox, MAILBOX_BUFFER), block, size, err))
            return false;
        if (rp_crc32_bytes(block, size) == word(mailbox, MAILBOX_BLOCK_CRC)) {
            rp_buf_append(results, block, size);
            return true;
        }
    }
    return rp_fail(err, RP_E_BOARD, "a block of results does not have its CRC-32 after %d tries",
                   TRIES);
}

static bool send_plan(struct rp_mailbox *mailbox, const struct rp_buf *plan, struct rp_error *err) {
    const uint32_t words[] = {word(mailbox, MAILBOX_TURN), (uint32_t)plan->len,
                              rp_crc32_bytes((const uint8_t *)plan->data, plan->len)};
    return rp_gdb_write(mailbox->gdb, word(mailbox, MAILBOX_PLAN), plan->data, plan->len, err) &&
           answer(mailbox, words, 3, err);
}

/* Carries out one plan; *arrived is false when the firmware got another one than was sent. */
static bool carry_out(struct rp_mailbox *mailbox, const struct rp_buf *plan, struct rp_buf *results,
                      bool *arrived, struct rp_error *err) {
    uint32_t turn = word(mailbox, MAILBOX_TURN), state;
    if (!send_plan(mailbox, plan, err))
        return false;
    do {
        if (!next_turn(mailbox, turn, mailbox->timeout_s, err))
            return false;
        turn = word(mailbox, MAILBOX_TURN);
        state = word(mailbox, MAILBOX_STATE);
        *arrived = word(mailbox, MAILBOX_STATUS) != HARNESS_EXIT_PLAN;
        if (!take_block(mailbox, results, err) ||
            (state == MAILBOX_MORE && !answer(mailbox, &turn, 1, err)))
            return false;
    } while (state == MAILBOX_MORE);
    return true;
}

static bool fail_counter(struct rp_error *err) {
    rp_fail(err, RP_E_BOARD, "SysTick does not count what the board's \"counter\" says");
    return rp_hint(err, "\"instructions\" needs QEMU with -icount shift=6, as --server qemu starts "
                        "it; a real core counts \"cycles\"");
}

bool rp_mailbox_carry_out(struct rp_mailbox *mailbox, const struct rp_buf *plan,
                          struct rp_buf *results, struct rp_error *err) {
    const size_t before = results->len;
    if (word(mailbox, MAILBOX_STATE) != MAILBOX_READY)
        return rp_fail(err, RP_E_BOARD, "the firmware has ended after a fault");
    if (plan->len > rp_mailbox_plan_room(mailbox))
        return rp_fail(err, RP_E_BOARD, "a plan of %zu bytes does not fit in the firmware's %u",
                       plan->len, rp_mailbox_plan_room(mailbox));
    for (unsigned i = 0; i < TRIES; i++) {
        bool arrived = false;
        if (!carry_out(mailbox, plan, results, &arrived, err))
            return false;
        if (arrived)
            return word(mailbox, MAILBOX_STATUS) != HARNESS_EXIT_COUNTER || fail_counter(err);
        results->len = before;
    }
    return rp_fail(err, RP_E_BOARD, "the firmware did not accept its plan after %d tries", TRIES);
}

/* Where the firmware looks for an answer. */
static bool break_at_wait(struct rp_mailbox *mailbox, struct rp_error *err) {
    return rp_gdb_break(mailbox->gdb,
                        &(struct rp_gdb_breakpoint){.address = word(mailbox, MAILBOX_WAIT)}, true,
                        &mailbox->has_breakpoint, err);
}

static unsigned begin_time(const struct rp_mailbox *mailbox) {
    return mailbox->timeout_s < BEGIN_S ? mailbox->timeout_s : BEGIN_S;
}

bool rp_mailbox_begin(struct rp_mailbox *mailbox, struct rp_error *err) {
    static const uint8_t zeros[sizeof mailbox->words];
    mailbox->has_breakpoint = false;
    mailbox->is_running = true;
    /* an earlier run may have left a mailbox there */
    if (!rp_gdb_write(mailbox->gdb, mailbox->address, zeros, sizeof zeros, err) ||
        !rp_gdb_verify(mailbox->gdb, mailbox->address, zeros, sizeof zeros, err) ||
        !rp_gdb_continue(mailbox->gdb, err) || !next_turn(mailbox, 0, begin_time(mailbox), err))
        return false;
    return check_version(mailbox, err) && break_at_wait(mailbox, err);
}

bool rp_mailbox_join(struct rp_mailbox *mailbox, struct rp_error *err) {
    uint32_t turn;
    if (!read_words(mailbox, &turn, err) ||
        (turn == 0 && !next_turn(mailbox, 0, begin_time(mailbox), err)) ||
        !check_version(mailbox, err) || !break_at_wait(mailbox, err))
        return false;
    for (;;) {
        turn = word(mailbox, MAILBOX_TURN);
        const bool is_answered = word(mailbox, MAILBOX_GO) == turn;
        if (!is_answered && word(mailbox, MAILBOX_STATE) == MAILBOX_READY)
            return true;
        if ((!is_answered && !answer(mailbox, &turn, 1, err)) ||
            !next_turn(mailbox, turn, mailbox->timeout_s, err))
            return false;
    }
}
