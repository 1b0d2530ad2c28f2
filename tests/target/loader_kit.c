/* SPDX-License-Identifier: Apache-2.0 */
/* What the test firmwares share: see loader_kit.h. */
#include "loader_kit.h"

#include <stddef.h>
#include <string.h>

unsigned kit_failures;

void kit_check(bool good, const char *what, unsigned line) {
    if (good)
        return;
    kit_failures++;
    port_print("FAILED line ");
    port_print_u32(line);
    port_print(": ");
    port_print(what);
    port_print("\n");
}

void kit_check_error(ai_error error, ai_error expected, const char *what, unsigned line) {
    kit_check(error.type == expected.type && error.code == expected.code, what, line);
}

int kit_result(void) {
    port_print(kit_failures == 0 ? "passed\n" : "failed\n");
    return kit_failures > 255 ? 255 : (int)kit_failures;
}

/* ---- RAM with guards ---- */

enum { FILL = 0x5A, ARENA_BYTES = 32768, ARENA_BEFORE = 8192 };
static uint64_t arena[ARENA_BYTES / 8];
uint8_t *const arena_start = (uint8_t *)arena;

uint8_t *arena_reset(void) {
    memset(arena, FILL, sizeof arena);
    return arena_start + ARENA_BEFORE;
}

/* Returns whether all bytes outside a hole still have the fill. */
static bool filled(const uint8_t *bytes, uint32_t size, const uint8_t *hole, uint32_t hole_size) {
    for (const uint8_t *p = bytes; p < bytes + size; p++)
        if (*p != FILL && (p < hole || p >= hole + hole_size))
            return false;
    return true;
}

bool arena_intact(const uint8_t *start, uint32_t size) {
    return filled(arena_start, sizeof arena, start, size);
}

/* ---- heap ---- */

enum { HEAP_BYTES = 8192, HEAP_GUARD = 256 };
static uint64_t heap[HEAP_BYTES / 8];
static uint8_t *const heap_block = (uint8_t *)heap + HEAP_GUARD;
unsigned heap_blocks;
bool heap_empty;
uint32_t heap_asked;

void *test_malloc(uint32_t size) {
    heap_asked = size;
    CHECK(heap_blocks == 0);
    if (heap_empty || size > sizeof heap - 2 * HEAP_GUARD)
        return NULL;
    memset(heap, FILL, sizeof heap);
    heap_blocks++;
    return heap_block;
}

void test_free(void *address) {
    CHECK(address == heap_block && heap_blocks == 1);
    CHECK(filled((const uint8_t *)heap, sizeof heap, heap_block, heap_asked));
    heap_blocks--;
    memset(heap, 0xEE, sizeof heap); /* a use after free finds no valid context */
}

/* ---- cache hooks: count and the last range ---- */

struct range {
    unsigned calls;
    const void *address;
    uint32_t size;
};
static struct range cleaned, invalidated;

void (*kit_before_create)(void);

void test_dcache_clean(const void *address, uint32_t size) {
    if (kit_before_create != NULL)
        kit_before_create();
    cleaned.calls++;
    cleaned.address = address;
    cleaned.size = size;
}

void test_icache_invalidate(const void *address, uint32_t size) {
    CHECK(cleaned.calls == invalidated.calls + 1);
    invalidated.calls++;
    invalidated.address = address;
    invalidated.size = size;
}

bool caches_did(unsigned calls, const void *address, uint32_t size) {
    bool good = cleaned.calls == calls && invalidated.calls == calls;
    return good && (calls == 0 || (cleaned.address == address && cleaned.size == size &&
                                   invalidated.address == address && invalidated.size == size));
}

void caches_reset(void) {
    memset(&cleaned, 0, sizeof cleaned);
    memset(&invalidated, 0, sizeof invalidated);
}

/* ---- running a model ---- */

static int32_t activations[IMAGE_ACTS_BYTES / 4];
static int32_t in_data[IMAGE_ELEMENTS], out_data[IMAGE_ELEMENTS];

/* Initialises with the weights of the info or of the file, runs, and compares with the formula. */
bool run_is_right(ai_handle net, int32_t id, int32_t run) {
    ai_buffer in = {.size = IMAGE_ELEMENTS, .data = in_data};
    ai_buffer out = {.size = IMAGE_ELEMENTS, .data = out_data};
    for (int32_t i = 0; i < IMAGE_ELEMENTS; i++)
        in_data[i] = 10 * i - 17;
    memset(out_data, 0xCC, sizeof out_data);
    if (ai_rel_network_run(net, &in, &out) != 1)
        return false;
    for (int32_t i = 0; i < IMAGE_ELEMENTS; i++)
        if (out_data[i] != in_data[i] * (i + 1) + id + run - 1)
            return false;
    return true;
}

bool init_with(ai_handle net, const void *weights) {
    ai_handle weights_addr = (ai_handle)(uintptr_t)weights;
    const ai_handle acts[] = {activations};
    return ai_rel_network_init(net, &weights_addr, acts);
}

static const void *weights_of(const uint8_t *image) {
    ai_rel_network_info info;
    CHECK_ERROR(ai_rel_network_rt_get_info(image, &info), NONE, NONE);
    return info.weights != NULL ? info.weights : image_weights_start;
}

bool works(ai_handle net, const uint8_t *image, int32_t id, int32_t run) {
    return init_with(net, weights_of(image)) && run_is_right(net, id, run);
}

ai_handle load_at(const uint8_t *image, uint8_t *ram, uint32_t mode) {
    ai_handle net = AI_HANDLE_NULL;
    ai_rel_network_info info;
    CHECK_ERROR(ai_rel_network_rt_get_info(image, &info), NONE, NONE);
    CHECK_ERROR(ai_rel_network_load_and_create(image, ram,
                                               mode == AI_RELOC_RT_LOAD_MODE_XIP ? info.rt_ram_xip
                                                                                 : info.rt_ram_copy,
                                               mode, &net),
                NONE, NONE);
    return net;
}

/* ---- an image to damage ---- */

uint32_t damaged[KIT_IMAGE_WORDS];

ai_rel_network_load_args args_for(const uint8_t *image, uint32_t size, uint8_t *ram) {
    ai_rel_network_info info;
    ai_rel_network_load_args args = {
        .obj = damaged, .obj_size = size, .ram_addr = ram, .mode = AI_RELOC_RT_LOAD_MODE_XIP};
    memcpy(damaged, image, size);
    CHECK(ai_rel_network_rt_get_info_sized(damaged, size, &info) == 0);
    args.ram_size = info.rt_ram_copy;
    return args;
}
