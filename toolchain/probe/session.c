/* SPDX-License-Identifier: Apache-2.0 */
/* Asks a GDB server for features and documents: see session.h. */
#include "toolchain/probe/session.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

enum {
    PACKET_MIN = 64, /* for a request for a part of target.xml */
    MARK_PACKET_MIN = 128,
    DOCUMENT_MAX = 1 << 18,
    INCLUDES_MAX = 32
};

/* ---- what the server can do ---- */

static bool fits_features(const struct rp_request *request, const uint8_t *answer, size_t len) {
    (void)request;
    return strlen((const char *)answer) == len && strpbrk((const char *)answer, "=+-") != NULL &&
           strchr("STWXQ", answer[0]) == NULL;
}

static bool has_feature(const char *list, const char *name) {
    for (size_t len = strlen(name); list != NULL; list = strchr(list, ';')) {
        list += *list == ';';
        if (strncmp(list, name, len) == 0 && (list[len] == ';' || list[len] == '\0'))
            return true;
    }
    return false;
}

static bool read_packet_size(struct rp_gdb *gdb, const char *list, struct rp_error *err) {
    const char *value = strstr(list, "PacketSize=");
    if (value == NULL)
        return true;
    char *end;
    unsigned long size = strtoul(value + strlen("PacketSize="), &end, 16);
    if (!isxdigit((unsigned char)value[strlen("PacketSize=")]) || (*end != ';' && *end != '\0') ||
        size < PACKET_MIN) {
        rp_fail(err, RP_E_GDB,
                "the GDB server at '%s' accepts packets of %.20s bytes (hexadecimal); "
                "at least %d are needed",
                gdb->talk.wire.where, rp_printable(gdb->arena, value + strlen("PacketSize=")),
                PACKET_MIN);
        return rp_hint(err, "is this a GDB server?");
    }
    gdb->talk.packet_max = size < RP_TALK_MAX ? size : RP_TALK_MAX;
    return true;
}

static bool ask_features(struct rp_gdb *gdb, double seconds, struct rp_error *err) {
    const struct rp_request request = {.head = "qSupported:hwbreak+;swbreak+;vContSupported+",
                                       .fits = fits_features,
                                       .what = "ask for its features",
                                       .seconds = seconds};
    struct rp_reply reply;
    if (!rp_talk_ask_alone(&gdb->talk, &request, &reply, err) ||
        (reply.len != 0 && !rp_talk_accepted(&gdb->talk, &request, &reply, err)))
        return false;
    const char *list = (const char *)reply.data;
    gdb->has_description = has_feature(list, "qXfer:features:read+");
    gdb->has_map = has_feature(list, "qXfer:memory-map:read+");
    gdb->has_binary_read = has_feature(list, "binary-upload+");
    return read_packet_size(gdb, list, err);
}

/* ---- documents ---- */

bool rp_session_read(struct rp_gdb *gdb, const char *object, const char *name, struct rp_buf *text,
                     struct rp_error *err) {
    struct rp_reply reply = {NULL, 0};
    char what[128];
    (void)snprintf(what, sizeof what, "read its document %s %.64s", object, name);
    do {
        struct rp_request request = {.fits = rp_fits_xfer, .what = what};
        char head[256];
        request.want = gdb->talk.packet_max - RP_PACKET_FRAME - 1;
        int len = snprintf(head, sizeof head, "qXfer:%s:read:%s:%zx,%zx", object, name, text->len,
                           request.want);
        request.head = head;
        if (len < 0 || (size_t)len >= sizeof head ||
            (size_t)len + RP_PACKET_FRAME > gdb->talk.packet_max || text->len > DOCUMENT_MAX)
            return rp_fail(err, RP_E_GDB,
                           "the GDB server at '%s' has a document %s with too long "
                           "a name or text",
                           gdb->talk.wire.where, object);
        if (!rp_talk_ask_alone(&gdb->talk, &request, &reply, err) ||
            !rp_talk_accepted(&gdb->talk, &request, &reply, err))
            return false;
        rp_buf_append(text, reply.data + 1, reply.len - 1);
    } while (reply.data[0] == 'm');
    return true;
}

/* Makes the first bytes of target.xml the mark, if the server can send a part of it. */
static bool choose_mark(struct rp_gdb *gdb, const struct rp_buf *text, struct rp_error *err) {
    struct rp_talk *talk = &gdb->talk;
    const struct rp_request request = {.head = "qXfer:features:read:target.xml:0,28",
                                       .fits = rp_fits_xfer,
                                       .want = 0x28,
                                       .what = "read a part of target.xml"};
    struct rp_reply reply;
    if (text->len <= RP_TALK_MARK_MAX || talk->packet_max < MARK_PACKET_MIN)
        return true;
    memcpy(talk->mark, text->data, RP_TALK_MARK_MAX);
    if (!rp_talk_ask_alone(talk, &request, &reply, err))
        return false;
    talk->has_mark =
        reply.len == request.want + 1 && memcmp(reply.data + 1, text->data, request.want) == 0;
    return true;
}

static bool read_description(struct rp_gdb *gdb, struct rp_error *err) {
    struct rp_strings names = {0};
    *RP_PUSH(gdb->arena, &names) = "target.xml";
    for (size_t i = 0; gdb->has_description && i < names.count; i++) {
        struct rp_buf text = {.arena = gdb->arena};
        if (!rp_session_read(gdb, "features", names.items[i], &text, err) ||
            !rp_describe_registers(&gdb->registers, gdb->arena, &text, &names, err) ||
            (i == 0 && !choose_mark(gdb, &text, err)))
            return false;
        if (names.count > INCLUDES_MAX)
            return rp_fail(err, RP_E_GDB,
                           "the GDB server at '%s' has a target description of more "
                           "than %d documents",
                           gdb->talk.wire.where, INCLUDES_MAX);
    }
    if (gdb->registers.count == 0)
        rp_describe_default(&gdb->registers, gdb->arena);
    return true;
}

bool rp_session_open(struct rp_gdb *gdb, double seconds, struct rp_error *err) {
    gdb->text = rp_alloc(gdb->arena, RP_TALK_MAX + 1, 1);
    rp_talk_open(&gdb->talk, gdb->arena);
    return ask_features(gdb, seconds, err) && read_description(gdb, err);
}
