/* SPDX-License-Identifier: Apache-2.0 */
/* The emulator's log of blocks: see executed.h. */
#include "cli/verify/executed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "elfpack/insn/insn.h"

/* Marks the instructions in so many bytes from an address on, the first one in any case. */
static void mark(struct rp_executed *log, uint32_t address, size_t bytes) {
    for (size_t i = 0; i < log->area_count; i++) {
        uint32_t at = address - log->areas[i].address;
        if (at >= log->areas[i].size)
            continue;
        const uint32_t start = at;
        do {
            const struct rp_insn insn = rp_insn_read(log->code + at, log->size - at, at);
            log->begins[at / 2] = 1;
            at += insn.size != 0 ? insn.size : 2;
        } while (at < log->size && at - start < bytes);
    }
}

/*
 * "0x0000a094:  464b       mov r3, sb" for each instruction. An emulator without a disassembler
 * writes the address of the block alone, then "OBJD-T: 4b465a69…", 32 bytes a line.
 */
void rp_executed_take(struct rp_executed *log, const char *text, size_t size) {
    static const char raw[] = "OBJD-T: ";
    const char *end = text + size;
    uint32_t address = 0;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        const size_t len = (size_t)((stop != NULL ? stop : end) - text);
        char line[sizeof raw + 64];
        const size_t kept = len < sizeof line - 1 ? len : sizeof line - 1;
        memcpy(line, text, kept);
        line[kept] = '\0';
        if (strncmp(line, "0x", 2) == 0) {
            address = (uint32_t)strtoul(line, NULL, 16);
            mark(log, address, 0);
        } else if (strncmp(line, raw, sizeof raw - 1) == 0) {
            size_t digits = 0;
            while (isxdigit((unsigned char)line[sizeof raw - 1 + digits]) != 0)
                digits++;
            mark(log, address, digits / 2);
            address += (uint32_t)(digits / 2);
        }
        text += len + 1;
    }
}

uint32_t rp_executed_bytes(const struct rp_executed *log) {
    uint32_t bytes = 0;
    for (uint32_t at = 0; at < log->size; at += 2)
        if (log->begins[at / 2] != 0)
            bytes += rp_insn_read(log->code + at, log->size - at, at).size;
    return bytes;
}
