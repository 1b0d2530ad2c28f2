/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Test firmware of the loader, for an emulated core: loads the images of loader_blobs.S and checks
 * every documented behaviour of ai_reloc_network.h. Prints one line per failed check, exits with
 * their number (0 = passed). Compiled with -ffixed-r9: r9 holds a canary all the time, so that a
 * call that loses it shows. loader.sh builds and runs it.
 */
#include "loader_kit.h"

#include <stddef.h>
#include <string.h>

#include "format/reloc_core.h"

#define SCS_WORD(address) (*(volatile uint32_t *)(address))
#define SCS_CPUID         SCS_WORD(0xE000ED00u)
#define SCS_CPACR         SCS_WORD(0xE000ED88u)

/* ---- describing ---- */

static void test_info(void) {
    ai_rel_network_info info;
    CHECK_ERROR(ai_rel_network_rt_get_info(image_one_start, &info), NONE, NONE);
    CHECK(strcmp(info.c_name, "image3") == 0);
    CHECK(AI_RELOC_RT_GET_CPUID(info.variant) == (SCS_CPUID >> 4 & 0xFFFu));
    CHECK(AI_RELOC_RT_FPU_USED(info.variant) == PORT_FPU);
    CHECK(AI_RELOC_RT_GET_MAJOR(info.variant) == 2 && AI_RELOC_RT_GET_MINOR(info.variant) == 0);
    CHECK(info.weights_sz == IMAGE_WEIGHTS_BYTES && info.acts_sz == IMAGE_ACTS_BYTES);
    CHECK(memcmp(info.weights, image_weights_start, IMAGE_WEIGHTS_BYTES) == 0);
    CHECK(info.rt_ram_copy == info.rt_ram_xip + AI_RELOC_ROUND_UP(info.code_sz));
    CHECK(ai_rel_network_rt_get_info_sized(image_split_start, SIZE_OF(image_split), &info) == 0);
    CHECK(info.weights == NULL && info.weights_sz == IMAGE_WEIGHTS_BYTES);
}

static void test_info_refuses(void) {
    ai_rel_network_info info;
    memset(&info, 0x77, sizeof info);
    CHECK_ERROR(ai_rel_network_rt_get_info(NULL, &info), INVALID_HANDLE, INVALID_PTR);
    CHECK_ERROR(ai_rel_network_rt_get_info(image_one_start + 2, &info), INVALID_HANDLE,
                INVALID_PTR);
    CHECK_ERROR(ai_rel_network_rt_get_info(image_one_start + 4, &info), INVALID_HANDLE,
                INVALID_PTR);
    CHECK_ERROR(ai_rel_network_rt_get_info(image_one_start, NULL), INVALID_PARAM, INVALID_PTR);
    for (uint32_t i = 0; i < sizeof info; i++)
        CHECK(((uint8_t *)&info)[i] == 0x77);
    CHECK(ai_rel_network_rt_get_info_sized(image_one_start, 99, &info) == AI_RELOC_E_TRUNCATED);
    CHECK(ai_rel_network_check(NULL, 100) == AI_RELOC_E_OBJECT);
    CHECK(ai_rel_network_check(image_one_start, SIZE_OF(image_one)) == 0);
    CHECK(ai_rel_network_check(image_two_start, SIZE_OF(image_two)) == 0);
    CHECK(ai_rel_network_check(image_one_start, SIZE_OF(image_one) - 1) == AI_RELOC_E_TRAILER);
    CHECK(ai_rel_network_check(image_two_start, SIZE_OF(image_two) - 1) == AI_RELOC_E_TRUNCATED);
}

static void test_check_weights(void) {
    uint32_t size = SIZE_OF(image_split);
    CHECK(ai_rel_network_check_weights(image_two_start, SIZE_OF(image_two), image_weights_start,
                                       IMAGE_WEIGHTS_BYTES) == 0);
    CHECK(ai_rel_network_check_weights(image_split_start, size, image_weights_start,
                                       IMAGE_WEIGHTS_BYTES - 1) == AI_RELOC_E_WEIGHTS_SIZE);
    CHECK(ai_rel_network_check_weights(image_split_start, size, image_weights_start,
                                       IMAGE_WEIGHTS_BYTES) == AI_RELOC_E_NO_TRAILER);
    CHECK(ai_rel_network_check_weights(image_split_start, size, image_weights_start,
                                       SIZE_OF(image_weights)) == 0);
    CHECK(ai_rel_network_check_weights(image_split_start, size, NULL, 4) == AI_RELOC_E_ARGUMENT);
}

