/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an image, or a caller, may not make the loader do: sizes and activations that cannot be,
 * every single bit flipped in everything that decides an address, lists that are not sorted, and
 * what is left of an instance whose run never came back. See loader_test.c.
 */
#include "loader_kit.h"

#include <setjmp.h>
#include <stddef.h>
#include <string.h>

#include "format/reloc_core.h"

/* ---- sizes ---- */

/* The largest size is what a failed ftell gives: it is no size, and not "unknown". */
static void test_sizes(void) {
    uint8_t *ram = arena_reset();
    ai_rel_network_load_args args = args_for(image_one_start, SIZE_OF(image_one), ram);
    uint32_t room = 0u - (uint32_t)(uintptr_t)damaged;
    const uint32_t sizes[] = {UINT32_MAX, UINT32_MAX - 3, room + 1};
    ai_rel_network_info info;
    ai_handle net = &kit_failures;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        args.obj_size = sizes[i];
        CHECK(ai_rel_network_check(damaged, sizes[i]) == AI_RELOC_E_OBJECT);
        CHECK(ai_rel_network_rt_get_info_sized(damaged, sizes[i], &info) == AI_RELOC_E_OBJECT);
        CHECK(ai_rel_network_check_weights(damaged, sizes[i], image_weights_start, 64) ==
              AI_RELOC_E_OBJECT);
        CHECK(ai_rel_network_load_and_create_sized(&args, &net, NULL) == AI_RELOC_E_OBJECT);
    }
    CHECK(ai_rel_network_check_weights(damaged, SIZE_OF(image_one), image_weights_start,
                                       UINT32_MAX) == AI_RELOC_E_OBJECT);
    CHECK(net == NULL && arena_intact(ram, 0));
}

/* Sizes in the context that round up to nothing, or are larger than an image can be. */
static void test_context_sizes(void) {
    static const uint32_t sizes[] = {0xFFFFFFFDu, UINT32_MAX, 0x80000000u, 0x10000000u};
    struct reloc_view view;
    ai_rel_network_info info;
    ai_rel_network_load_args args = args_for(image_two_start, SIZE_OF(image_two), arena_reset());
    CHECK(reloc_core_check((const uint8_t *)damaged, SIZE_OF(image_two), &view) == RELOC_OK);
    uint32_t *ctx = damaged + (view.ro_bytes + view.ctx) / 4;
    for (uint32_t word = RELOC_CTX_ACTS_SIZE / 4; word <= RELOC_CTX_WEIGHTS_SIZE / 4; word++) {
        uint32_t old = ctx[word];
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            ai_handle net = &kit_failures;
            ctx[word] = sizes[i];
            CHECK(ai_rel_network_load_and_create_sized(&args, &net, NULL) == AI_RELOC_E_CONTEXT);
            CHECK_ERROR(ai_rel_network_rt_get_info(damaged, &info), INVALID_HANDLE, INVALID_PTR);
            CHECK(net == NULL && arena_intact(arena_start, 0));
        }
        ctx[word] = old;
    }
}

/* ---- activations ---- */

static void test_activations(uint32_t mode) {
    ai_rel_network_info info;
    uint8_t *ram = arena_reset();
    memcpy(damaged, image_two_start, SIZE_OF(image_two));
    CHECK_ERROR(ai_rel_network_rt_get_info(damaged, &info), NONE, NONE);
    uint32_t need = mode == AI_RELOC_RT_LOAD_MODE_XIP ? info.rt_ram_xip : info.rt_ram_copy;
    uint8_t *code = mode == AI_RELOC_RT_LOAD_MODE_XIP ? (uint8_t *)damaged : ram;
    ai_handle net = load_at((const uint8_t *)damaged, ram, mode);
    uint8_t *over[] = {ram, ram + 4, ram + need - 4, code, code + info.code_sz - 4};
    static uint8_t before[16384];
    memcpy(before, ram, need);
    for (size_t i = 0; i < sizeof over / sizeof over[0]; i++) {
        const ai_handle acts[] = {over[i]};
        CHECK(!ai_rel_network_init(net, &info.weights, acts));
        CHECK(memcmp(before, ram, need) == 0);
    }
    const ai_handle behind[] = {ram + need};
    CHECK(ai_rel_network_init(net, &info.weights, behind) && run_is_right(net, ID_TWO, 1));
    CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
}

/* ---- flipped bits ---- */

