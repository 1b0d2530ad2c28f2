/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loses, changes and repeats every single byte of a transfer by XMODEM, in both directions. The
 * file has to arrive each time. Then many bytes: what arrives has to be the file, or nothing.
 *   cc -Isrc -Itest -o lossy_line test/lossy_line.c src/xmodem.c && ./lossy_line
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/serial.h"
#include "../src/xmodem.h"

#define CHECK(what)                                                                                \
    ((what) ? (void)0                                                                              \
            : (void)(fprintf(stderr, "line %d, fault %d at byte %ld: %s\n", __LINE__, fault, at,   \
                             #what),                                                               \
                     exit(1)))

enum { SOH = 1, STX = 2, EOT = 4, ACK = 6, NAK = 21, CAN = 24 };
/* What happens to a byte. The next ones: it becomes that byte. */
enum fault { NONE, LOST, TWICE, FLIPPED, BECOMES };
static const uint8_t BECOME[] = {SOH, STX, EOT, ACK, NAK, CAN, 'C', 0};
enum { FAULTS = BECOMES + sizeof BECOME, BLOCKS = 27, SIZE = 128 * BLOCKS };

static int fault;
static long at, bytes; /* the byte that it happens to, counted from 1 in both directions */
static uint32_t seed = 1, rate;

static uint32_t any(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

/* ---- the sender ---- */

static uint8_t file[SIZE], queue[4096];
static unsigned head, tail, block;           /* from 0; BLOCKS: the end of the file */
static uint32_t idle;                        /* milliseconds */
static bool outstanding, over, hears_cancel; /* which is the fault */

static unsigned spoil(uint8_t byte, uint8_t out[2]) {
    int what = ++bytes == at ? fault : NONE;
    if (rate != 0 && any() % rate == 0)
        what = (int)(any() % FAULTS);
    out[0] = out[1] = what >= BECOMES   ? BECOME[what - BECOMES]
                      : what == FLIPPED ? byte ^ (uint8_t)(1u << any() % 8)
                                        : byte;
    return what == LOST ? 0 : what == TWICE ? 2 : 1;
}

static void send(uint8_t byte) {
    uint8_t out[2];
    const unsigned count = spoil(byte, out);
    for (unsigned i = 0; i < count && tail < sizeof queue; i++)
        queue[tail++] = out[i];
}

static void send_block(void) {
    uint16_t crc = 0;
    outstanding = true;
    idle = 0;
    if (block == BLOCKS) {
        send(EOT);
        return;
    }
    send(SOH);
    send((uint8_t)(block + 1));
    send((uint8_t)(255 - (block + 1)));
    for (unsigned i = 0; i < 128; i++) {
        const uint8_t byte = file[128 * block + i];
        crc ^= (uint16_t)(byte << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)((crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1);
        send(byte);
    }
    send((uint8_t)(crc >> 8));
    send((uint8_t)crc);
}

static void hear(uint8_t byte) {
    if (over)
        return;
    if (byte == CAN) {
        over = true;
        hears_cancel = bytes == at;
    } else if (byte == ACK && outstanding) {
        over = block++ == BLOCKS;
        outstanding = false;
        if (!over)
            send_block();
    } else if (byte == NAK || (byte == 'C' && block == 0))
        send_block();
}

/* ---- the line, as the receiver sees it ---- */

void serial_put(uint8_t byte) {
    uint8_t out[2];
    const unsigned count = spoil(byte, out);
    for (unsigned i = 0; i < count; i++)
        hear(out[i]);
}

static int endless = -1; /* the byte that never stops coming */
static long endless_bytes;

int serial_get(uint32_t milliseconds) {
    if (endless >= 0) {
        CHECK(++endless_bytes < 100000);
        return endless;
    }
    if (head == tail) {
        head = tail = 0;
        idle += milliseconds;
        if (idle >= 10000 && outstanding && !over)
            send_block();
    }
    return head < tail ? queue[head++] : -1;
}

/* ---- the receiver ---- */

static uint8_t received[SIZE];
static uint32_t length;

static bool take(void *context, const uint8_t *data, uint32_t count) {
    (void)context;
    CHECK(count <= SIZE - length);
    memcpy(received + length, data, count);
    length += count;
    return true;
}

static bool transfer(void) {
    head = tail = block = 0;
    idle = length = 0;
    bytes = 0;
    outstanding = over = hears_cancel = false;
    return xmodem_receive(take, NULL);
}

int main(void) {
    for (unsigned i = 0; i < SIZE; i++)
        file[i] = (uint8_t)any();
    memcpy(file + 300, (const uint8_t[]){EOT, EOT, CAN, CAN, SOH, 1, 254}, 7);
    CHECK(transfer());
    const long all = bytes;
    for (fault = LOST; fault < FAULTS; fault++)
        for (at = 1; at <= all; at++) {
            bool arrived = transfer();
            CHECK(arrived || hears_cancel);
            CHECK(!arrived || (length == SIZE && memcmp(received, file, SIZE) == 0));
        }
    for (endless = 0; endless < 256; endless++) {
        endless_bytes = 0;
        CHECK(!transfer());
    }
    endless = -1;
    long arrived = 0;
    for (rate = 20, at = 0; rate < 2000; rate++) {
        bool whole = transfer();
        CHECK(!whole || memcmp(received, file, length) == 0);
        arrived += whole && length == SIZE;
    }
    CHECK(arrived > 500);
    printf("each of %ld bytes lost, changed, repeated: the file arrived\n", all);
    return 0;
}
