/* SPDX-License-Identifier: Apache-2.0 */
/* The target's registers: see registers.h. */
#include "toolchain/probe/registers.h"

#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "toolchain/probe/session.h"

enum { BYTES = 4, BYTE_BITS = 8 };

static size_t bytes_of(const struct rp_gdb_register *one) {
    return (one->bits + BYTE_BITS - 1) / BYTE_BITS;
}

bool rp_gdb_has_register(const struct rp_gdb *gdb, const char *name) {
    const struct rp_gdb_register *one = rp_describe_find(&gdb->registers, name);
    return one != NULL && bytes_of(one) <= BYTES;
}

static const struct rp_gdb_register *find(struct rp_gdb *gdb, const char *name,
                                          struct rp_error *err) {
    if (rp_gdb_has_register(gdb, name))
        return rp_describe_find(&gdb->registers, name);
    rp_fail(err, RP_E_GDB, "the GDB server at '%s' has no register '%s' of up to 32 bits",
            gdb->talk.wire.where, rp_printable(gdb->arena, name));
    return NULL;
}

static bool unavailable(struct rp_gdb *gdb, const char *what, struct rp_error *err) {
    rp_fail(err, RP_E_GDB, "cannot %s: the GDB server at '%s' has no value", what,
            gdb->talk.wire.where);
    return rp_hint(err, "is the core halted, and powered?");
}

/* The offset of the register in the answer to g, after those with lower numbers. */
static size_t offset_of(const struct rp_gdb *gdb, const struct rp_gdb_register *one) {
    size_t offset = 0;
    for (size_t i = 0; i < gdb->registers.count; i++)
        if (gdb->registers.items[i].number < one->number)
            offset += bytes_of(&gdb->registers.items[i]);
    return offset;
}

static bool fits_all(const struct rp_request *request, const uint8_t *answer, size_t len) {
    return len >= 2 * request->want && len % 2 == 0 &&
           (rp_packet_digit(answer[0]) != 0xFF || answer[0] == 'x');
}

/* All registers, as digits, for servers that have neither p nor P. */
static bool ask_all(struct rp_gdb *gdb, const struct rp_gdb_register *one, char **digits,
                    struct rp_error *err) {
    const struct rp_request request = {.head = "g",
                                       .fits = fits_all,
                                       .want = offset_of(gdb, one) + bytes_of(one),
                                       .what = "read the registers"};
    struct rp_reply reply;
    if (!rp_talk_ask_alone(&gdb->talk, &request, &reply, err) ||
        !rp_talk_accepted(&gdb->talk, &request, &reply, err))
        return false;
    *digits = rp_strndup(gdb->arena, (const char *)reply.data, reply.len);
    return true;
}

/* *has: false if the server does not know the packet. */
static bool ask_one(struct rp_gdb *gdb, const struct rp_request *request, struct rp_reply *reply,
                    bool *has, struct rp_error *err) {
    *has = gdb->has_single_register != RP_NO;
    if (!*has)
        return true;
    if (!rp_talk_ask_alone(&gdb->talk, request, reply, err))
        return false;
    *has = reply->len != 0 || gdb->has_single_register == RP_YES;
    gdb->has_single_register = *has ? RP_YES : RP_NO;
    return !*has || rp_talk_accepted(&gdb->talk, request, reply, err);
}

bool rp_gdb_get_register(struct rp_gdb *gdb, const char *name, uint32_t *value,
                         struct rp_error *err) {
    const struct rp_gdb_register *one = find(gdb, name, err);
    char head[32], what[64], *digits = NULL;
    struct rp_request request = {.head = head, .fits = rp_fits_hex, .what = what};
    struct rp_reply reply;
    uint8_t bytes[BYTES] = {0};
    bool has;
    if (one == NULL)
        return false;
    (void)snprintf(head, sizeof head, "p%x", (unsigned)one->number);
    (void)snprintf(what, sizeof what, "read the register %.32s", name);
    request.want = bytes_of(one);
    if (!ask_one(gdb, &request, &reply, &has, err) || (!has && !ask_all(gdb, one, &digits, err)))
        return false;
    const uint8_t *from = has ? reply.data : (const uint8_t *)digits + 2 * offset_of(gdb, one);
    if (!rp_packet_unhex(bytes, from, request.want))
        return unavailable(gdb, what, err);
    *value = rp_get_le32(bytes);
    return true;
}

bool rp_gdb_set_register(struct rp_gdb *gdb, const char *name, uint32_t value,
                         struct rp_error *err) {
    const struct rp_gdb_register *one = find(gdb, name, err);
    char head[32], what[64], text[2 * BYTES + 1], *digits = NULL;
    struct rp_request request = {.head = head, .fits = rp_fits_ok, .what = what};
    struct rp_reply reply;
    uint8_t bytes[BYTES];
    bool has;
    if (one == NULL)
        return false;
    rp_put_le32(bytes, value);
    rp_packet_hex(text, bytes, bytes_of(one));
    (void)snprintf(head, sizeof head, "P%x=%s", (unsigned)one->number, text);
    (void)snprintf(what, sizeof what, "write the register %.32s", name);
    if (!ask_one(gdb, &request, &reply, &has, err))
        return false;
    if (has)
        return true;
    if (!ask_all(gdb, one, &digits, err))
        return false;
    memcpy(digits + 2 * offset_of(gdb, one), text, 2 * bytes_of(one));
    request.head = rp_format(gdb->arena, "G%s", digits);
    return rp_talk_ask_alone(&gdb->talk, &request, &reply, err) &&
           rp_talk_accepted(&gdb->talk, &request, &reply, err);
}
