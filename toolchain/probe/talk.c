/* SPDX-License-Identifier: Apache-2.0 */
/* Sends requests and receives answers: see talk.h. */
#include "toolchain/probe/talk.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"

enum {
    TRIES = 4,       /* of one request */
    WORK_TRIES = 16, /* of a piece of work */
    MARK_MIN = 24,
    FIRST_PACKET_MAX = 400, /* until the server states its limit, as in GDB */
    PENDING_MAX = 1 << 20,
    SHOWN_MAX = 200
};

enum event { FAILED, TIME_OVER, ACK, NAK, PACKET };

void rp_talk_open(struct rp_talk *talk, struct rp_arena *arena) {
    talk->arena = arena;
    talk->packet_max = FIRST_PACKET_MAX;
    talk->reader.room = RP_TALK_MAX;
    talk->reader.body = rp_alloc(arena, RP_TALK_MAX + 1, 1);
    talk->kept = rp_alloc(arena, RP_TALK_MAX + 1, 1);
    talk->frame = (uint8_t *)rp_alloc(arena, RP_TALK_MAX + RP_PACKET_FRAME + 2, 1) + 1;
    talk->own = rp_alloc(arena, 1, sizeof *talk->own);
    talk->is_clean = true;
}

/* ---- forms of answers ---- */

static bool is(const uint8_t *answer, size_t len, const char *text) {
    return len == strlen(text) && memcmp(answer, text, len) == 0;
}

static bool refuses(const uint8_t *answer, size_t len) {
    return len == 0 || (answer[0] == 'E' && (len == 3 || (len > 1 && answer[1] == '.')));
}

bool rp_talk_is_refusal(const struct rp_reply *reply) {
    return refuses(reply->data, reply->len);
}

bool rp_fits_ok(const struct rp_request *request, const uint8_t *answer, size_t len) {
    (void)request;
    return is(answer, len, "OK");
}

bool rp_fits_hex(const struct rp_request *request, const uint8_t *answer, size_t len) {
    return len == 2 * request->want && (rp_packet_digit(answer[0]) != 0xFF || answer[0] == 'x');
}

bool rp_fits_xfer(const struct rp_request *request, const uint8_t *answer, size_t len) {
    return len != 0 && len - 1 <= request->want &&
           (answer[0] == 'l' || (answer[0] == 'm' && len > 1));
}

bool rp_talk_is_stop(const uint8_t *answer, size_t len) {
    return len >= 3 && strchr("STWX", answer[0]) != NULL && rp_packet_digit(answer[1]) != 0xFF &&
           rp_packet_digit(answer[2]) != 0xFF && (len == 3 || answer[0] != 'S');
}

bool rp_fits_stop(const struct rp_request *request, const uint8_t *answer, size_t len) {
    (void)request;
    return rp_talk_is_stop(answer, len);
}

static bool is_console(const uint8_t *answer, size_t len) {
    return len % 2 == 1 && answer[0] == 'O';
}

static void print(struct rp_talk *talk) {
    size_t count = (talk->reader.len - 1) / 2;
    struct rp_buf *to = talk->console;
    uint8_t *text = talk->kept;
    if (to != NULL && to->len + count <= RP_TALK_CONSOLE_MAX &&
        rp_packet_unhex(text, talk->reader.body + 1, count))
        rp_buf_append(to, text, count);
}

/* ---- one packet ---- */

static bool give_up(struct rp_talk *talk) {
    talk->has_given_up = true;
    return false;
}

static double deadline(const struct rp_talk *talk, double seconds) {
    double until = rp_wire_now(&talk->wire) + seconds;
    return talk->end != 0 && talk->end < until ? talk->end : until;
}

/* The same where the server has to answer. */
static double answer_deadline(const struct rp_talk *talk, double seconds) {
    double until = deadline(talk, seconds), end = talk->heard + talk->silent_s;
    return talk->silent_s != 0 && end < until ? end : until;
}

static void hear(struct rp_talk *talk) {
    talk->heard = rp_wire_now(&talk->wire);
}

/* The time for an answer, longer with each attempt, so that a slow server is not flooded. */
static double patience(const struct rp_talk *talk, unsigned tries) {
    return talk->answer_s * (double)(1u << tries);
}

