/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting and text on the serial line: see serial.h. */
#include "serial.h"

#include <stdarg.h>

#include "system.h"
#include "watchdog.h"

int serial_get(uint32_t milliseconds) {
    int byte = serial_poll();
    watchdog_feed(); /* who waits does not hang */
    while (byte < 0 && milliseconds != 0) {
        milliseconds -= system_tick();
        byte = serial_poll();
    }
    return byte;
}

static void put_text(const char *text) {
    for (; *text != '\0'; text++)
        serial_put((uint8_t)*text);
}

static void put_number(unsigned number) {
    if (number > 9)
        put_number(number / 10);
    serial_put((uint8_t)('0' + number % 10));
}

void serial_print(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    for (; *format != '\0'; format++) {
        if (*format != '%')
            serial_put((uint8_t)*format);
        else if (*++format == 's')
            put_text(va_arg(arguments, const char *));
        else
            put_number(va_arg(arguments, unsigned));
    }
    va_end(arguments);
}
