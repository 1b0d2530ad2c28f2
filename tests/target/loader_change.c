/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Images that change while they are loaded, as a DMA, another core or an external flash can change
 * them. A timer interrupts the loader after every so many instructions (the emulator counts them)
 * and its handler writes one word of the image; over all runs, every word that decides an address
 * changes at every stage of the load. create is a stub, so that only the loader runs. Nothing
 * outside the RAM is written, only the stub is called (anything else would fault or not return),
 * and no installed word leads elsewhere.
 */
#include "loader_kit.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_core.h"

#define SYST_CSR (*(volatile uint32_t *)0xE000E010u)
#define SYST_RVR (*(volatile uint32_t *)0xE000E014u)
#define SYST_CVR (*(volatile uint32_t *)0xE000E018u)
#define SCB_VTOR (*(volatile uint32_t *)0xE000ED08u)
enum { VECTORS = 16, SYSTICK = 15 };

static uint32_t vectors[VECTORS] __attribute__((aligned(128)));
static volatile uint32_t change_at, change_to; /* index of a word of damaged, and its new value */
static volatile bool changed;

static void on_timer(void) {
    damaged[change_at] = change_to;
    SYST_CSR = 0;
    changed = true;
}

static void start_timer(uint32_t ticks) {
    changed = false;
    SYST_RVR = ticks;
    SYST_CVR = 0;
    SYST_CSR = 7; /* processor clock, interrupt, on */
}

/* ---- one load ---- */

static struct reloc_view view; /* of the image as it was */
static uint32_t original[KIT_IMAGE_WORDS];
static uint32_t image_size;
static unsigned installed, refused, late;

/* Returns whether all words that this header lists for rebasing lead into the instance. */
static bool is_rebased(const uint8_t *block, uint32_t mode, const uint32_t *header) {
    bool copy = mode == AI_RELOC_RT_LOAD_MODE_COPY;
    uint32_t ro_bytes = header[RELOC_HDR_DATA_DATA / 4] & RELOC_OFFSET_MASK;
    uint32_t bss_end = header[RELOC_HDR_BSS_END / 4] & RELOC_OFFSET_MASK;
    uint32_t rom = (uint32_t)(uintptr_t)(copy ? block : (const uint8_t *)damaged);
    uint32_t ram = (uint32_t)(uintptr_t)block + (copy ? ro_bytes : 0);
    uint32_t got = header[RELOC_HDR_GOT_START / 4] & RELOC_OFFSET_MASK;
    for (; got < (header[RELOC_HDR_GOT_END / 4] & RELOC_OFFSET_MASK); got += 4) {
        uint32_t word = *(const uint32_t *)(uintptr_t)(ram + got);
        if (word != 0 && word - rom > ro_bytes && word - ram > bss_end)
            return false;
    }
    return true;
}

/*
 * The header that was used is the one before the change or the one after it; with a trailer
 * everything is the original, because nothing else has its CRC.
 */
static bool is_whole(const uint8_t *block, uint32_t mode) {
    uint32_t header[RELOC_HDR_BYTES / 4];
    memcpy(header, original, sizeof header);
    bool whole = is_rebased(block, mode, header);
    if (view.trailer != 0 && mode == AI_RELOC_RT_LOAD_MODE_COPY)
        return whole && memcmp(block, original, view.ro_bytes) == 0;
    if (whole || change_at >= RELOC_HDR_BYTES / 4)
        return whole;
    header[change_at] = change_to;
    return is_rebased(block, mode, header);
}

static void load(uint8_t *ram, uint32_t mode, bool sized, uint32_t ticks) {
    ai_rel_network_load_args args = {.obj = damaged,
                                     .obj_size = image_size,
                                     .ram_addr = ram,
                                     .ram_size = reloc_ram_copy(&view),
                                     .mode = mode};
    ai_handle net = &kit_failures;
    ai_error error;
    start_timer(ticks);
    if (sized)
        (void)ai_rel_network_load_and_create_sized(&args, &net, &error);
    else
        error = ai_rel_network_load_and_create(damaged, ram, args.ram_size, mode, &net);
    SYST_CSR = 0;
    late += !changed;
    memcpy(damaged, original, image_size);
    CHECK(error.type != AI_ERROR_NONE);
    if (error.type == AI_ERROR_CREATE_FAILED) {
        installed++;
        CHECK(is_whole(ram, mode));
        CHECK(sized ? net == NULL : ai_rel_network_destroy(net) == AI_HANDLE_NULL);
    } else {
        refused++;
        CHECK(net == NULL);
    }
}