/*
 * Loads with RAM in the middle of the arena, by the function with a size or the other; create is a
 * stub, so that what passes the checks is installed and none of the image's code runs. Whether it
 * was installed.
 */
static bool tries(uint8_t *ram, uint32_t room, uint32_t mode, bool sized) {
    ai_rel_network_load_args args = {.obj = damaged,
                                     .obj_size = SIZE_OF(image_two),
                                     .ram_addr = ram,
                                     .ram_size = room,
                                     .mode = mode};
    ai_handle net = &kit_failures;
    ai_error error;
    if (sized)
        (void)ai_rel_network_load_and_create_sized(&args, &net, &error);
    else
        error = ai_rel_network_load_and_create(damaged, ram, room, mode, &net);
    bool created = error.type == AI_ERROR_CREATE_FAILED;
    CHECK(error.type != AI_ERROR_NONE);
    CHECK(created && !sized ? ai_rel_network_destroy(net) == AI_HANDLE_NULL : net == NULL);
    return created;
}

/* Every word that was to be rebased leads into the instance, as the header that was checked says.
 */
static bool rebased(const uint8_t *ram, const struct reloc_view *view, uint32_t mode) {
    bool copy = mode == AI_RELOC_RT_LOAD_MODE_COPY;
    uint32_t rom = (uint32_t)(uintptr_t)(copy ? ram : (const uint8_t *)damaged);
    uint32_t base = (uint32_t)(uintptr_t)ram + (copy ? view->ro_bytes : 0);
    for (uint32_t at = view->got_start; at < view->got_end; at += 4) {
        uint32_t word = *(const uint32_t *)(uintptr_t)(base + at);
        if (word != 0 && word - rom > view->ro_bytes && word - base > view->bss_end)
            return false;
    }
    return true;
}

/* All bits of all words from first up to end, by both functions, in both modes. */
static unsigned flip(uint8_t *ram, uint32_t room, uint32_t first, uint32_t end) {
    unsigned installed = 0;
    for (uint32_t at = first; at < end; at++)
        for (uint32_t bit = 0; bit < 32; bit++) {
            uint32_t mode = 1 + bit % 2;
            if (at == RELOC_HDR_ENTRIES / 4)
                continue; /* the stub's address */
            damaged[at] ^= 1u << bit;
            for (uint32_t sized = 0; sized < 2; sized++) {
                struct reloc_view view;
                arena_reset();
                if (tries(ram, room, mode, sized != 0)) {
                    installed++;
                    CHECK(reloc_core_check((const uint8_t *)damaged,
                                           sized ? SIZE_OF(image_two) : RELOC_SIZE_UNKNOWN,
                                           &view) == RELOC_OK);
                    CHECK(rebased(ram, &view, mode));
                }
                if (bit % 8 == 0)
                    CHECK(arena_intact(ram, room));
            }
            damaged[at] ^= 1u << bit;
        }
    return installed;
}

static void test_flips(void) {
    struct reloc_view view;
    uint8_t *ram = arena_reset();
    (void)args_for(image_two_start, SIZE_OF(image_two), ram);
    CHECK(reloc_core_check((const uint8_t *)damaged, SIZE_OF(image_two), &view) == RELOC_OK);
    uint32_t room = reloc_ram_copy(&view);
    damaged[RELOC_HDR_ENTRIES / 4] = RELOC_SEG_FLASH | PORT_STUB_OFFSET | 1u;
    (void)flip(ram, room, 0, RELOC_HDR_BYTES / 4);
    (void)flip(ram, room, (view.ro_bytes + view.ctx) / 4,
               (view.ro_bytes + view.ctx + RELOC_CTX_BYTES) / 4);
    CHECK(flip(ram, room, (view.ro_bytes + view.got_start) / 4,
               (view.ro_bytes + view.got_end) / 4) != 0);
    (void)flip(ram, room, view.rel_start / 4, view.rel_end / 4);
}

/* ---- REL in another order ---- */