/* ---- loading ---- */

static void test_xip(void) {
    ai_rel_network_info info;
    ai_handle net = AI_HANDLE_NULL;
    uint8_t *ram = arena_reset();
    (void)ai_rel_network_rt_get_info(image_one_start, &info);
    caches_reset();
    CHECK_ERROR(ai_rel_network_load_and_create(image_one_start, ram, info.rt_ram_xip,
                                               AI_RELOC_RT_LOAD_MODE_XIP, &net),
                NONE, NONE);
    CHECK(caches_did(1, image_one_start, info.code_sz));
    CHECK(works(net, image_one_start, ID_ONE, 1) && run_is_right(net, ID_ONE, 2));
    CHECK(caches_did(1, image_one_start, info.code_sz));
    CHECK(arena_intact(ram, info.rt_ram_xip));
    CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
    CHECK(ai_rel_network_destroy(net) == net);
    CHECK(arena_intact(ram, info.rt_ram_xip) && heap_blocks == 0);
}

static void test_copy(void) {
    ai_rel_network_info info;
    ai_handle net = AI_HANDLE_NULL;
    uint8_t *ram = arena_reset() + 4;
    (void)ai_rel_network_rt_get_info(image_two_start, &info);
    caches_reset();
    CHECK_ERROR(ai_rel_network_load_and_create(image_two_start, ram, info.rt_ram_copy,
                                               AI_RELOC_RT_LOAD_MODE_COPY, &net),
                NONE, NONE);
    CHECK(caches_did(2, ram, info.code_sz)); /* before create, and after */
    CHECK(works(net, image_two_start, ID_TWO, 1));
    CHECK(caches_did(3, ram, info.code_sz)); /* and after init */
    CHECK(arena_intact(ram, info.rt_ram_copy));
    CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
}

/* The image's text is overwritten after the load: COPY must not need it any more. */
static void test_copy_is_whole(void) {
    static uint32_t source[KIT_IMAGE_WORDS];
    ai_rel_network_info info;
    ai_handle net = AI_HANDLE_NULL;
    uint8_t *ram = arena_reset();
    memcpy(source, image_split_start, SIZE_OF(image_split));
    (void)ai_rel_network_rt_get_info(source, &info);
    CHECK_ERROR(ai_rel_network_load_and_create(source, ram, info.rt_ram_copy,
                                               AI_RELOC_RT_LOAD_MODE_COPY, &net),
                NONE, NONE);
    memset(source, 0xDE, sizeof source);
    CHECK(init_with(net, image_weights_start) && run_is_right(net, ID_ONE, 1));
    CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
}

/* No address or no size: either way the RAM comes from the heap, and what was given is left alone.
 */
