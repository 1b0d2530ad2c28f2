/* SPDX-License-Identifier: Apache-2.0 */
/* The first UART of the MPS2 boards (CMSDK APB UART). */
#include "serial.h"

#include <stdint.h>

#include "board.h"

struct uart {
    volatile uint32_t data, state, ctrl, interrupts, divider;
};
enum { TX_FULL = 1, RX_FULL = 2, TX_ON = 1, RX_ON = 2 };
#define UART ((struct uart *)BOARD_UART)

void serial_begin(void) {
    UART->divider = BOARD_CLOCK / 115200;
    UART->ctrl = TX_ON | RX_ON;
}

void serial_put(uint8_t byte) {
    while ((UART->state & TX_FULL) != 0) {
    }
    UART->data = byte;
}

int serial_poll(void) {
    return (UART->state & RX_FULL) != 0 ? (int)(UART->data & 0xFF) : -1;
}
