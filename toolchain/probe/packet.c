/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of the GDB remote serial protocol: see packet.h. */
#include "toolchain/probe/packet.h"

#include <string.h>

enum { ESCAPE = '}', ESCAPE_BIT = 0x20, RUN = '*', RUN_BIAS = 29, RUN_MIN = 3, NO_DIGIT = 0xFF };

/* The value of a digit + 1; others are 0. A table avoids mispredicted branches. */
static const uint8_t digits[UINT8_MAX + 1] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

uint8_t rp_packet_digit(uint8_t c) {
    return (uint8_t)(digits[c] - 1);
}

void rp_packet_hex(char *text, const uint8_t *bytes, size_t count) {
    static const char letters[] = "0123456789abcdef";
    for (size_t i = 0; i < count; i++) {
        *text++ = letters[bytes[i] >> 4];
        *text++ = letters[bytes[i] & 15];
    }
    *text = '\0';
}

bool rp_packet_unhex(uint8_t *bytes, const uint8_t *text, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint8_t high = digits[text[2 * i]], low = high != 0 ? digits[text[2 * i + 1]] : 0;
        if (low == 0)
            return false;
        bytes[i] = (uint8_t)((high - 1) << 4 | (low - 1));
    }
    return true;
}

/* ---- reading ---- */

static void put(struct rp_packet_reader *reader, uint8_t byte, size_t times) {
    if (times > reader->room - reader->len) {
        reader->is_bad = true;
        return;
    }
    memset(reader->body + reader->len, byte, times);
    reader->len += times;
}

static void begin(struct rp_packet_reader *reader, bool is_note) {
    reader->state = RP_READ_BODY;
    reader->len = 0;
    reader->sum = 0;
    reader->is_note = is_note;
    reader->is_bad = false;
}

static enum rp_packet_event finish(struct rp_packet_reader *reader, uint8_t byte) {
    uint8_t low = rp_packet_digit(byte);
    bool good = low != NO_DIGIT && reader->high_digit != NO_DIGIT &&
                (reader->high_digit << 4 | low) == reader->sum && !reader->is_bad;
    reader->state = RP_READ_OUTSIDE;
    reader->body[reader->len] = 0;
    if (reader->is_note)
        return RP_PACKET_NOTHING; /* notifications are not acknowledged */
    return good ? RP_PACKET_WHOLE : RP_PACKET_GARBLED;
}

/* A byte of a body; the checksum covers it as it was sent. */
static void take(struct rp_packet_reader *reader, uint8_t byte) {
    if (byte == '#') { /* it is neither escaped as itself nor a run length */
        reader->is_bad = reader->is_bad || reader->state != RP_READ_BODY;
        reader->state = RP_READ_SUM_HIGH;
        return;
    }
    reader->sum = (uint8_t)(reader->sum + byte);
    if (reader->state == RP_READ_ESCAPED) {
        put(reader, byte ^ ESCAPE_BIT, 1);
        reader->state = RP_READ_BODY;
    } else if (reader->state == RP_READ_RUN) {
        if (byte < RUN_BIAS + RUN_MIN || byte > '~' || reader->len == 0)
            reader->is_bad = true;
        else
            put(reader, reader->body[reader->len - 1], (size_t)byte - RUN_BIAS);
        reader->state = RP_READ_BODY;
    } else if (byte == ESCAPE) {
        reader->state = RP_READ_ESCAPED;
    } else if (byte == RUN) {
        reader->state = RP_READ_RUN;
    } else {
        put(reader, byte, 1);
    }
}

enum rp_packet_event rp_packet_read(struct rp_packet_reader *reader, const uint8_t *bytes,
                                    size_t count, size_t *used) {
    enum rp_packet_event event = RP_PACKET_NOTHING;
    size_t at = 0;
    while (at < count && event == RP_PACKET_NOTHING) {
        uint8_t byte = bytes[at++];
        if (byte == '$')
            begin(reader, false); /* never inside a packet, so the last one was cut off */
        else if (reader->state == RP_READ_SUM_LOW)
            event = finish(reader, byte);
        else if (reader->state == RP_READ_SUM_HIGH)
            reader->high_digit = rp_packet_digit(byte), reader->state = RP_READ_SUM_LOW;
        else if (reader->state != RP_READ_OUTSIDE)
            take(reader, byte);
        else if (byte == '%')
            begin(reader, true);
        else if (byte == '+' || byte == '-')
            event = byte == '+' ? RP_PACKET_ACK : RP_PACKET_NAK;
    }
    *used = at;
    return event;
}

/* ---- writing ---- */

static bool is_special(uint8_t byte) {
    return byte == '$' || byte == '#' || byte == ESCAPE || byte == RUN;
}

size_t rp_packet_fit(const uint8_t *data, size_t size, size_t room) {
    size_t fit = 0;
    while (fit < size) {
        size_t need = is_special(data[fit]) ? 2 : 1;
        if (need > room)
            break;
        room -= need;
        fit++;
    }
    return fit;
}

size_t rp_packet_frame(uint8_t *frame, const char *head, const uint8_t *data, size_t size) {
    uint8_t *at = frame, check;
    unsigned sum = 0;
    *at++ = '$';
    at = (uint8_t *)stpcpy((char *)at, head); /* its 0 is overwritten */
    for (size_t i = 0; i < size; i++) {
        if (is_special(data[i])) {
            *at++ = ESCAPE;
            *at++ = data[i] ^ ESCAPE_BIT;
        } else {
            *at++ = data[i];
        }
    }
    for (const uint8_t *c = frame + 1; c < at; c++)
        sum += *c;
    check = (uint8_t)sum;
    *at++ = '#';
    rp_packet_hex((char *)at, &check, 1);
    return (size_t)(at + 2 - frame);
}
