/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thousands of damaged images, on the emulated core: each is refused or works, nothing faults, and
 * only the RAM that was given is written. See loader_test.c.
 */
#include "loader_kit.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_core.h"

static uint32_t random_state = 1;

static uint32_t random_u32(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

/* Boundary values, words of the image, and noise. */
static uint32_t random_word(uint32_t old, uint32_t words) {
    static const uint32_t edges[] = {
        0, 1, 3, 4, 0x0FFFFFFFu, 0x20000000u, 0x2FFFFFFCu, 0x80000000u, 0x8FFFFFFCu, UINT32_MAX};
    switch (random_u32() % 6) {
    case 0:
        return edges[random_u32() % (sizeof edges / sizeof edges[0])];
    case 1:
        return old + 1 - random_u32() % 3;
    case 2:
        return old ^ 1u << random_u32() % 32;
    case 3:
        return damaged[random_u32() % words];
    case 4:
        return (old & 0xF0000000u) | random_u32() % (4 * words + 8);
    default:
        return random_u32();
    }
}

/* With a trailer no change at all gets through. */
static void test_mutations_with_trailer(unsigned rounds) {
    uint32_t size = SIZE_OF(image_one);
    uint8_t *ram = arena_reset();
    ai_rel_network_load_args args = args_for(image_one_start, size, ram);
    unsigned accepted = 0;
    for (unsigned i = 0; i < rounds; i++) {
        uint32_t at = random_u32() % (size / 4);
        uint32_t old = damaged[at];
        uint32_t mutated = random_word(old, size / 4);
        damaged[at] = mutated;
        ai_handle net = &random_state;
        if (mutated != old)
            accepted += ai_rel_network_load_and_create_sized(&args, &net, NULL) == 0;
        damaged[at] = old;
    }
    CHECK(accepted == 0 && arena_intact(ram, 0));
}

/*
 * Without a trailer, up to three arbitrary words change. create is a stub that runs none of the
 * image's code, so that whatever passes the checks is installed. Refused or not, only the RAM that
 * was given is written, and allocated memory is freed.
 */
static void test_mutations_installed(unsigned rounds) {
    uint32_t size = SIZE_OF(image_two);
    uint32_t words = size / 4;
    unsigned installed = 0;
    struct reloc_view view;
    uint8_t *ram = arena_reset();
    ai_rel_network_load_args args = args_for(image_two_start, size, ram);
    CHECK(reloc_core_check((const uint8_t *)damaged, size, &view) == RELOC_OK);
    static uint32_t original[KIT_IMAGE_WORDS];
    uint32_t stub = PORT_STUB_OFFSET;
    damaged[RELOC_HDR_ENTRIES / 4] = RELOC_SEG_FLASH | stub | 1u;
    memcpy(original, damaged, size);
    for (unsigned i = 0; i < rounds; i++) {
        for (uint32_t n = random_u32() % 3 + 1; n != 0; n--) {
            uint32_t at = random_u32() % 2 ? random_u32() % 25 : random_u32() % words;
            if (random_u32() % 3 == 0) /* data, GOT, REL */
                at = view.ro_bytes / 4 + random_u32() % (words - view.ro_bytes / 4);
            if (at != RELOC_HDR_ENTRIES / 4 && at != stub / 4 && at != stub / 4 + 1)
                damaged[at] = random_word(damaged[at], words);
        }
        args.mode = 1u + random_u32() % 2;
        args.obj_size = size;
        args.ram_addr = i % 8 == 7 ? NULL : ram;
        args.ram_size = i % 8 == 7 ? 0 : view.bss_end + view.ro_bytes + 64;
        ai_handle net = &random_state;
        ai_error error;
        bool sized = random_u32() % 2 != 0;
        if (sized)
            (void)ai_rel_network_load_and_create_sized(&args, &net, &error);
        else
            error = ai_rel_network_load_and_create(damaged, args.ram_addr, args.ram_size, args.mode,
                                                   &net);
        bool created = error.type == AI_ERROR_CREATE_FAILED;
        installed += created;
        CHECK(error.type != AI_ERROR_NONE && heap_blocks == 0);
        CHECK(created && !sized ? ai_rel_network_destroy(net) == AI_HANDLE_NULL : net == NULL);
        if (i % 16 == 0)
            CHECK(arena_intact(ram, view.bss_end + view.ro_bytes + 64));
        memcpy(damaged, original, size);
    }
    CHECK(arena_intact(ram, view.bss_end + view.ro_bytes + 64) && installed > rounds / 20);
}

void test_mutations(void) {
    test_mutations_with_trailer(2000);
    test_mutations_installed(6000);
}