static void test_allocated(uint32_t mode) {
    ai_handle net = AI_HANDLE_NULL;
    ai_rel_network_info info;
    (void)ai_rel_network_rt_get_info(image_one_start, &info);
    uint32_t need = mode == AI_RELOC_RT_LOAD_MODE_XIP ? info.rt_ram_xip : info.rt_ram_copy;
    const struct {
        ai_handle address;
        ai_size size;
    } given[] = {{NULL, 0}, {NULL, 1}, {NULL, 16384}, {arena_reset(), 0}, {arena_start + 1, 0}};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        CHECK_ERROR(ai_rel_network_load_and_create(image_one_start, given[i].address, given[i].size,
                                                   mode, &net),
                    NONE, NONE);
        CHECK(heap_blocks == 1 && heap_asked == need && arena_intact(arena_start, 0));
        CHECK(works(net, image_one_start, ID_ONE, 1));
        CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL && heap_blocks == 0);
    }
    CHECK(ai_rel_network_destroy(net) == net && heap_blocks == 0);
    heap_empty = true;
    CHECK_ERROR(ai_rel_network_load_and_create(image_one_start, NULL, 0, mode, &net),
                ALLOCATION_FAILED, INVALID_SIZE);
    heap_empty = false;
}
/* Two instances of one image and one of another, run in turns; then destroy and load again. */
static void test_instances(void) {
    uint8_t *ram = arena_reset();
    ai_handle a = load_at(image_one_start, ram, AI_RELOC_RT_LOAD_MODE_XIP);
    ai_handle b = load_at(image_one_start, ram + 4096, AI_RELOC_RT_LOAD_MODE_COPY);
    ai_handle c = load_at(image_two_start, ram + 8192, AI_RELOC_RT_LOAD_MODE_COPY);
    CHECK(a != b && b != c);
    CHECK(works(a, image_one_start, ID_ONE, 1));
    CHECK(works(b, image_one_start, ID_ONE, 1));
    CHECK(works(c, image_two_start, ID_TWO, 1));
    CHECK(run_is_right(a, ID_ONE, 2) && run_is_right(a, ID_ONE, 3));
    CHECK(run_is_right(c, ID_TWO, 2) && run_is_right(b, ID_ONE, 2));
    CHECK(ai_rel_network_destroy(a) == AI_HANDLE_NULL);
    CHECK(run_is_right(b, ID_ONE, 3));
    a = load_at(image_two_start, ram, AI_RELOC_RT_LOAD_MODE_XIP);
    CHECK(works(a, image_two_start, ID_TWO, 1) && run_is_right(b, ID_ONE, 4));
    CHECK(ai_rel_network_destroy(b) == AI_HANDLE_NULL);
    CHECK(ai_rel_network_destroy(c) == AI_HANDLE_NULL);
    CHECK(ai_rel_network_destroy(a) == AI_HANDLE_NULL);
}

/* ---- refusals ---- */
/* Loads, expects code and its translation, and that nothing at all was done. */
static void refused(const ai_rel_network_load_args *args, int32_t code, uint32_t type,
                    uint32_t error_code) {
    ai_handle net = &kit_failures;
    ai_error error;
    caches_reset();
    CHECK(ai_rel_network_load_and_create_sized(args, &net, &error) == code);
    CHECK(error.type == type && error.code == error_code);
    CHECK(net == NULL && heap_blocks == 0 && caches_did(0, NULL, 0));
    CHECK(ai_rel_network_destroy(net) == NULL);
    CHECK_ERROR(ai_rel_network_get_error(net), INVALID_HANDLE, INVALID_PTR);
    CHECK(arena_intact(arena_start, 0));
}

static void test_arguments(void) {
    uint8_t *ram = arena_reset();
    ai_rel_network_load_args good = args_for(image_two_start, SIZE_OF(image_two), ram);
    ai_rel_network_load_args bad = good;
    ai_rel_network_info info;
    (void)ai_rel_network_rt_get_info(image_two_start, &info);
    static const uint32_t modes[] = {0, 3, 4, 5, 0x80000001u, UINT32_MAX};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        bad.mode = modes[i];
        refused(&bad, AI_RELOC_E_MODE, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_OUT_OF_RANGE);
    }
    bad = good;
    bad.ram_size = info.rt_ram_xip - 1;
    refused(&bad, AI_RELOC_E_RAM_SIZE, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_SIZE);
    bad.ram_size = info.rt_ram_copy - 1;
    bad.mode = AI_RELOC_RT_LOAD_MODE_COPY;
    refused(&bad, AI_RELOC_E_RAM_SIZE, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_SIZE);
    bad = good;
    bad.ram_addr = ram + 2;
    refused(&bad, AI_RELOC_E_RAM_ADDRESS, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR);
    bad.ram_addr = (ai_handle)(uintptr_t)0xFFFFFFF0u;
    bad.ram_size = UINT32_MAX;
    refused(&bad, AI_RELOC_E_RAM_SIZE, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_SIZE);
    CHECK(ai_rel_network_load_and_create_sized(NULL, NULL, NULL) == AI_RELOC_E_ARGUMENT);
    CHECK_ERROR(ai_rel_network_load_and_create(image_two_start, ram, 65536, 1, NULL), INVALID_PARAM,
                INVALID_PTR);
}

