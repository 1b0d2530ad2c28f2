/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loader of Cortex-M images as simple as the format allows, written from docs/FORMAT.md alone: it
 * checks nothing and knows neither fix-up tables nor trailers nor caches. What loads with it loads
 * on firmware that knew of none of these. It has the functions that the verification firmware
 * calls, so that tests can put it in the place of runtime/ai_reloc_network.c. Of what is newer it
 * hands over symbols, to the functions with a size, when PLAIN_IMPORTS is defined.
 */
#include "ai_reloc_network.h"

#include <stdint.h>
#include <string.h>

enum { DATA_DATA = 4, BSS_END = 6, GOT_START = 7, GOT_END = 8, REL_START = 9, REL_END = 10 };
enum { WEIGHTS = 11, CREATE = 13, INIT_V2 = 15, RUN = 16, REPORT = 17, ERROR = 18, DESTROY = 19 };
enum { OBS_REGISTER = 21, OBS_UNREGISTER = 22, CONTEXT = 24 };
#define OFFSET(word) ((word)&UINT32_C(0x0FFFFFFF))

/* Words of a context. */
enum { STATE, NETWORK, RAM_ADDR, ROM_ADDR };

static uint32_t word(uint32_t address, uint32_t index) {
    return ((const uint32_t *)(uintptr_t)address)[index];
}

__attribute__((naked)) static uint32_t enter(uint32_t a0, uint32_t a1, uint32_t a2, uint32_t r9,
                                             uint32_t function) {
    __asm__ volatile("push {r4, r5, r9, lr}\n\t"
                     "ldr r12, [sp, #16]\n\t"
                     "mov r9, r3\n\t"
                     "blx r12\n\t"
                     "pop {r4, r5, r9, pc}");
}

static uint32_t call(ai_handle hdl, uint32_t entry, uint32_t a1, uint32_t a2) {
    uint32_t ctx = (uint32_t)(uintptr_t)hdl, rom = word(ctx, ROM_ADDR);
    return enter(word(ctx, NETWORK), a1, a2, word(ctx, RAM_ADDR), rom + OFFSET(word(rom, entry)));
}

static uint32_t address_of(const void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

static ai_error error_of(uint32_t word) {
    ai_error error;
    memcpy(&error, &word, sizeof error);
    return error;
}

/* Top nibble 2: code, 8: data; 0 is left alone. Anything else would stop a loader. */
static void rebase(uint32_t *at, uint32_t rom, uint32_t ram) {
    uint32_t segment = *at >> 28;
    if (*at == 0)
        return;
    if (segment != 2 && segment != 8)
        __builtin_trap();
    *at = (segment == 2 ? rom : ram) + OFFSET(*at);
}

static uint32_t create_config; /* address; 0: none */

ai_error ai_rel_network_load_and_create(const void *obj, ai_handle ram_addr, ai_size ram_size,
                                        ai_u32 mode, ai_handle *hdl) {
    uint32_t image = address_of(obj), rom = image, ram = address_of(ram_addr);
    uint32_t ro_bytes = OFFSET(word(image, DATA_DATA)), got_end = OFFSET(word(image, GOT_END));
    (void)ram_size;
    if (mode == AI_RELOC_RT_LOAD_MODE_COPY) {
        memcpy((void *)(uintptr_t)ram, obj, ro_bytes);
        rom = ram;
        ram += ro_bytes;
    }
    memcpy((void *)(uintptr_t)ram, (const void *)(uintptr_t)(image + ro_bytes), got_end);
    memset((void *)(uintptr_t)(ram + got_end), 0, OFFSET(word(image, BSS_END)) - got_end);
    for (uint32_t at = OFFSET(word(image, GOT_START)); at < got_end; at += 4)
        rebase((uint32_t *)(uintptr_t)(ram + at), rom, ram);
    for (uint32_t at = OFFSET(word(image, REL_START)); at < OFFSET(word(image, REL_END)); at += 4)
        rebase((uint32_t *)(uintptr_t)(ram + OFFSET(word(image + at, 0))), rom, ram);
    uint32_t *ctx = (uint32_t *)(uintptr_t)(ram + OFFSET(word(image, CONTEXT)));
    ctx[STATE] = mode == AI_RELOC_RT_LOAD_MODE_COPY ? 1 : 3;
    ctx[RAM_ADDR] = ram;
    ctx[ROM_ADDR] = rom;
    *hdl = ctx;
    return error_of(
        enter(address_of(&ctx[NETWORK]), create_config, 0, ram, rom + OFFSET(word(rom, CREATE))));
}

/* As an application may: on the same data, which was rebased and initialised. */
ai_error plain_create_again(ai_handle hdl);
ai_error plain_create_again(ai_handle hdl) {
    uint32_t *ctx = hdl, rom = ctx[ROM_ADDR];
    return error_of(enter(address_of(&ctx[NETWORK]), create_config, 0, ctx[RAM_ADDR],
                          rom + OFFSET(word(rom, CREATE))));
}

ai_bool ai_rel_network_init(ai_handle hdl, const ai_handle *weights, const ai_handle *act) {
    return (ai_bool)call(hdl, INIT_V2, address_of(weights), address_of(act));
}

ai_i32 ai_rel_network_run(ai_handle hdl, const ai_buffer *input, ai_buffer *output) {
    return (ai_i32)call(hdl, RUN, address_of(input), address_of(output));
}

ai_bool ai_rel_network_get_report(ai_handle hdl, ai_network_report *report) {
    return (ai_bool)call(hdl, REPORT, address_of(report), 0);
}

ai_error ai_rel_network_get_error(ai_handle hdl) {
    return error_of(call(hdl, ERROR, 0, 0));
}

ai_handle ai_rel_network_destroy(ai_handle hdl) {
    return (ai_handle)(uintptr_t)call(hdl, DESTROY, 0, 0);
}

ai_error ai_rel_network_rt_get_info(const void *obj, ai_rel_network_info *rt) {
    memset(rt, 0, sizeof *rt);
    rt->weights = (ai_handle)(uintptr_t)(address_of(obj) + OFFSET(word(address_of(obj), WEIGHTS)));
    return error_of(0);
}

/* ---- what the verification firmware wants beside: nothing is checked, nothing explained ---- */

int32_t ai_rel_network_check(const void *obj, ai_size size) {
    (void)obj, (void)size;
    return 0;
}

int32_t ai_rel_network_check_weights(const void *obj, ai_size size, const void *weights,
                                     ai_size weights_size) {
    (void)obj, (void)size, (void)weights, (void)weights_size;
    return 0;
}

int32_t ai_rel_network_load_and_create_sized(const ai_rel_network_load_args *args, ai_handle *hdl,
                                             ai_error *error) {
#ifdef PLAIN_IMPORTS
    const uint32_t config[5] = {0x4D495052, address_of(args->imports), args->import_count, 0, 0};
    create_config = address_of(config);
#endif
    *error =
        ai_rel_network_load_and_create(args->obj, args->ram_addr, args->ram_size, args->mode, hdl);
    create_config = 0;
    return error->type == AI_ERROR_NONE ? 0 : AI_RELOC_E_CREATE;
}

ai_bool ai_rel_platform_observer_register(ai_handle hdl, ai_observer_node_cb cb, ai_handle cookie,
                                          ai_u32 flags) {
    (void)hdl, (void)cb, (void)cookie, (void)flags;
    return 0;
}

ai_bool ai_rel_platform_observer_unregister(ai_handle hdl, ai_observer_node_cb cb,
                                            ai_handle cookie) {
    (void)hdl, (void)cb, (void)cookie;
    return 0;
}
