/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the loader in its other configuration: AI_RELOC_CPUID_SUPERSET,
 * AI_RELOC_NO_MALLOC, AI_RELOC_REQUIRE_TRAILER, the loader's own cache maintenance, and the report
 * layout of 124 bytes. Prints and exits as loader_test.c does.
 */
#include "loader_kit.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_core.h"

#define SCS_WORD(address) (*(volatile uint32_t *)(address))
#define SCS_CPUID         SCS_WORD(0xE000ED00u)
#define SCS_CCR           SCS_WORD(0xE000ED14u)

static void test_no_heap(void) {
    ai_handle net = NULL;
    CHECK_ERROR(
        ai_rel_network_load_and_create(image_one_start, NULL, 0, AI_RELOC_RT_LOAD_MODE_XIP, &net),
        ALLOCATION_FAILED, INVALID_SIZE);
    CHECK(net == NULL && heap_asked == 0);
}

static void test_trailer_required(void) {
    ai_rel_network_info info;
    uint32_t cut = SIZE_OF(image_two) - RELOC_TRL_BYTES;
    ai_handle net = &kit_failures;
    CHECK(ai_rel_network_check(image_one_start, SIZE_OF(image_one)) == 0);
    CHECK_ERROR(ai_rel_network_rt_get_info(image_one_start, &info), NONE, NONE);
    CHECK_ERROR(ai_rel_network_rt_get_info(image_split_start, &info), NONE, NONE);
    CHECK(ai_rel_network_check(image_two_start, cut) == AI_RELOC_E_NO_TRAILER);
    CHECK(ai_rel_network_rt_get_info_sized(image_two_start, cut, &info) == AI_RELOC_E_NO_TRAILER);
    memset(damaged, 0xFF, sizeof damaged);
    memcpy(damaged, image_two_start, cut);
    CHECK_ERROR(ai_rel_network_rt_get_info(damaged, &info), INVALID_HANDLE, INVALID_PTR);
    CHECK_ERROR(ai_rel_network_load_and_create(damaged, arena_reset(), 16384,
                                               AI_RELOC_RT_LOAD_MODE_COPY, &net),
                INVALID_HANDLE, INVALID_PTR);
    CHECK(net == NULL && arena_intact(arena_start, 0));
}

/* Only the trailer is read after the content, and damage in either is found. */
static void test_trailer_of_plain_functions(void) {
    uint32_t size = SIZE_OF(image_one);
    ai_rel_network_info info;
    memset(damaged, 0xFF, sizeof damaged);
    memcpy(damaged, image_one_start, size);
    CHECK_ERROR(ai_rel_network_rt_get_info(damaged, &info), NONE, NONE);
    for (uint32_t at = 25; at < size / 4; at++) {
        damaged[at] ^= 1u << at % 32;
        ai_handle net = &kit_failures;
        uint8_t *ram = arena_reset();
        ai_error error =
            ai_rel_network_load_and_create(damaged, ram, 16384, AI_RELOC_RT_LOAD_MODE_XIP, &net);
        CHECK(error.type != AI_ERROR_NONE && net == NULL && arena_intact(ram, 0));
        damaged[at] ^= 1u << at % 32;
    }
    memset((uint8_t *)damaged + size - 96, 0xFF, 96); /* as if the trailer had not been written */
    CHECK_ERROR(ai_rel_network_rt_get_info(damaged, &info), INVALID_HANDLE, INVALID_PTR);
}

/* Corrects the trailer of a changed image, using the loader's own CRC function. */
static void sign_again(uint32_t size) {
    uint32_t content = size - RELOC_TRL_BYTES;
    uint32_t *trailer = damaged + content / 4;
    trailer[RELOC_TRL_CRC32 / 4] = reloc_crc32(0, (const uint8_t *)damaged, content);
    trailer[RELOC_TRL_SELF_CRC32 / 4] =
        reloc_crc32(0, (const uint8_t *)trailer, RELOC_TRL_SELF_CRC32);
}

/* Tries every CPU part: an image is accepted if and only if the core has all instructions of its
 * part. */
static void test_superset(void) {
    static const struct {
        uint32_t image;
        uint32_t core;
    } extra[] = {{0xC23, 0xC24}, {0xC23, 0xC27}, {0xC24, 0xC27}, {0xD20, 0xD21},
                 {0xD20, 0xD22}, {0xD21, 0xD22}, {0xD23, 0xD22}, {0xD24, 0xD22}};
    static const uint32_t parts[] = {0xC20, 0xC60, 0xC23, 0xC24, 0xC27,
                                     0xD20, 0xD21, 0xD22, 0xD23, 0xD24};
    uint32_t core = SCS_CPUID >> 4 & 0xFFFu;
    uint8_t *ram = arena_reset();
    memcpy(damaged, image_two_start, SIZE_OF(image_two));
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool expected = parts[i] == core || parts[i] == 0xC20 || parts[i] == 0xC60;
        for (size_t k = 0; k < sizeof extra / sizeof extra[0]; k++)
            expected = expected || (extra[k].image == parts[i] && extra[k].core == core);
        damaged[1] = (damaged[1] & ~0xFFFu) | parts[i];
        sign_again(SIZE_OF(image_two));
        ai_handle net = NULL;
        ai_error error =
            ai_rel_network_load_and_create(damaged, ram, 16384, AI_RELOC_RT_LOAD_MODE_COPY, &net);
        CHECK(expected ? error.type == AI_ERROR_NONE
                       : error.type == AI_ERROR_TOOL_PLATFORM_API_MISMATCH);
        CHECK(!expected || (works(net, (const uint8_t *)damaged, ID_TWO, 1) &&
                            ai_rel_network_destroy(net) == NULL));
    }
}

/* Runs with the caches enabled, where the core has any: the emulator models no caches but accepts
 * writes to their registers. */
static void test_caches(void) {
    uint32_t ccr = SCS_CCR;
    SCS_CCR = ccr | 3u << 16;
    ai_handle net = load_at(image_one_start, arena_reset(), AI_RELOC_RT_LOAD_MODE_COPY);
    CHECK(works(net, image_one_start, ID_ONE, 1) && ai_rel_network_destroy(net) == NULL);
    SCS_CCR = ccr;
}

int main(void) {
    port_set_r9();
    test_no_heap();
    test_trailer_required();
    test_trailer_of_plain_functions();
    test_superset();
    test_caches();
    test_report();
    test_observer();
    CHECK(port_r9() == PORT_R9);
    return kit_result();
}
