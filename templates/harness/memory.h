/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory that a model is given: filled with a pattern beforehand, with guards on either side, so
 * that it shows what was written. Addresses and sizes in bytes, of any alignment.
 */
#ifndef HARNESS_MEMORY_H
#define HARNESS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the word that memory is filled with, and the bytes of a guard. */
void memory_setup(uint32_t pattern, uint32_t guard_bytes);
uint32_t memory_guard_bytes(void);

void memory_fill(uint32_t address, uint32_t size);
/* Fills the area and both guards. */
void memory_fill_guarded(uint32_t address, uint32_t size);

/* The lowest address in the range that does not hold the pattern; true if there is one. */
bool memory_changed(uint32_t address, uint32_t size, uint32_t *where);
/* The same of the two guards of an area, which are then filled again. */
bool memory_guards_changed(uint32_t address, uint32_t size, uint32_t *where);

/* Bytes up to the last word that does not hold the pattern. */
uint32_t memory_high(uint32_t address, uint32_t size);

/* Tells any change of a single word, and most others. */
uint32_t memory_sum(uint32_t address, uint32_t size);

/* Fills the stack below the caller; memory_stack_low then returns the lowest address written. */
void memory_paint_stack(void);
uint32_t memory_stack_low(void);

#endif
