/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Packets of the GDB remote serial protocol ("Overview", "Packet Acknowledgment" and "Binary Data"
 * in appendix E of GDB's manual): $BODY#CHECKSUM, with escapes and run lengths in the body.
 * Converts bytes to packets and back, without waiting.
 */
#ifndef RP_TOOLCHAIN_PROBE_PACKET_H
#define RP_TOOLCHAIN_PROBE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RP_PACKET_FRAME = 4 }; /* $, # and two digits */

enum rp_packet_event {
    RP_PACKET_NOTHING, /* the bytes were used up */
    RP_PACKET_ACK,     /* + */
    RP_PACKET_NAK,     /* - */
    RP_PACKET_WHOLE,   /* body and len are those of a packet */
    RP_PACKET_GARBLED, /* wrong checksum, wrong run length, or longer than room */
};

/* Set body and room; the rest is 0 at the start. */
struct rp_packet_reader {
    uint8_t *body; /* without escapes and run lengths, followed by a 0 byte */
    size_t room;   /* for bytes of a body; one more is needed for the 0 */
    size_t len;
    enum {
        RP_READ_OUTSIDE,
        RP_READ_BODY,
        RP_READ_ESCAPED,
        RP_READ_RUN,
        RP_READ_SUM_HIGH,
        RP_READ_SUM_LOW
    } state;
    uint8_t sum;
    uint8_t high_digit; /* of the checksum, as a number; 0xFF: none yet */
    bool is_note;       /* a notification (%): read and dropped */
    bool is_bad;
};

/*
 * Reads bytes up to the first event; *used: how many. Skips meaningless bytes between packets. A $
 * always begins a packet.
 */
enum rp_packet_event rp_packet_read(struct rp_packet_reader *reader, const uint8_t *bytes,
                                    size_t count, size_t *used);

/* The number of bytes of data whose escaped form fits into room bytes. */
size_t rp_packet_fit(const uint8_t *data, size_t size, size_t room);
/*
 * Writes the packet of head and escaped data to frame, which has enough room; returns its length.
 */
size_t rp_packet_frame(uint8_t *frame, const char *head, const uint8_t *data, size_t size);

/* The value of a hexadecimal digit, or 0xFF. */
uint8_t rp_packet_digit(uint8_t c);
/* Writes two digits for each byte, and a 0. */
void rp_packet_hex(char *text, const uint8_t *bytes, size_t count);
/* Converts 2 * count digits to bytes; false: there is another character. */
bool rp_packet_unhex(uint8_t *bytes, const uint8_t *text, size_t count);

#endif
