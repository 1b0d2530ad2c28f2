/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses inside Thumb-2 instructions: see thumb.h. */
#include "elfpack/insn/thumb.h"

#include <elf.h>

uint32_t rp_thumb_half(uint32_t instruction) {
    return (instruction & 0xFu) << 12 | (instruction >> 10 & 1u) << 11 |
           (instruction >> 28 & 7u) << 8 | (instruction >> 16 & 0xFFu);
}

uint32_t rp_thumb_branch(uint32_t instruction, uint32_t place, bool conditional) {
    uint32_t first = instruction & 0xFFFFu, second = instruction >> 16;
    uint32_t s = first >> 10 & 1, j1 = second >> 13 & 1, j2 = second >> 11 & 1;
    uint32_t low = (second & 0x7FF) << 1;
    if (conditional) {
        uint32_t offset = s << 20 | j2 << 19 | j1 << 18 | (first & 0x3F) << 12 | low;
        return place + 4 + ((offset ^ 0x100000) - 0x100000);
    }
    uint32_t i1 = 1 ^ j1 ^ s, i2 = 1 ^ j2 ^ s;
    uint32_t offset = s << 24 | i1 << 23 | i2 << 22 | (first & 0x3FF) << 12 | low;
    return place + 4 + ((offset ^ 0x1000000) - 0x1000000);
}

bool rp_thumb_is_distance(uint32_t type, uint32_t word, uint32_t want, uint32_t room) {
    uint32_t half = rp_thumb_half(word);
    switch (type) {
    case R_ARM_SBREL32:
        return word - want <= room;
    case R_ARM_THM_MOVW_BREL_NC:
    case R_ARM_THM_MOVW_BREL:
        return ((half - want) & 0xFFFFu) <= room;
    case R_ARM_THM_MOVT_BREL:
        return half >= want >> 16 && half <= (want + room) >> 16;
    default:
        return false;
    }
}