/* ---- all loads ---- */

/* New value of a word: another place, a limit, or one bit flipped. */
static uint32_t other_value(uint32_t word, uint32_t round) {
    switch (round % 6) {
    case 0:
        return word ^ 0x00010000u;
    case 1:
        return word + 0x8000u;
    case 2:
        return (word & 0xF0000000u) | 0x0FFFFFFCu;
    case 3:
        return word ^ 1u << round % 28;
    case 4:
        return 0;
    default:
        return word + 4;
    }
}

/* Chooses words of the header, the context, the GOT, REL and some of the code in turn. */
static uint32_t victim(uint32_t round) {
    uint32_t data = view.ro_bytes / 4, n = round / 6;
    switch (round % 6) {
    case 0:
    case 1:
        return 1 + n % (RELOC_HDR_BYTES / 4 - 1);
    case 2:
        return data + view.ctx / 4 + n % (RELOC_CTX_BYTES / 4);
    case 3:
        return (view.ro_bytes + view.got_start) / 4 + n % ((view.got_end - view.got_start) / 4);
    case 4:
        return view.rel_start / 4 + n % ((view.rel_end - view.rel_start) / 4);
    default:
        return RELOC_HDR_BYTES / 4 + n % (data - RELOC_HDR_BYTES / 4);
    }
}

static void change_all(const uint8_t *image, uint32_t size, bool sized) {
    static const uint32_t step = 41; /* covers instants at all distances over many rounds */
    uint8_t *ram = arena_reset();
    image_size = size;
    memcpy(damaged, image, size);
    if (sized) /* also checks the header's original create entry */
        CHECK(reloc_core_check((const uint8_t *)damaged, size, &view) == RELOC_OK);
    else
        CHECK(reloc_core_check((const uint8_t *)damaged, RELOC_SIZE_UNKNOWN, &view) == RELOC_OK);
    damaged[RELOC_HDR_ENTRIES / 4] = RELOC_SEG_FLASH | PORT_STUB_OFFSET | 1u;
    if (view.trailer != 0) { /* correct the trailer for the stub */
        uint32_t *trailer = damaged + view.trailer / 4;
        trailer[RELOC_TRL_CRC32 / 4] = reloc_crc32(0, (const uint8_t *)damaged, view.trailer);
        trailer[RELOC_TRL_SELF_CRC32 / 4] =
            reloc_crc32(0, (const uint8_t *)trailer, RELOC_TRL_SELF_CRC32);
    }
    memcpy(original, damaged, size);
    for (uint32_t mode = 1; mode < 3; mode++) {
        uint32_t ticks = 30, round = 0;
        for (late = 0; late < 24; ticks += step, round++) {
            change_at = victim(round);
            if (change_at - PORT_STUB_OFFSET / 4 < 2) /* the stub's own code */
                change_at += 2;
            change_to = other_value(original[change_at], round / 5);
            if (change_at == RELOC_HDR_ENTRIES / 4) /* create: either refused or not read again */
                change_to = RELOC_SEG_FLASH | (RELOC_OFFSET_MASK - 2u);
            load(ram, mode, sized, ticks);
            if (round % 8 == 0)
                CHECK(arena_intact(ram, reloc_ram_copy(&view)));
        }
        CHECK(arena_intact(ram, reloc_ram_copy(&view)));
    }
}

int main(void) {
    port_set_r9();
    memcpy(vectors, (const void *)(uintptr_t)SCB_VTOR, sizeof vectors);
    vectors[SYSTICK] = (uint32_t)(uintptr_t)on_timer;
    SCB_VTOR = (uint32_t)(uintptr_t)vectors;
    change_all(image_two_start, SIZE_OF(image_two), true);
    change_all(image_two_start, SIZE_OF(image_two), false);
    change_all(image_one_start, SIZE_OF(image_one), true);
    CHECK(installed > 100 && refused > 100);
    port_print_u32(installed);
    port_print(" installed, ");
    port_print_u32(refused);
    port_print(" refused\n");
    return kit_result();
}
