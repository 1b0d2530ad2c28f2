/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Semihosting calls of a firmware to the emulator that runs it ("Semihosting for AArch32 and
 * AArch64", Arm; calls by BKPT 0xAB on Cortex-M). Without a host that answers, BKPT faults.
 */
#ifndef HARNESS_SEMIHOST_H
#define HARNESS_SEMIHOST_H

#include <stdbool.h>
#include <stdint.h>

/* Modes of semihost_open, as for fopen. */
enum semihost_mode {
    SEMIHOST_READ = 1,  /* "rb" */
    SEMIHOST_WRITE = 5, /* "wb" */
    SEMIHOST_APPEND = 9 /* "ab" */
};

/* Prints a text on the emulator's console: its standard error, unless redirected. */
void semihost_print(const char *text);
void semihost_print_hex(const char *label, uint32_t value);

/* Opens a file of the host, relative to the emulator's folder; a handle, or negative. */
int32_t semihost_open(const char *path, enum semihost_mode mode);
/* True if all size bytes were transferred. */
bool semihost_write(int32_t file, const void *data, uint32_t size);
bool semihost_read(int32_t file, void *data, uint32_t size);
/* Length in bytes, or negative. */
int32_t semihost_length(int32_t file);
bool semihost_close(int32_t file);

/* Copies the text of -append or arg= into text[size], terminated; false if it does not fit. */
bool semihost_command_line(char *text, uint32_t size);

/* Ends the emulator; status (0 to 255) is its exit status. */
_Noreturn void semihost_exit(uint32_t status);

#endif