static void test_unsorted(void) {
    struct reloc_view view;
    uint8_t *ram = arena_reset();
    for (uint32_t mode = 1; mode < 3; mode++) {
        ai_rel_network_load_args args = args_for(image_two_start, SIZE_OF(image_two), ram);
        CHECK(reloc_core_check((const uint8_t *)damaged, SIZE_OF(image_two), &view) == RELOC_OK);
        uint32_t *rel = damaged + view.rel_start / 4, *last = damaged + view.rel_end / 4 - 1;
        ai_handle net = AI_HANDLE_NULL;
        args.mode = mode;
        for (uint32_t *a = rel, *b = last; a < b; a++, b--) {
            uint32_t word = *a;
            *a = *b;
            *b = word;
        }
        CHECK(ai_rel_network_load_and_create_sized(&args, &net, NULL) == 0);
        CHECK(works(net, (const uint8_t *)damaged, ID_TWO, 1));
        CHECK(ai_rel_network_destroy(net) == AI_HANDLE_NULL);
        *last = *rel; /* twice, far apart */
        net = &kit_failures;
        CHECK(ai_rel_network_load_and_create_sized(&args, &net, NULL) == AI_RELOC_E_REL_DUPLICATE);
        CHECK(net == NULL && arena_intact(ram, args.ram_size));
    }
}

/* ---- abort ---- */

static jmp_buf killed;

static ai_u32 kill(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    (void)cookie, (void)flags, (void)node;
    longjmp(killed, 1); /* as a fault handler that gives the task up */
}

static void test_abort(void) {
    ai_handle net = AI_HANDLE_NULL;
    CHECK_ERROR(
        ai_rel_network_load_and_create(image_one_start, NULL, 0, AI_RELOC_RT_LOAD_MODE_COPY, &net),
        NONE, NONE);
    CHECK(!ai_rel_network_abort(net)); /* nothing is under way */
    CHECK(works(net, image_one_start, ID_ONE, 1));
    CHECK(ai_rel_platform_observer_register(net, kill, NULL, AI_OBSERVER_PRE_EVT));
    if (setjmp(killed) == 0)
        (void)run_is_right(net, ID_ONE, 2);
    CHECK(port_r9() == PORT_R9);
    CHECK(ai_rel_network_run(net, NULL, NULL) == 0 && ai_rel_network_destroy(net) == net);
    CHECK(ai_rel_network_abort(net) && ai_rel_network_abort(net));
    CHECK(!init_with(net, image_weights_start) && ai_rel_network_run(net, NULL, NULL) == 0);
    CHECK(!ai_rel_platform_observer_unregister(net, kill, NULL));
    CHECK(heap_blocks == 1 && ai_rel_network_destroy(net) == AI_HANDLE_NULL && heap_blocks == 0);
    CHECK(!ai_rel_network_abort(net) && ai_rel_network_destroy(net) == net);
}

/* As another task that gives the model up, while this one goes on. */
static ai_u32 give_up(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    (void)flags, (void)node;
    CHECK(ai_rel_network_abort(cookie));
    return 0;
}

/* The call returns after its instance was aborted: nothing but destroy works any more. */
static void test_abort_of_what_returns(void) {
    ai_handle net = AI_HANDLE_NULL;
    ai_network_report report;
    ai_observer_node node = {0};
    CHECK_ERROR(
        ai_rel_network_load_and_create(image_one_start, NULL, 0, AI_RELOC_RT_LOAD_MODE_COPY, &net),
        NONE, NONE);
    CHECK(works(net, image_one_start, ID_ONE, 1));
    CHECK(ai_rel_platform_observer_register(net, give_up, net, AI_OBSERVER_PRE_EVT));
    (void)run_is_right(net, ID_ONE, 2);
    CHECK(!init_with(net, image_weights_start) && ai_rel_network_run(net, NULL, NULL) == 0);
    CHECK(!run_is_right(net, ID_ONE, 2) && !ai_rel_network_get_report(net, &report));
    CHECK_ERROR(ai_rel_network_get_error(net), INVALID_HANDLE, INVALID_PTR);
    CHECK(!ai_rel_platform_observer_unregister(net, give_up, net) &&
          !ai_rel_platform_observer_register(net, give_up, net, AI_OBSERVER_PRE_EVT) &&
          !ai_rel_platform_observer_node_info(net, &node));
    CHECK(ai_rel_network_abort(net) && ai_rel_network_abort(net));
    CHECK(heap_blocks == 1 && ai_rel_network_destroy(net) == AI_HANDLE_NULL && heap_blocks == 0);
    CHECK(!ai_rel_network_abort(net) && ai_rel_network_destroy(net) == net);
}

void test_trust(void) {
    test_sizes();
    test_context_sizes();
    test_activations(AI_RELOC_RT_LOAD_MODE_XIP);
    test_activations(AI_RELOC_RT_LOAD_MODE_COPY);
    test_flips();
    test_unsorted();
    test_abort();
    test_abort_of_what_returns();
}
