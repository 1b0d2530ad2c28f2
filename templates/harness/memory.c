/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns and guards: see memory.h. A byte's pattern depends on its address modulo 4 only. */
#include "memory.h"

#include "harness.h"

static uint32_t pattern;
static uint32_t guard_bytes;

void memory_setup(uint32_t pattern_word, uint32_t guard) {
    pattern = pattern_word;
    guard_bytes = guard;
}

uint32_t memory_guard_bytes(void) {
    return guard_bytes;
}

static volatile uint8_t *byte_at(uint32_t address) {
    return (volatile uint8_t *)(uintptr_t)address;
}

static volatile uint32_t *word_at(uint32_t address) {
    return (volatile uint32_t *)(uintptr_t)address;
}

static uint8_t pattern_at(uint32_t address) {
    return (uint8_t)(pattern >> (8 * (address & 3u)));
}

void memory_fill(uint32_t address, uint32_t size) {
    uint32_t end = address + size;
    for (; address != end && address % 4 != 0; address++)
        *byte_at(address) = pattern_at(address);
    for (; end - address >= 4; address += 4)
        *word_at(address) = pattern;
    for (; address != end; address++)
        *byte_at(address) = pattern_at(address);
}

void memory_fill_guarded(uint32_t address, uint32_t size) {
    memory_fill(address - guard_bytes, size + 2 * guard_bytes);
}

bool memory_changed(uint32_t address, uint32_t size, uint32_t *where) {
    for (uint32_t end = address + size; address != end; address++) {
        if (*byte_at(address) != pattern_at(address)) {
            *where = address;
            return true;
        }
    }
    return false;
}

bool memory_guards_changed(uint32_t address, uint32_t size, uint32_t *where) {
    uint32_t below = address - guard_bytes;
    uint32_t above = address + size;
    if (!memory_changed(below, guard_bytes, where) && !memory_changed(above, guard_bytes, where))
        return false;
    memory_fill(below, guard_bytes);
    memory_fill(above, guard_bytes);
    return true;
}

uint32_t memory_high(uint32_t address, uint32_t size) {
    uint32_t end = address + size;
    for (; end != address && end % 4 != 0; end--)
        if (*byte_at(end - 1) != pattern_at(end - 1))
            return end - address;
    while (end - address >= 4 && *word_at(end - 4) == pattern)
        end -= 4;
    return end - address;
}

uint32_t memory_sum(uint32_t address, uint32_t size) {
    uint32_t sum = size;
    for (; size >= 4; size -= 4, address += 4)
        sum = (sum << 5 | sum >> 27) + *word_at(address);
    for (; size != 0; size--, address++)
        sum = (sum << 5 | sum >> 27) + *byte_at(address);
    return sum;
}

/* Leaves what this function itself may use. */
__attribute__((noinline)) void memory_paint_stack(void) {
    uint32_t start = (uint32_t)(uintptr_t)harness_stack_start;
    uint32_t here = (uint32_t)(uintptr_t)__builtin_frame_address(0) & ~UINT32_C(3);
    for (uint32_t at = start; at < here - 32; at += 4)
        *word_at(at) = pattern;
}

uint32_t memory_stack_low(void) {
    uint32_t at = (uint32_t)(uintptr_t)harness_stack_start;
    uint32_t end = (uint32_t)(uintptr_t)harness_stack_end;
    while (at != end && *word_at(at) == pattern)
        at += 4;
    return at;
}
