/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that a model is given, and the memory around it. Both are filled with known words
 * beforehand, so that it shows what was written and what was read. Addresses and sizes in bytes, of
 * any alignment.
 */
#ifndef HARNESS_MEMORY_H
#define HARNESS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "part.h"

/* A byte of the range is the byte of the word at its address modulo 4. */
PART void memory_fill(uint32_t address, uint32_t size, uint32_t word);
/* The lowest address in the range that does not hold the word; true if there is one. */
PART bool memory_changed(uint32_t address, uint32_t size, uint32_t word, uint32_t *where);

/* An area with guards on either side, and the words that they hold. */
struct memory_guard {
    uint32_t address, size_bytes;
    uint32_t guard_bytes;
    uint32_t before, inside, behind;
};
PART void memory_fill_guards(const struct memory_guard *of);
/* Fills the guards again if they were changed. */
PART bool memory_guards_changed(const struct memory_guard *of, uint32_t *where);
/* Bytes up to the last word of the area that differs from its fill. */
PART uint32_t memory_high(const struct memory_guard *of);

/* A checksum that detects any change of a single word, and most others. */
PART uint32_t memory_sum(uint32_t address, uint32_t size);

/*
 * Fills harness_stack below the caller; memory_stack_low then returns the lowest address written. A
 * caller on another stack: nothing is filled, and UINT32_MAX is returned.
 */
PART void memory_paint_stack(uint32_t word);
PART uint32_t memory_stack_low(uint32_t word);

#endif
