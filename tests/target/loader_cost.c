/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instructions of a load, counted by the emulator (-icount): the images are made here and consist
 * of a stub that all entries lead to and the requested number of words to rebase. Two sizes give
 * the cost of one word, and of one byte under the CRC. Fails when a word costs more than the limit.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ai_reloc_network.h"
#include "loader_port.h"
#include "format/reloc_core.h"

#define SYST_CSR  (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR  (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR  (*(volatile uint32_t *)0xE000E018u)
#define SCB_CPUID (*(volatile uint32_t *)0xE000ED00u)

enum { RO_BYTES = 112, CODE_AT = 100, NAME_AT = 104 };
#if __ARM_ARCH_ISA_THUMB == 1 /* fewer registers, and a step more for each mask and bit field */
enum { LIMIT_PER_WORD = 40 };
#else
enum { LIMIT_PER_WORD = 25 };
#endif
enum { MAX_WORDS = 8192, IMAGE_WORDS = (RO_BYTES + RELOC_CTX_BYTES + RELOC_TRL_BYTES) / 4 };
static uint32_t image[IMAGE_WORDS + 2 * MAX_WORDS];
static uint32_t ram[IMAGE_WORDS + MAX_WORDS];

/* ---- images ---- */

enum kind { SORTED = 0, SCATTERED = 1, IN_GOT = 2, WITH_TRAILER = 4 };

/* Builds an image with count words that lead to the data, listed in REL (sorted or scattered) or in
 * the GOT. */
static uint32_t build(uint32_t count, uint32_t kind) {
    uint32_t data = RO_BYTES / 4, got = kind & IN_GOT ? count : 0, rel = kind & IN_GOT ? 0 : count;
    uint32_t data_bytes = RELOC_CTX_BYTES + 4 * rel, all = data_bytes + 4 * got;
    uint32_t list = data + all / 4, end = 4 * (list + rel);
    memset(image, 0, sizeof image);
    image[RELOC_HDR_MAGIC / 4] = RELOC_MAGIC;
    image[RELOC_HDR_FLAGS / 4] = RELOC_FLAGS(2, 0, RELOC_TOOL_GCC, 0, 0, SCB_CPUID >> 4 & 0xFFFu);
    image[RELOC_HDR_DATA_START / 4] = RELOC_SEG_RAM;
    image[RELOC_HDR_DATA_END / 4] = RELOC_SEG_RAM | data_bytes;
    image[RELOC_HDR_DATA_DATA / 4] = RELOC_SEG_FLASH | RO_BYTES;
    image[RELOC_HDR_BSS_START / 4] = image[RELOC_HDR_BSS_END / 4] = RELOC_SEG_RAM | all;
    image[RELOC_HDR_GOT_START / 4] = RELOC_SEG_RAM | data_bytes;
    image[RELOC_HDR_GOT_END / 4] = RELOC_SEG_RAM | all;
    image[RELOC_HDR_REL_START / 4] = RELOC_SEG_FLASH | 4 * list;
    image[RELOC_HDR_REL_END / 4] = RELOC_SEG_FLASH | end;
    for (uint32_t i = 0; i < RELOC_ENTRY_CTX; i++)
        image[RELOC_HDR_ENTRIES / 4 + i] = RELOC_SEG_FLASH | CODE_AT | 1u;
    image[RELOC_HDR_ENTRIES / 4 + RELOC_ENTRY_CTX] = RELOC_SEG_RAM;
    image[CODE_AT / 4] = 0x47702000u; /* movs r0, #0; bx lr */
    image[NAME_AT / 4] = 'n';
    image[data + RELOC_CTX_C_NAME / 4] = RELOC_SEG_FLASH | NAME_AT;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = RELOC_CTX_BYTES + 4 * i, odd = 5003u * i % count; /* 5003 is prime */
        image[data + at / 4] = RELOC_SEG_RAM | at;
        if (rel != 0)
            image[list + i] = RELOC_SEG_RAM | (RELOC_CTX_BYTES + 4 * (kind & SCATTERED ? odd : i));
    }
    if ((kind & WITH_TRAILER) == 0)
        return end;
    uint32_t *trailer = image + end / 4;
    trailer[RELOC_TRL_MAGIC / 4] = RELOC_TRAILER_MAGIC;
    trailer[RELOC_TRL_VERSION / 4] = 1;
    trailer[RELOC_TRL_SIZE / 4] = RELOC_TRL_BYTES;
    trailer[RELOC_TRL_KIND / 4] = RELOC_TRL_IMAGE;
    trailer[RELOC_TRL_LENGTH / 4] = end;
    trailer[RELOC_TRL_CRC32 / 4] = reloc_crc32(0, (const uint8_t *)image, end);
    trailer[RELOC_TRL_SELF_CRC32 / 4] =
        reloc_crc32(0, (const uint8_t *)trailer, RELOC_TRL_SELF_CRC32);
    return end + RELOC_TRL_BYTES;
}

