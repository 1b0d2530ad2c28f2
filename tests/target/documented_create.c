/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A firmware written as in the vendor's documentation of relocatable models: its calls and their
 * arguments are the documented ones, with the repairs that docs/TARGET.md lists. Runs an image of
 * the network in tests/fixtures/networks/maps.
 *   COPY                        install in COPY mode
 *   HEAP_RAM                    the loader takes the RAM from the heap: no address and no size
 *   RAM_NULL, SIZE_0            the same: no address, or no size
 *   WEIGHTS_ADDRESS             where the weights of an image without them lie
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ai_reloc_network.h>

#include "documented.h"

#define BIN_ADDRESS image
#ifndef WEIGHTS_ADDRESS
#define WEIGHTS_ADDRESS NULL
#else
extern uint8_t WEIGHTS_ADDRESS[];
#endif
#ifdef COPY
#define MODE     AI_RELOC_RT_LOAD_MODE_COPY
#define RAM_SIZE rt_info.rt_ram_copy
#else
#define MODE     AI_RELOC_RT_LOAD_MODE_XIP
#define RAM_SIZE rt_info.rt_ram_xip
#endif

ai_handle net = AI_HANDLE_NULL;
static ai_rel_network_info rt_info;
static ai_network_report net_info;

static void ai_log_err(const ai_error err, const char *fct) {
    printf("E: %s - type=0x%02x code=0x%02x\r\n", fct, (unsigned)err.type, (unsigned)err.code);
}

static void describe(void) {
    ai_error err = ai_rel_network_rt_get_info(BIN_ADDRESS, &rt_info);
    CHECK(10, err.type == AI_ERROR_NONE && err.code == AI_ERROR_CODE_NONE);
    printf(" model name                : %s\r\n", rt_info.c_name);
    printf(" weights size              : %d bytes\r\n", (int)rt_info.weights_sz);
    printf(" compiled for a Cortex-Mx  : 0x%03X\r\n", (int)AI_RELOC_RT_GET_CPUID(rt_info.variant));
    printf(" FPU should be enabled     : %s\r\n",
           AI_RELOC_RT_FPU_USED(rt_info.variant) ? "yes" : "no");
    CHECK(11, strstr(board_log, " : network\r\n") != NULL && strstr(board_log, ": 2432 bytes"));
    CHECK(12, strstr(board_log, ": 0xC24\r\n") != NULL && strstr(board_log, ": yes\r\n") != NULL);
    CHECK(13, AI_RELOC_RT_GET_MAJOR(rt_info.variant) == AI_RELOC_RT_VERSION_MAJOR &&
                  AI_RELOC_RT_GET_MINOR(rt_info.variant) == AI_RELOC_RT_VERSION_MINOR);
    CHECK(14, rt_info.variant == AI_RELOC_RT_SET_FLAGS(AI_RELOC_TOOLCHAIN_ARM_EMBEDDED << 16 |
                                                       AI_RELOC_TOOLCHAIN_FP_ABI_HARD << 13 |
                                                       1u << 12 | AI_RELOC_ARM_CORTEX_M4));
    CHECK(15, AI_RELOC_RT_GET_COPTS(rt_info.variant) == (AI_RELOC_TOOLCHAIN_FP_ABI_HARD << 1 | 1));
    CHECK(16, AI_RELOC_RT_GET_POST_OPTIONS(rt_info.variant) == 0);
}

static void create(void) {
#if defined(RAM_NULL)
    ai_handle rt_ai_ram = NULL;
    const ai_size ram_size = RAM_SIZE;
#elif defined(SIZE_0)
    uint8_t *rt_ai_ram = malloc(RAM_SIZE);
    const ai_size ram_size = 0;
#elif defined(HEAP_RAM)
    ai_handle rt_ai_ram = NULL;
    const ai_size ram_size = 0;
#else
    uint8_t *rt_ai_ram = malloc(RAM_SIZE);
    const ai_size ram_size = RAM_SIZE;
#endif
    ai_error err = ai_rel_network_load_and_create(BIN_ADDRESS, rt_ai_ram, ram_size, MODE, &net);
    CHECK(20, err.type == AI_ERROR_NONE);
}

/* Checks the words of an instance, because some firmware reads them. */
static void look_inside(void) {
    const struct ai_reloc_rt_ctx *ctx = (struct ai_reloc_rt_ctx *)net;
    const ai_bool xip = MODE == AI_RELOC_RT_LOAD_MODE_XIP;
    CHECK(30, (ctx->state & AI_RELOC_RT_STATE_INITIALIZED) != 0);
    CHECK(31, ((ctx->state & AI_RELOC_RT_STATE_XIP_MODE) != 0) == xip);
    CHECK(32, (ctx->rom_addr == (uint32_t)BIN_ADDRESS) == xip);
    CHECK(33, strcmp(ctx->c_name, "network") == 0 && ctx->network != NULL);
    CHECK(34, ctx->act_size == rt_info.acts_sz && ctx->weights_size == rt_info.weights_sz);
    CHECK(35, (uint32_t)net - ctx->ram_addr < rt_info.rt_ram_xip);
#if defined(HEAP_RAM) || defined(RAM_NULL) || defined(SIZE_0)
    CHECK(36, ctx->ram_alloc_addr == (xip ? ctx->ram_addr : ctx->rom_addr));
#else
    CHECK(36, ctx->ram_alloc_addr == 0);
#endif
}

static void init(void) {
    ai_handle weights_addr;
    ai_bool res;
    uint8_t *act_addr = malloc(rt_info.acts_sz);

    if (rt_info.weights)
        weights_addr = rt_info.weights;
    else
        weights_addr = WEIGHTS_ADDRESS;

    res = ai_rel_network_init(net, &weights_addr, (const ai_handle *)&act_addr);
    CHECK(40, res);
    ai_handle activations = act_addr;
    const ai_handle acts[] = {activations};
    res = ai_rel_network_init(net, &weights_addr, acts);
    CHECK(41, res);
    res = ai_rel_network_get_report(net, &net_info);
    CHECK(42, res && net_info.n_inputs == 1 && net_info.n_outputs == 1);
    CHECK(43, ai_rel_network_get_info(net, &net_info) && net_info.n_nodes == NODES);
}

static int ai_run(void *data_in, void *data_out) {
    ai_i32 batch;

    ai_buffer *ai_input = net_info.inputs;
    ai_buffer *ai_output = net_info.outputs;

    ai_input[0].data = AI_HANDLE_PTR(data_in);
    ai_output[0].data = AI_HANDLE_PTR(data_out);

    batch = ai_rel_network_run(net, ai_input, ai_output);
    if (batch != 1) {
        ai_log_err(ai_rel_network_get_error(net), "ai_rel_network_run");
        return -1;
    }

    return 0;
}

int infer(float *data_in, float *data_out) {
    return ai_run(data_in, data_out);
}

int main(void) {
    static float in[INPUTS], out[OUTPUTS];
    for (int i = 0; i < INPUTS; i++)
        in[i] = (float)(i * 7 % 11 - 5) / 8;
    describe();
    create();
    look_inside();
    init();
    CHECK(50, infer(in, out) == 0);
    const float expected[OUTPUTS] = {EXPECTED};
    CHECK(51, memcmp(out, expected, sizeof out) == 0);
    CHECK(52, infer(NULL, out) == -1 && strstr(board_log, "E: ai_rel_network_run") != NULL);
    observe(in, expected);
    CHECK(53, ai_rel_network_destroy(net) == AI_HANDLE_NULL);
    return 0;
}
