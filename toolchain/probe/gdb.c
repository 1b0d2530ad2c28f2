/* SPDX-License-Identifier: Apache-2.0 */
/* A client of the GDB remote serial protocol: see gdb.h. */
#include "toolchain/probe/gdb.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "toolchain/probe/session.h"

#define CONNECT_S 20.0
#define STOP_S    4.0 /* an interrupted core stops at once, or never */
#define ANSWER_S  1.0
#define SLOW_S    60.0 /* commands of the server: a reset waits for the board */

/* ---- connecting ---- */

/* The packet has the form of rp_fits_stop. */
static struct rp_gdb_stop stop_of(const struct rp_reply *reply) {
    struct rp_gdb_stop stop = {.how = RP_GDB_STOPPED};
    uint8_t number = 0;
    if (reply->data[0] == 'W' || reply->data[0] == 'X')
        stop.how = RP_GDB_GONE;
    else if (rp_packet_unhex(&number, reply->data + 1, 1))
        stop.signal = number;
    return stop;
}

static bool ask_state(struct rp_gdb *gdb, const char *head, const char *what,
                      struct rp_error *err) {
    const struct rp_request request = {.head = head,
                                       .fits = rp_fits_stop,
                                       .what = what,
                                       .hint = "is the board powered, and connected to the probe?",
                                       .seconds = CONNECT_S,
                                       .once = true};
    struct rp_reply reply;
    if (!rp_talk_ask_alone(&gdb->talk, &request, &reply, err) ||
        !rp_talk_accepted(&gdb->talk, &request, &reply, err))
        return false;
    struct rp_gdb_stop stop = stop_of(&reply);
    gdb->is_gone = stop.how == RP_GDB_GONE;
    gdb->signal = stop.signal;
    return true;
}

static double connect_time(const struct rp_gdb_times *times) {
    return times != NULL && times->connect_s > 0 ? times->connect_s : CONNECT_S;
}

struct rp_gdb *rp_gdb_open(struct rp_arena *arena, const struct rp_wire *wire,
                           const struct rp_gdb_times *times, struct rp_error *err) {
    struct rp_gdb *gdb = rp_alloc(arena, 1, sizeof *gdb);
    gdb->arena = arena;
    gdb->talk.wire = *wire;
    gdb->talk.answer_s = times != NULL && times->answer_s > 0 ? times->answer_s : ANSWER_S;
    gdb->talk.silent_s = times != NULL ? times->silent_s : 0;
    if (rp_session_open(gdb, connect_time(times) / 4, err) &&
        ask_state(gdb, "?", "ask for the target's state", err))
        return gdb;
    rp_gdb_close(gdb);
    return NULL;
}

struct rp_gdb *rp_gdb_connect(struct rp_arena *arena, const char *where,
                              const struct rp_gdb_times *times, struct rp_error *err) {
    struct rp_wire wire;
    return rp_wire_open(&wire, arena, where, connect_time(times), err)
               ? rp_gdb_open(arena, &wire, times, err)
               : NULL;
}

void rp_gdb_close(struct rp_gdb *gdb) {
    if (gdb != NULL)
        rp_wire_close(&gdb->talk.wire);
}

struct rp_gdb_stop rp_gdb_state(const struct rp_gdb *gdb) {
    return (struct rp_gdb_stop){.how = gdb->is_gone ? RP_GDB_GONE : RP_GDB_STOPPED,
                                .signal = gdb->signal};
}

void rp_gdb_limit(struct rp_gdb *gdb, double seconds) {
    gdb->talk.end = seconds != 0 ? rp_wire_now(&gdb->talk.wire) + seconds : 0;
}

void rp_gdb_hurry(struct rp_gdb *gdb, double seconds) {
    gdb->talk.wire.is_deaf = true;
    gdb->talk.heard = rp_wire_now(&gdb->talk.wire);
    rp_gdb_limit(gdb, seconds);
}

/* ---- commands ---- */

bool rp_gdb_attach(struct rp_gdb *gdb, unsigned number, struct rp_error *err) {
    char head[32];
    (void)snprintf(head, sizeof head, "vAttach;%x", number);
    return ask_state(gdb, head, "attach to the target", err);
}

