/* SPDX-License-Identifier: Apache-2.0 */
/* The serial line, which the board provides, and text on it. */
#ifndef SERIAL_H
#define SERIAL_H

#include <stdint.h>

void serial_begin(void);
void serial_put(uint8_t byte);
/* A byte, or -1 when there is none. */
int serial_poll(void);

/* serial.c: the same, for at most so long; -1: nothing came. */
int serial_get(uint32_t milliseconds);
/* %s and %u alone. */
void serial_print(const char *format, ...);

#endif