/* ---- counting ---- */

static uint32_t ticks_per_1024; /* ticks of 1024 instructions */

static uint32_t stop(void) {
    uint32_t ticks = 0x00FFFFFFu - SYST_CVR;
    SYST_CSR = 0;
    return ticks;
}

static void start(void) {
    SYST_RVR = 0x00FFFFFFu;
    SYST_CVR = 0;
    SYST_CSR = 5; /* processor clock, on, no interrupt */
}

static void calibrate(void) {
    uint32_t rounds = 1u << 20;
    start();
    __asm__ volatile(".syntax unified\n1: subs %0, %0, #1\n\tbne 1b" : "+l"(rounds) : : "cc");
    ticks_per_1024 = stop() >> 11; /* 2 << 20 instructions */
}

/* Returns the instructions of a load, 0 if it failed. */
static uint32_t load(uint32_t count, uint32_t kind, uint32_t mode) {
    ai_rel_network_load_args args = {.obj = image,
                                     .obj_size = build(count, kind),
                                     .ram_addr = ram,
                                     .ram_size = sizeof ram,
                                     .mode = mode};
    ai_handle net = AI_HANDLE_NULL;
    start();
    int32_t code = ai_rel_network_load_and_create_sized(&args, &net, NULL);
    uint32_t ticks = stop();
    for (uint32_t i = 0; i < count && code == 0; i++)
        if (((uint32_t *)net)[RELOC_CTX_BYTES / 4 + i] !=
            (uint32_t)(uintptr_t)net + RELOC_CTX_BYTES + 4 * i)
            return 0;
    return code == 0 ? (uint32_t)((uint64_t)ticks * 1024 / ticks_per_1024) : 0;
}

/* Returns the cost of one more unit, in hundredths of an instruction. */
static uint32_t say(const char *what, uint32_t kind, uint32_t mode, uint32_t units) {
    uint32_t few = load(1024, kind, mode), many = load(5120, kind, mode);
    uint32_t cost = few == 0 || many == 0 ? UINT32_MAX : (many - few) * 25 / (1024 * units);
    port_print(what);
    port_print(": ");
    port_print_u32(cost / 100);
    port_print(cost % 100 < 10 ? ".0" : ".");
    port_print_u32(cost % 100);
    port_print("\n");
    return cost;
}

/* Returns the C library memcpy's share of that cost, in hundredths of an instruction. */
static uint32_t copying(void) {
    start();
    memcpy(ram, image, 4 * 4096);
    return (uint32_t)((uint64_t)stop() * 25 / ticks_per_1024); /* * 1024 * 100 / 4096 */
}

int main(void) {
    bool good = true;
    calibrate();
    const uint32_t limit = 100 * LIMIT_PER_WORD + copying();
    port_print("a word in memcpy, which is part of all: ");
    port_print_u32(copying() / 100);
    port_print(".");
    port_print_u32(copying() % 100);
    port_print("\n");
    good &= say("a word in REL, XIP", SORTED, 1, 1) <= limit;
    good &= say("a word in REL, COPY", SORTED, 2, 1) <= limit;
    good &= say("a word in REL, in no order", SCATTERED, 1, 1) <= limit;
    good &= say("a word in the GOT", IN_GOT, 1, 1) <= limit;
    uint32_t plain = say("a word in the GOT, no CRC", IN_GOT, 2, 1);
    uint32_t summed = say("a word in the GOT, CRC twice", IN_GOT | WITH_TRAILER, 2, 1);
    port_print("a byte of the CRC: ");
    port_print_u32((summed - plain) / 8 / 100);
    port_print("\n");
    uint32_t scattered = load(4096, SCATTERED, 1);
    port_print("4096 words in no order: ");
    port_print_u32(scattered);
    port_print(" instructions\nfixed: ");
    port_print_u32(load(1, SORTED, 1));
    port_print(" instructions\n");
    good &= scattered != 0 && scattered < (LIMIT_PER_WORD + 15) * 4096;
    port_print(good ? "passed\n" : "failed\n");
    return good ? 0 : 1;
}
