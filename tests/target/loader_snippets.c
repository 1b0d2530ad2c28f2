/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The documented snippets for firmware writers, as they stand but for what they leave out, against
 * the loader in its default configuration: heap from the C library, no size given. Includes what
 * firmware includes, and none of the test kit but the images and the port.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ai_reloc_network.h>

#include "loader_image.h"
#include "loader_port.h"

extern const uint8_t image_one_start[];
#define BIN_ADDRESS     image_one_start
#define WEIGHTS_ADDRESS NULL

static ai_rel_network_info rt_info;
static ai_network_report net_info;
static ai_handle net = AI_HANDLE_NULL;
static char text[1024];
static unsigned events;

#define printf(...) ((void)snprintf(text + strlen(text), sizeof text - strlen(text), __VA_ARGS__))

static void ai_log_err(const ai_error err, const char *fct) {
    printf("E: %s - type=0x%02x code=0x%02x\r\n", fct, (unsigned)err.type, (unsigned)err.code);
}

static int describe(void) {
    ai_error err;

    err = ai_rel_network_rt_get_info(BIN_ADDRESS, &rt_info);
    if (err.type != AI_ERROR_NONE)
        return -1;
    printf("Load a relocatable binary model, located at the address 0x%08x\r\n", (int)BIN_ADDRESS);
    printf(" model name                : %s\r\n", rt_info.c_name);
    printf(" weights size              : %d bytes\r\n", (int)rt_info.weights_sz);
    printf(" activations size          : %d bytes (minimum)\r\n", (int)rt_info.acts_sz);
    printf(" compiled for a Cortex-Mx  : 0x%03X\r\n", (int)AI_RELOC_RT_GET_CPUID(rt_info.variant));
    printf(" FPU should be enabled     : %s\r\n",
           AI_RELOC_RT_FPU_USED(rt_info.variant) ? "yes" : "no");
    printf(" RT RAM minimum size       : %d bytes (%d bytes in COPY mode)\r\n",
           (int)rt_info.rt_ram_xip, (int)rt_info.rt_ram_copy);
    return strstr(text, ": image3\r\n") != NULL ? 0 : -1;
}

static int create(void) {
    ai_error err;
    uint8_t *rt_ai_ram = malloc(rt_info.rt_ram_xip + AI_RELOC_ROUND_UP(rt_info.acts_sz) + 4);

    err = ai_rel_network_load_and_create(BIN_ADDRESS, rt_ai_ram, rt_info.rt_ram_xip,
                                         AI_RELOC_RT_LOAD_MODE_XIP, &net);
    if (err.type != AI_ERROR_NONE)
        return -1;

    ai_handle weights_addr;
    ai_handle act_addr = rt_ai_ram + AI_RELOC_ROUND_UP(rt_info.rt_ram_xip);
    ai_bool res;
    if (rt_info.weights)
        weights_addr = rt_info.weights;
    else
        weights_addr = WEIGHTS_ADDRESS;
    res = ai_rel_network_init(net, &weights_addr, &act_addr);
    if (!res)
        return -1;
    res = ai_rel_network_get_report(net, &net_info);
    return res && ai_rel_network_get_info(net, &net_info) ? 0 : -1;
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

/* The four uses of the observer; the test image's nodes have no tensors. */
static ai_u32 u_observer_cb(const ai_handle cookie, const ai_u32 flags,
                            const ai_observer_node *node) {
    if (flags & AI_OBSERVER_POST_EVT) {
        ai_tensor_list *tl = GET_TENSOR_LIST_OUT(node->tensors);
        AI_FOR_EACH_TENSOR_LIST_DO(i, t, tl) {
            const ai_size size = AI_TENSOR_ARRAY_BYTE_SIZE(t);
            const ai_handle data = AI_TENSOR_ARRAY_GET_DATA_ADDR(t);
            events += size + (data != NULL) + (unsigned)AI_SHAPE_H(AI_TENSOR_SHAPE(t));
        }
        ++*(unsigned *)cookie;
    }
    return 0;
}

static int observe(void) {
    int32_t in[IMAGE_ELEMENTS] = {5, 4, 3, 2, 1, 0, -1, -2};
    int32_t out[IMAGE_ELEMENTS];
    if (!ai_rel_platform_observer_register(net, u_observer_cb, &events,
                                           AI_OBSERVER_PRE_EVT | AI_OBSERVER_POST_EVT))
        return -1;
    if (ai_run(in, out) != 0 || events != IMAGE_NODES)
        return -1;
    for (int i = 0; i < IMAGE_ELEMENTS; i++)
        if (out[i] != in[i] * (i + 1) + 3)
            return -1;
    return ai_rel_platform_observer_unregister(net, u_observer_cb, &events) ? 0 : -1;
}

/* The heap of the loader itself, in COPY mode. */
static int allocate(void) {
    ai_handle other = AI_HANDLE_NULL;
    ai_error err = ai_rel_network_load_and_create(BIN_ADDRESS, AI_HANDLE_NULL, 0,
                                                  AI_RELOC_RT_LOAD_MODE_COPY, &other);
    return err.type == AI_ERROR_NONE && ai_rel_network_destroy(other) == AI_HANDLE_NULL ? 0 : -1;
}

/* Helpers of ai_reloc_tensor.h on a tensor made here. */
static int inspect(void) {
    static ai_u8 bytes[8], cache[8];
    static const ai_float scale = 0.5f;
    static const ai_i8 zero = -3;
    static ai_shape_dimension dimensions[] = {1, 2, 4};
    ai_intq_info intq = {&scale, &zero};
    ai_intq_info_list intq_list = {0, 1, &intq};
    ai_array array = {AI_BUFFER_FORMAT_S8, 8, bytes, bytes};
    ai_tensor tensor = {.klass = &intq_list, .shape = {0, 3, dimensions}, .data = &array};
    ai_tensor *tensors[] = {&tensor};
    ai_tensor_list lists[] = {{0, 0, NULL, NULL}, {1, 0, tensors, NULL}};
    ai_tensor_chain chain = {2, 0, lists};
    unsigned seen = 0;
    ai_tensor_list *tl = GET_TENSOR_LIST_OUT(&chain);
    AI_FOR_EACH_TENSOR_LIST_DO(i, t, tl) {
        if (AI_TENSOR_FMT_GET_SIGN(t) && AI_TENSOR_ARRAY_BYTE_SIZE(t) == 8 &&
            AI_TENSOR_INTEGER_GET_SCALE(t, 0) == 0.5f &&
            AI_TENSOR_INTEGER_GET_ZEROPOINT_I8(t, 0) == -3 && AI_TENSOR_FMT_GET_BITS(t) == 8 &&
            AI_SHAPE_W(AI_TENSOR_SHAPE(t)) == 4 && AI_SHAPE_H(AI_TENSOR_SHAPE(t)) == 1)
            seen++;
        AI_TENSOR_ARRAY_UPDATE_DATA_ADDR(t, cache);
        seen += AI_TENSOR_ARRAY_GET_DATA_ADDR(t) == cache;
    }
    return seen == 2 && GET_TENSOR_LIST_IN(&chain)->size == 0 &&
                   GET_TENSOR_LIST_WEIGTHS(&chain) == NULL
               ? 0
               : -1;
}

int main(void) {
    port_set_r9();
    int bad = describe() | create() | observe() | allocate() | inspect();
    if (ai_rel_network_destroy(net) != AI_HANDLE_NULL || port_r9() != PORT_R9)
        bad = -1;
    if (bad)
        port_print(text);
    port_print(bad ? "failed\n" : "passed\n");
    return bad ? 1 : 0;
}
