/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the firmware needs of the host: plans, a place for results, and texts. semihost.c has it
 * from the emulator that runs the firmware, mailbox.c from a debugger that stops the core of a
 * board. A firmware has one of the two.
 */
#ifndef HARNESS_HOST_H
#define HARNESS_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "part.h"

/* Before anything else that is C: memory protection, caches, interrupts. */
void host_begin(void);
/*
 * Gives the host the exit status of the last plan (enum harness_exit; HARNESS_EXIT_NONE: there was
 * none), and returns when there is another plan. An emulator has only one: it ends here.
 */
void host_next(uint32_t status);

/* Prints a text where the host shows it; a board shows none. */
PART void host_print(const char *text);
PART void host_print_hex(const char *label, uint32_t value);

/* The results of a plan. False: the host did not take them. */
PART bool host_open(void);
PART bool host_write(const void *data, uint32_t size);
PART bool host_close(void);

#endif