bool rp_gdb_detach(struct rp_gdb *gdb, struct rp_error *err) {
    const struct rp_request request = {
        .head = "D", .fits = rp_fits_ok, .what = "detach from the target", .once = true};
    struct rp_reply reply;
    struct rp_talk *talk = &gdb->talk;
    /* without a mark, because the server may have ended the session */
    return rp_talk_begin(talk, request.what, err) &&
           (rp_talk_ask(talk, &request, &reply, talk->own) || rp_talk_tell(talk, err)) &&
           rp_talk_accepted(talk, &request, &reply, err);
}

static bool fits_output(const struct rp_request *request, const uint8_t *answer, size_t len) {
    for (size_t i = 0; i < len; i++)
        if (rp_packet_digit(answer[i]) == 0xFF)
            return rp_fits_ok(request, answer, len);
    return len % 2 == 0;
}

bool rp_gdb_monitor(struct rp_gdb *gdb, const char *command, struct rp_buf *output,
                    struct rp_error *err) {
    struct rp_talk *talk = &gdb->talk;
    size_t len = strlen(command);
    char *head = rp_alloc(gdb->arena, 2 * len + sizeof "qRcmd,", 1);
    struct rp_buf printed = {.arena = gdb->arena};
    struct rp_reply reply;
    const struct rp_request request = {
        .head = head,
        .fits = fits_output,
        .what = rp_format(gdb->arena, "run its command '%s'", rp_printable(gdb->arena, command)),
        .seconds = SLOW_S,
        .once = true};
    rp_packet_hex(stpcpy(head, "qRcmd,"), (const uint8_t *)command, len);
    talk->console = &printed;
    bool ok = rp_talk_ask_alone(talk, &request, &reply, err);
    talk->console = NULL;
    if (ok && !rp_talk_is_refusal(&reply) && reply.data[0] != 'O') {
        uint8_t *text = rp_alloc(gdb->arena, reply.len / 2 + 1, 1);
        if (rp_packet_unhex(text, reply.data, reply.len / 2))
            rp_buf_append(&printed, text, reply.len / 2);
    }
    if (ok && output != NULL)
        rp_buf_append(output, rp_buf_text(&printed), printed.len);
    if (!ok || rp_talk_accepted(talk, &request, &reply, err))
        return ok;
    return printed.len != 0 &&
           rp_hint(err, "%.400s", rp_printable_lines(gdb->arena, rp_buf_text(&printed)));
}

/* ---- running ---- */

bool rp_gdb_break(struct rp_gdb *gdb, const struct rp_gdb_breakpoint *at, bool on, bool *supported,
                  struct rp_error *err) {
    char head[32], what[64];
    const struct rp_request request = {.head = head, .fits = rp_fits_ok, .what = what};
    struct rp_reply reply;
    (void)snprintf(head, sizeof head, "%c%d,%x,2", on ? 'Z' : 'z', at->is_hardware,
                   (unsigned)at->address);
    (void)snprintf(what, sizeof what, "%s the breakpoint at 0x%08x", on ? "set" : "remove",
                   (unsigned)at->address);
    if (!rp_talk_ask_alone(&gdb->talk, &request, &reply, err))
        return false;
    *supported = reply.len != 0;
    return !*supported || rp_talk_accepted(&gdb->talk, &request, &reply, err);
}

bool rp_gdb_continue(struct rp_gdb *gdb, struct rp_error *err) {
    return rp_talk_go(&gdb->talk, &(struct rp_request){.head = "c", .what = "run the target"}, err);
}

bool rp_gdb_wait(struct rp_gdb *gdb, double seconds, struct rp_buf *console,
                 struct rp_gdb_stop *stop, struct rp_error *err) {
    struct rp_reply reply;
    gdb->talk.console = console;
    bool ok = rp_talk_wait_stop(&gdb->talk, seconds, &reply, err);
    gdb->talk.console = NULL;
    *stop = (struct rp_gdb_stop){.how = RP_GDB_RUNNING};
    if (ok && reply.data != NULL)
        *stop = stop_of(&reply);
    return ok;
}

bool rp_gdb_interrupt(struct rp_gdb *gdb, struct rp_gdb_stop *stop, struct rp_error *err) {
    if (!rp_talk_break(&gdb->talk, err) || !rp_gdb_wait(gdb, STOP_S, NULL, stop, err))
        return false;
    /* If its packet was lost, or the target had stopped already, the server answers again. */
    if (stop->how == RP_GDB_RUNNING && rp_talk_begin(&gdb->talk, "interrupt the target", err) &&
        rp_talk_end(&gdb->talk, err))
        *stop = (struct rp_gdb_stop){.how = RP_GDB_STOPPED};
    return stop->how != RP_GDB_RUNNING;
}