static bool send_bytes(struct rp_talk *talk, const void *bytes, size_t size, struct rp_error *err) {
    double until = deadline(talk, patience(talk, TRIES));
    for (; talk->owed != 0; talk->owed--)
        if (!rp_wire_send(&talk->wire, "+", 1, until, err))
            return give_up(talk);
    return rp_wire_send(&talk->wire, bytes, size, until, err) || give_up(talk);
}

/* Sends a packet together with pending acknowledgments. */
static bool send_frame(struct rp_talk *talk, size_t size, struct rp_error *err) {
    if (talk->owed != 1)
        return send_bytes(talk, talk->frame, size, err);
    talk->owed = 0;
    talk->frame[-1] = '+'; /* there is a byte before it for this */
    return send_bytes(talk, talk->frame - 1, size + 1, err);
}

static enum rp_packet_event read_event(struct rp_talk *talk) {
    struct rp_wire *wire = &talk->wire;
    size_t used;
    enum rp_packet_event event =
        rp_packet_read(&talk->reader, wire->input + wire->at, wire->len - wire->at, &used);
    wire->at += used;
    talk->owed += event == RP_PACKET_WHOLE;
    return event;
}

/* The next relevant event. Requests a garbled packet again. */
static enum event next(struct rp_talk *talk, double until, struct rp_error *err) {
    for (;;) {
        if (talk->wire.at == talk->wire.len) {
            if (!send_bytes(talk, "", 0, err))
                return FAILED;
            if (rp_wire_now(&talk->wire) >= until)
                return TIME_OVER;
            if (!rp_wire_receive(&talk->wire, until, err)) {
                (void)give_up(talk);
                return FAILED;
            }
        }
        switch (read_event(talk)) {
        case RP_PACKET_ACK:
            return ACK;
        case RP_PACKET_NAK:
            return NAK;
        case RP_PACKET_WHOLE:
            return PACKET;
        case RP_PACKET_GARBLED:
            talk->is_odd = true;
            if (!send_bytes(talk, "-", 1, err))
                return FAILED;
            break;
        case RP_PACKET_NOTHING:
            break;
        }
    }
}

/* Drops what has arrived, because it cannot answer the next request. */
static bool drop_pending(struct rp_talk *talk, struct rp_error *err) {
    size_t dropped = 0;
    do {
        while (talk->wire.at != talk->wire.len) {
            enum rp_packet_event event = read_event(talk);
            talk->is_odd = talk->is_odd || event == RP_PACKET_WHOLE || event == RP_PACKET_GARBLED;
        }
        if (!rp_wire_look(&talk->wire, err))
            return give_up(talk);
        dropped += talk->wire.len;
    } while (talk->wire.len != 0 && dropped < PENDING_MAX);
    return true;
}

/* ---- the mark ---- */

static bool is_mark(const struct rp_talk *talk, size_t len) {
    const uint8_t *body = talk->reader.body;
    if (!talk->has_mark)
        return talk->reader.len == 0 || (talk->reader.len > 2 && memcmp(body, "QC", 2) == 0);
    return talk->reader.len == len + 1 && (body[0] == 'm' || body[0] == 'l') &&
           memcmp(body + 1, talk->mark, len) == 0;
}

/* Is it the mark of an earlier round, a harmless repetition? */
static bool is_old_mark(const struct rp_talk *talk) {
    size_t len = talk->reader.len;
    return talk->has_mark && len > MARK_MIN && len <= RP_TALK_MARK_MAX && is_mark(talk, len - 1);
}

/* Asks for a mark and drops everything before it; then nothing is on its way any more. */
static bool settle(struct rp_talk *talk, struct rp_error *err) {
    for (unsigned tries = 0; tries < TRIES; tries++) {
        char head[64];
        /* lengths of marks repeat after some dozens of rounds */
        size_t want = MARK_MIN + ++talk->round % (RP_TALK_MARK_MAX - MARK_MIN);
        double until = answer_deadline(talk, patience(talk, tries));
        enum event event;
        (void)snprintf(head, sizeof head, "qXfer:features:read:target.xml:0,%zx", want);
        size_t size = rp_packet_frame(talk->frame, talk->has_mark ? head : "qC", NULL, 0);
        if (!send_frame(talk, size, err))
            return false;
        while ((event = next(talk, until, err)) == ACK || event == PACKET) {
            if (event == ACK)
                continue;
            if (is_mark(talk, want)) {
                talk->is_clean = true;
                hear(talk);
                return send_bytes(talk, "", 0, err);
            }
            talk->is_odd = talk->is_odd || !is_old_mark(talk);
        }
        if (event == FAILED)
            return false;
    }
    rp_fail(err, RP_E_GDB, "cannot %s: the GDB server at '%s' no longer answers", talk->wire.doing,
            talk->wire.where);
    rp_hint(err, "end the server and start it again; if it happens again, the connection to it "
                 "loses packets");
    return give_up(talk);
}

