/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests and their answers. An answer does not name its request, so this file ensures that none
 * is attributed to a wrong one, even if packets are lost, repeated, delayed or garbled: - An answer
 * counts only after the request was acknowledged: what comes before that was on its way earlier.
 * Acknowledgments therefore stay on (no QStartNoAckMode). - It has to look like an answer to this
 * request. - A piece of work ends with a mark: the first bytes of target.xml, with a length that
 * differs from mark to mark. Whatever arrives before the mark's answer is too much. Then, as after
 * every garbled, unexpected or repeated packet, the work is "odd" and is done again.
 *
 * A request that must not be done twice (continue, monitor commands, flash) is sent once.
 */
#ifndef RP_TOOLCHAIN_PROBE_TALK_H
#define RP_TOOLCHAIN_PROBE_TALK_H

#include "base/buf.h"
#include "toolchain/probe/packet.h"
#include "toolchain/probe/wire.h"

enum {
    RP_TALK_MAX = 1 << 16,   /* bytes of a packet, at most, whatever the server allows */
    RP_TALK_INPUT = 1 << 14, /* bytes that are read at once */
    RP_TALK_MARK_MAX = 80,   /* bytes of target.xml that marks use */
    RP_TALK_CONSOLE_MAX = 1 << 16
};

struct rp_talk {
    struct rp_arena *arena;
    struct rp_wire wire;
    struct rp_packet_reader reader;
    uint8_t *frame;    /* the packet to send */
    uint8_t *kept;     /* the answer of rp_talk_ask_alone */
    size_t packet_max; /* bytes that the server takes, frame included */
    double answer_s;   /* the time for an answer before the question is repeated; then longer */
    double end;        /* no wait lasts longer; 0: no such limit */
    double silent_s;   /* all tries of all requests, since the last good answer; 0: the same */
    double heard;      /* when that was, or the work began */
    size_t owed;       /* acknowledgments not sent yet */
    uint8_t mark[RP_TALK_MARK_MAX];
    bool has_mark; /* else qC is used */
    unsigned round;
    bool is_clean; /* nothing is on its way */
    bool is_odd;
    bool is_lossy;          /* something was odd before */
    bool has_given_up;      /* the last failure was one of the connection, not an answer */
    struct rp_error *own;   /* of odd work */
    struct rp_buf *console; /* gets what the target prints; or NULL */
};

struct rp_request {
    const char *head;
    const uint8_t *data; /* binary data after it; or NULL */
    size_t size;
    /* Does it look like an answer? Refusals (empty, or E and more) always do. */
    bool (*fits)(const struct rp_request *request, const uint8_t *answer, size_t len);
    size_t want;      /* for fits: bytes */
    const char *what; /* "read 16 bytes at 0x20000000": for messages */
    const char *hint; /* for a refusal; or NULL */
    double seconds;   /* for an answer, at each try; 0: answer_s and longer */
    bool once;
};

struct rp_reply {
    const uint8_t *data; /* followed by a 0 byte */
    size_t len;
};

/* Set wire and answer_s; the rest is 0. */
void rp_talk_open(struct rp_talk *talk, struct rp_arena *arena);

/*
 * A piece of work consists of begin, requests and end. what: for messages. If end finds that it was
 * odd, no answer counts. end fails only if the server no longer answers. RP_E_GDB,
 * RP_E_INTERRUPTED, here and below.
 */
bool rp_talk_begin(struct rp_talk *talk, const char *what, struct rp_error *err);
bool rp_talk_end(struct rp_talk *talk, struct rp_error *err);
/*
 * One request of such work. false: no answer, or one that does not fit (then is_odd, and
 * has_given_up is not set). *reply is valid until the next request.
 */
bool rp_talk_ask(struct rp_talk *talk, const struct rp_request *request, struct rp_reply *reply,
                 struct rp_error *err);
/* Sends a request as the whole work, and repeats it while the answer does not fit. */
bool rp_talk_ask_alone(struct rp_talk *talk, const struct rp_request *request,
                       struct rp_reply *reply, struct rp_error *err);
/* Copies the error of the work from talk->own; always false. */
bool rp_talk_tell(const struct rp_talk *talk, struct rp_error *err);
/* Counts a repetition of odd work; false and RP_E_GDB: there were too many. */
bool rp_talk_again(struct rp_talk *talk, unsigned *tries, const char *what, struct rp_error *err);

/* Sends continue, and waits for the acknowledgment only. */
bool rp_talk_go(struct rp_talk *talk, const struct rp_request *request, struct rp_error *err);
/* Waits for the packet that reports a stop of the target; reply->data NULL: the time is over. */
bool rp_talk_wait_stop(struct rp_talk *talk, double seconds, struct rp_reply *reply,
                       struct rp_error *err);
/* Sends the byte that interrupts the target. */
bool rp_talk_break(struct rp_talk *talk, struct rp_error *err);

/* RP_E_GDB: the answer is a refusal; the message quotes the server. */
bool rp_talk_accepted(struct rp_talk *talk, const struct rp_request *request,
                      const struct rp_reply *reply, struct rp_error *err);
bool rp_talk_is_refusal(const struct rp_reply *reply);
bool rp_talk_is_stop(const uint8_t *answer, size_t len);

/* For fits. */
bool rp_fits_ok(const struct rp_request *request, const uint8_t *answer, size_t len);
bool rp_fits_hex(const struct rp_request *request, const uint8_t *answer, size_t len);
bool rp_fits_xfer(const struct rp_request *request, const uint8_t *answer, size_t len);
bool rp_fits_stop(const struct rp_request *request, const uint8_t *answer, size_t len);

#endif
