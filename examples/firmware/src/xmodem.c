/* SPDX-License-Identifier: Apache-2.0 */
/* XMODEM, the receiving side: see xmodem.h. */
#include "xmodem.h"

#include "serial.h"

enum { SOH = 1, STX = 2, EOT = 4, ACK = 6, NAK = 21, CAN = 24, WITH_CRC = 'C' };
enum { PATIENCE = 20 };       /* errors in a row */
enum { BYTES_MAX = 32 << 10 }; /* from one new block to the next */

static uint8_t block[1024];
static uint32_t left; /* of BYTES_MAX */

static uint16_t crc_step(uint16_t crc, uint8_t byte) {
    crc ^= (uint16_t)(byte << 8);
    for (int bit = 0; bit < 8; bit++)
        crc = (uint16_t)((crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1);
    return crc;
}

/* As serial_get, but a line that never stops becomes quiet. */
static int get(uint32_t milliseconds) {
    const int byte = left != 0 ? serial_get(milliseconds) : -1;
    left -= byte >= 0;
    return byte;
}

/* What follows the first byte of a block. Returns its number, -1: it is damaged. */
static int read_block(uint32_t size) {
    uint16_t crc = 0;
    const int number = get(1000), inverse = get(1000);
    for (uint32_t i = 0; i < size; i++) {
        int byte = get(1000);
        if (byte < 0)
            return -1;
        block[i] = (uint8_t)byte;
        crc = crc_step(crc, block[i]);
    }
    const int high = get(1000), low = get(1000);
    bool good = number >= 0 && inverse == 255 - number && high == crc >> 8 && low == (crc & 0xFF);
    return good ? number : -1;
}

/* Until the line is quiet: then the sender begins a block again. */
static void wait_for_quiet(void) {
    while (get(100) >= 0) {
    }
}

bool xmodem_receive(bool (*take)(void *context, const uint8_t *bytes, uint32_t count),
                    void *context) {
    uint8_t last = 0;
    bool begun = false;
    int before = 0, kind = 0, cancels = 0;
    left = BYTES_MAX;
    serial_put(WITH_CRC);
    for (int errors = 0; errors < PATIENCE;) {
        before = kind;
        kind = get(before == CAN ? 100 : 3000);
        /* One alone may be a byte of a block whose beginning was lost: then that comes again. */
        if (before == EOT && (kind == EOT || kind < 0)) {
            serial_put(ACK);
            return begun;
        }
        if (cancels >= 2 && kind < 0)
            break;
        cancels = kind == CAN ? cancels + 1 : 0;
        if (kind == CAN)
            continue;
        int number = kind == SOH || kind == STX ? read_block(kind == STX ? 1024 : 128) : -1;
        if (number == (uint8_t)(last + 1)) {
            if (!take(context, block, kind == STX ? 1024 : 128))
                break;
            last++;
            begun = true;
            left = BYTES_MAX;
        } else if (!begun || number != last) { /* last: it was sent again */
            wait_for_quiet();
            serial_put(begun ? NAK : WITH_CRC);
            errors++;
            continue;
        }
        errors = 0;
        serial_put(ACK);
    }
    serial_put(CAN);
    serial_put(CAN);
    wait_for_quiet(); /* what the sender still sends is no command */
    return false;
}