bool rp_talk_begin(struct rp_talk *talk, const char *what, struct rp_error *err) {
    talk->has_given_up = false;
    talk->wire.doing = what;
    if (talk->is_clean)
        hear(talk);
    if (!talk->is_clean && !settle(talk, err))
        return false;
    *talk->own = (struct rp_error){0};
    talk->is_odd = talk->is_clean = false;
    return true;
}

bool rp_talk_end(struct rp_talk *talk, struct rp_error *err) {
    bool ok = settle(talk, err);
    talk->is_lossy = talk->is_lossy || talk->is_odd;
    return ok;
}

/* ---- requests ---- */

/* Bytes of a packet for a message. */
static const char *shown(struct rp_talk *talk, const uint8_t *body, size_t len) {
    char *text = rp_strndup(talk->arena, (const char *)body, len < SHOWN_MAX ? len : SHOWN_MAX);
    return rp_printable(talk->arena, text);
}

static bool no_answer(struct rp_talk *talk, const struct rp_request *request, const char *unfit,
                      struct rp_error *err) {
    const char *where = talk->wire.where;
    if (unfit != NULL)
        rp_fail(err, RP_E_GDB,
                "cannot %s: the GDB server at '%s' answered '%s', which cannot be "
                "right",
                request->what, where, unfit);
    else
        rp_fail(err, RP_E_GDB, "cannot %s: the GDB server at '%s' does not answer", request->what,
                where);
    rp_hint(err, "end the server and start it again; its own messages may say more");
    return give_up(talk);
}

/* Waits for the answer to what was sent. *unfit: what came instead. */
static enum event receive(struct rp_talk *talk, const struct rp_request *request, double until,
                          const char **unfit, struct rp_error *err) {
    bool has_arrived = false;
    *unfit = NULL;
    for (;;) {
        enum event event = next(talk, until, err);
        const uint8_t *body = talk->reader.body;
        size_t len = talk->reader.len;
        if (event == ACK) {
            has_arrived = true;
            continue;
        }
        if (event != PACKET ||
            (has_arrived && (refuses(body, len) || request->fits(request, body, len))))
            return event;
        if (has_arrived && is_console(body, len)) {
            print(talk);
            continue;
        }
        if (is_old_mark(talk))
            continue;
        talk->is_odd = true;
        if (!has_arrived)
            continue;
        *unfit = shown(talk, body, len);
        if (!request->once)
            return PACKET;
    }
}

static bool too_long(struct rp_talk *talk, const struct rp_request *request, struct rp_error *err) {
    rp_fail(err, RP_E_GDB, "cannot %s: the GDB server at '%s' accepts packets of %zu bytes only",
            request->what, talk->wire.where, talk->packet_max);
    return give_up(talk);
}

bool rp_talk_ask(struct rp_talk *talk, const struct rp_request *request, struct rp_reply *reply,
                 struct rp_error *err) {
    const char *unfit = NULL;
    if (strlen(request->head) + 2 * request->size > RP_TALK_MAX) /* every byte may need an escape */
        return too_long(talk, request, err);
    if (!drop_pending(talk, err))
        return false;
    size_t size = rp_packet_frame(talk->frame, request->head, request->data, request->size);
    if (size > talk->packet_max)
        return too_long(talk, request, err);
    for (unsigned tries = 0; tries < TRIES; tries++) {
        if (!send_frame(talk, size, err))
            return false;
        double until = request->seconds != 0
                           ? deadline(talk, request->seconds)
                           : answer_deadline(talk, patience(talk, request->once ? TRIES : tries));
        enum event event = receive(talk, request, until, &unfit, err);
        if (event == FAILED)
            return false;
        talk->is_odd = talk->is_odd || event != PACKET || unfit != NULL;
        if (event == PACKET && unfit == NULL) {
            *reply = (struct rp_reply){talk->reader.body, talk->reader.len};
            hear(talk);
            return true;
        }
        if (unfit != NULL || request->once)
            break;
    }
    (void)no_answer(talk, request, unfit, err);
    talk->has_given_up = unfit == NULL || request->once;
    return false;
}

