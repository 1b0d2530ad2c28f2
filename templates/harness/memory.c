/* SPDX-License-Identifier: Apache-2.0 */
/* Filling memory and looking at it: see memory.h. */
#include "memory.h"

#include "harness.h"

static volatile uint8_t *byte_at(uint32_t address) {
    return (volatile uint8_t *)(uintptr_t)address;
}

static uint32_t *word_at(uint32_t address) {
    return (uint32_t *)(uintptr_t)address;
}

static uint8_t byte_of(uint32_t word, uint32_t address) {
    return (uint8_t)(word >> (8 * (address & 3u)));
}

/* Megabytes are filled, so this writes eight words a round. */
void memory_fill(uint32_t address, uint32_t size, uint32_t word) {
    uint32_t end = address + size;
    for (; address != end && address % 4 != 0; address++)
        *byte_at(address) = byte_of(word, address);
    for (; end - address >= 32; address += 32) {
        uint32_t *to = word_at(address);
        to[0] = to[1] = to[2] = to[3] = to[4] = to[5] = to[6] = to[7] = word;
    }
    for (; address != end; address++)
        *byte_at(address) = byte_of(word, address);
}

bool memory_changed(uint32_t address, uint32_t size, uint32_t word, uint32_t *where) {
    uint32_t end = address + size;
    while (address != end) {
        if (address % 4 == 0 && end - address >= 4 && *word_at(address) == word) {
            address += 4;
            continue;
        }
        if (*byte_at(address) != byte_of(word, address)) {
            *where = address;
            return true;
        }
        address++;
    }
    return false;
}

void memory_fill_guards(const struct memory_guard *of) {
    memory_fill(of->address - of->guard_bytes, of->guard_bytes, of->before);
    memory_fill(of->address + of->size_bytes, of->guard_bytes, of->behind);
}

bool memory_guards_changed(const struct memory_guard *of, uint32_t *where) {
    if (!memory_changed(of->address - of->guard_bytes, of->guard_bytes, of->before, where) &&
        !memory_changed(of->address + of->size_bytes, of->guard_bytes, of->behind, where))
        return false;
    memory_fill_guards(of);
    return true;
}

uint32_t memory_high(const struct memory_guard *of) {
    uint32_t address = of->address;
    uint32_t end = address + of->size_bytes;
    for (; end != address && end % 4 != 0; end--)
        if (*byte_at(end - 1) != byte_of(of->inside, end - 1))
            return end - address;
    while (end - address >= 4 && *word_at(end - 4) == of->inside)
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

static bool is_on_stack(uint32_t address) {
    return address - harness_stack.address < harness_stack.size_bytes;
}

/* Leaves out the stack that this function itself may use. */
__attribute__((noinline)) void memory_paint_stack(uint32_t word) {
    uint32_t here = (uint32_t)(uintptr_t)__builtin_frame_address(0) & ~UINT32_C(3);
    if (!is_on_stack(here))
        return;
    for (uint32_t at = harness_stack.address; at < here - 32; at += 4)
        *(volatile uint32_t *)word_at(at) = word;
}

uint32_t memory_stack_low(uint32_t word) {
    uint32_t at = harness_stack.address;
    if (!is_on_stack((uint32_t)(uintptr_t)__builtin_frame_address(0)))
        return UINT32_MAX;
    while (is_on_stack(at) && *(volatile uint32_t *)word_at(at) == word)
        at += 4;
    return at;
}