static void test_overlap(void) {
    uint32_t size = SIZE_OF(image_two);
    ai_rel_network_load_args bad = args_for(image_two_start, size, arena_reset());
    uint8_t *image = (uint8_t *)damaged;
    uint32_t ends[] = {0, 4, size / 2 & ~3u, (size - 1) & ~3u};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        bad.ram_addr = image + ends[i];
        refused(&bad, AI_RELOC_E_RAM_OVERLAP, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR);
    }
    CHECK(memcmp(damaged, image_two_start, size) == 0);
    ai_rel_network_info info;
    CHECK(ai_rel_network_rt_get_info_sized(damaged, size, &info) == 0);
    uint8_t *ram = arena_reset(); /* RAM that ends inside the image */
    memcpy(ram + info.rt_ram_xip - 4, image_two_start, size);
    uint32_t before = *(uint32_t *)(void *)(ram + info.rt_ram_xip - 4);
    ai_handle net = NULL;
    CHECK_ERROR(ai_rel_network_load_and_create(ram + info.rt_ram_xip - 4, ram, info.rt_ram_xip,
                                               AI_RELOC_RT_LOAD_MODE_XIP, &net),
                INVALID_PARAM, INVALID_PTR);
    CHECK(net == NULL && *(uint32_t *)(void *)(ram + info.rt_ram_xip - 4) == before);
    ram = arena_reset(); /* and RAM that ends right before it: fine */
    memcpy(ram + info.rt_ram_xip, image_two_start, size);
    CHECK_ERROR(ai_rel_network_load_and_create(ram + info.rt_ram_xip, ram, info.rt_ram_xip,
                                               AI_RELOC_RT_LOAD_MODE_XIP, &net),
                NONE, NONE);
    CHECK(ai_rel_network_destroy(net) == NULL);
}

static void test_core_check(void) {
    uint32_t size = SIZE_OF(image_two);
    ai_rel_network_load_args bad = args_for(image_two_start, size, arena_reset());
    static const uint32_t parts[] = {0xC60, 0xC23, 0xC24, 0xC27, 0xD21, 0xD22, 0xD23, 0x000};
    uint32_t flags = damaged[1];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        damaged[1] = (flags & ~0xFFFu) | parts[i];
        if (parts[i] != (flags & 0xFFFu))
            refused(&bad, AI_RELOC_E_CPU, AI_ERROR_TOOL_PLATFORM_API_MISMATCH,
                    AI_ERROR_CODE_INVALID_FORMAT);
    }
    damaged[1] = flags | 1u << 12; /* with the FPU bit also on a core without */
    uint32_t cpacr = SCS_CPACR;
    SCS_CPACR = cpacr & ~0x00F00000u;
    refused(&bad, AI_RELOC_E_FPU, AI_ERROR_TOOL_PLATFORM_API_MISMATCH,
            AI_ERROR_CODE_INVALID_FORMAT);
    SCS_CPACR = cpacr;
}

static void test_damage(void) {
    uint32_t size = SIZE_OF(image_one);
    ai_rel_network_load_args bad = args_for(image_one_start, size, arena_reset());
    uint8_t *bytes = (uint8_t *)damaged;
    static const uint32_t from_end[] = {1, 4, 12, 40, 60, 72, 76, 80, 84, 88, 92, 96};
    for (size_t i = 0; i < sizeof from_end / sizeof from_end[0]; i++) {
        bytes[size - from_end[i]] ^= 0x10;
        refused(&bad, AI_RELOC_E_TRAILER, AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR);
        bytes[size - from_end[i]] ^= 0x10;
    }
    bytes[size - 100] ^= 1; /* the last weight */
    refused(&bad, AI_RELOC_E_CRC, AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR);
    bytes[size - 100] ^= 1;
    bytes[110] ^= 0x80; /* text */
    refused(&bad, AI_RELOC_E_CRC, AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR);
    bytes[110] ^= 0x80;
    bad.obj_size -= 4;
    refused(&bad, AI_RELOC_E_TRAILER, AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR);
}