bool rp_talk_tell(const struct rp_talk *talk, struct rp_error *err) {
    if (err != NULL && err->id == 0)
        *err = *talk->own;
    return false;
}

bool rp_talk_again(struct rp_talk *talk, unsigned *tries, const char *what, struct rp_error *err) {
    if (++*tries < WORK_TRIES)
        return true;
    if (talk->own->id != 0)
        return rp_talk_tell(talk, err);
    rp_fail(err, RP_E_GDB,
            "cannot %s: the connection to the GDB server at '%s' loses, repeats or "
            "garbles packets, %u times in a row",
            what, talk->wire.where, *tries);
    return rp_hint(err, "check the cable, or run the server on this machine");
}

bool rp_talk_ask_alone(struct rp_talk *talk, const struct rp_request *request,
                       struct rp_reply *reply, struct rp_error *err) {
    for (unsigned tries = 0;;) {
        if (!rp_talk_begin(talk, request->what, err))
            return false;
        bool ok = rp_talk_ask(talk, request, reply, talk->own);
        if (!ok && talk->has_given_up)
            return rp_talk_tell(talk, err);
        if (ok) {
            memcpy(talk->kept, reply->data, reply->len + 1);
            reply->data = talk->kept;
        }
        if (!rp_talk_end(talk, err))
            return false;
        if (ok) /* nothing was on its way before, so this is the answer */
            return true;
        if (!rp_talk_again(talk, &tries, request->what, err))
            return false;
    }
}

bool rp_talk_accepted(struct rp_talk *talk, const struct rp_request *request,
                      const struct rp_reply *reply, struct rp_error *err) {
    if (!rp_talk_is_refusal(reply))
        return true;
    if (reply->len == 0)
        rp_fail(err, RP_E_GDB, "cannot %s: the GDB server at '%s' does not support it",
                request->what, talk->wire.where);
    else
        rp_fail(err, RP_E_GDB, "cannot %s: the GDB server at '%s' refuses: %s", request->what,
                talk->wire.where, shown(talk, reply->data, reply->len));
    return request->hint != NULL && rp_hint(err, "%s", request->hint);
}

/* ---- a target that runs ---- */

bool rp_talk_go(struct rp_talk *talk, const struct rp_request *request, struct rp_error *err) {
    enum event event;
    if (!rp_talk_begin(talk, request->what, err) || !drop_pending(talk, err))
        return false;
    size_t size = rp_packet_frame(talk->frame, request->head, NULL, 0);
    if (!send_frame(talk, size, err))
        return false;
    double until = answer_deadline(talk, patience(talk, TRIES));
    while ((event = next(talk, until, err)) == PACKET)
        ;
    if (event == ACK || event == FAILED)
        return event == ACK;
    /* it must not be sent again: if it arrived, the target would continue twice */
    rp_fail(err, RP_E_GDB, "cannot %s: the GDB server at '%s' %s", request->what, talk->wire.where,
            event == NAK ? "received it garbled" : "does not acknowledge it");
    rp_hint(err, "start again; if it happens again, the connection to the server is bad");
    return give_up(talk);
}

bool rp_talk_wait_stop(struct rp_talk *talk, double seconds, struct rp_reply *reply,
                       struct rp_error *err) {
    double until = deadline(talk, seconds);
    enum event event;
    *reply = (struct rp_reply){NULL, 0};
    talk->wire.doing = "wait until the target stops";
    while ((event = next(talk, until, err)) != FAILED && event != TIME_OVER) {
        const uint8_t *body = talk->reader.body;
        size_t len = talk->reader.len;
        if (event != PACKET)
            continue;
        if (is_console(body, len))
            print(talk);
        if (!rp_talk_is_stop(body, len))
            continue;
        memcpy(talk->kept, body, len + 1);
        *reply = (struct rp_reply){talk->kept, len};
        hear(talk);
        bool is_over = body[0] == 'W' || body[0] == 'X';
        return is_over ? send_bytes(talk, "", 0, err) : settle(talk, err);
    }
    hear(talk); /* it was not asked anything yet */
    return event == TIME_OVER;
}

bool rp_talk_break(struct rp_talk *talk, struct rp_error *err) {
    talk->wire.doing = "interrupt the target";
    hear(talk);
    return send_bytes(talk, "\x03", 1, err);
}