/* A handle that says why create failed, as often as it is asked, and is good for nothing else. */
static void check_error_handle(ai_handle net) {
    ai_network_report report;
    ai_observer_node node = {0};
    CHECK_ERROR(ai_rel_network_get_error(net), CREATE_FAILED, NONE + 1);
    CHECK_ERROR(ai_rel_network_get_error(net), CREATE_FAILED, NONE + 1);
    CHECK(!init_with(net, image_weights_start) && ai_rel_network_run(net, NULL, NULL) == 0);
    CHECK(!ai_rel_network_get_report(net, &report) && !ai_rel_network_abort(net));
    CHECK(!ai_rel_platform_observer_node_info(net, &node));
    CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
}

/* create fails (counter is not 7): the error is the image's, and no RAM stays allocated. */
static void test_create_fails(void) {
    struct reloc_view view;
    ai_rel_network_load_args bad = args_for(image_two_start, SIZE_OF(image_two), arena_reset());
    CHECK(reloc_core_check((const uint8_t *)damaged, SIZE_OF(image_two), &view) == 0);
    for (uint32_t i = view.ro_bytes / 4; i < (view.ro_bytes + view.data_end) / 4; i++)
        if (damaged[i] == 7)
            damaged[i] = 8;
    ai_error error;
    ai_handle net = &kit_failures;
    CHECK(ai_rel_network_load_and_create_sized(&bad, &net, &error) == AI_RELOC_E_CREATE);
    CHECK(error.type == AI_ERROR_CREATE_FAILED && error.code == 1 && net == NULL);
    net = (uint8_t *)bad.ram_addr + view.ctx; /* the half-made instance */
    CHECK(ai_rel_network_destroy(net) == net && !run_is_right(net, ID_TWO, 1));
    error = ai_rel_network_load_and_create(damaged, NULL, 0, AI_RELOC_RT_LOAD_MODE_XIP, &net);
    CHECK(error.type == AI_ERROR_CREATE_FAILED && error.code == 1);
    CHECK(heap_blocks == 0);
    check_error_handle(net);
}

/* ---- handles ---- */

static void test_handles(void) {
    static uint32_t other[16];
    ai_network_report report;
    ai_observer_node node = {0};
    ai_handle handles[] = {NULL, other, (uint8_t *)other + 2,
                           (ai_handle)(uintptr_t)image_one_start};
    ai_handle net = load_at(image_one_start, arena_reset(), AI_RELOC_RT_LOAD_MODE_XIP);
    memcpy(other, net, 52); /* a copy of a context is not the instance */
    for (size_t i = 0; i < sizeof handles / sizeof handles[0]; i++) {
        CHECK(!init_with(handles[i], image_weights_start) && !run_is_right(handles[i], 0, 0));
        CHECK(!ai_rel_network_get_report(handles[i], &report));
        CHECK_ERROR(ai_rel_network_get_error(handles[i]), INVALID_HANDLE, INVALID_PTR);
        CHECK(!ai_rel_platform_observer_node_info(handles[i], &node));
        CHECK(ai_rel_network_destroy(handles[i]) == handles[i] &&
              !ai_rel_network_abort(handles[i]));
    }
    CHECK(!ai_rel_network_get_report(net, NULL));
    CHECK(!ai_rel_platform_observer_node_info(net, NULL));
    CHECK(ai_rel_network_run(net, NULL, NULL) == -1);
    CHECK_ERROR(ai_rel_network_get_error(net), INVALID_STATE, MISSED_INIT);
    CHECK_ERROR(ai_rel_network_get_error(net), NONE, NONE);
    CHECK(!ai_rel_network_init(net, NULL, NULL));
    CHECK_ERROR(ai_rel_network_get_error(net), INIT_FAILED, NETWORK_PARAMS);
    CHECK(ai_rel_network_destroy(net) == NULL);
}

int main(void) {
    port_set_r9();
    test_info();
    test_info_refuses();
    test_check_weights();
    test_xip();
    test_copy();
    test_copy_is_whole();
    test_allocated(AI_RELOC_RT_LOAD_MODE_XIP);
    test_allocated(AI_RELOC_RT_LOAD_MODE_COPY);
    test_instances();
    test_arguments();
    test_overlap();
    test_core_check();
    test_damage();
    test_create_fails();
    test_handles();
    test_report();
    test_observer();
    test_node_info();
    test_trust();
    test_mutations();
    CHECK(port_r9() == PORT_R9);
    return kit_result();
}
