/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The uses of the platform observer in the vendor's documentation: profiling, inspection, weights
 * copied before the run, dumping a node's output, notification that an input has been used. Names
 * and headers are the documented ones, provided by runtime/compat.
 */
#include <stdio.h>
#include <string.h>

#include "ai_platform_interface.h"
#include "core_common.h"
#include "core_private.h"

#include "documented.h"

#define network              net
#define ALIGN_UP(num, align) (((num) + ((align)-1)) & ~((align)-1))

/* ---- profiling ---- */

struct u_observer_ctx {
    uint64_t ts;
    uint32_t n_events;
};
static struct u_observer_ctx u_observer_ctx;

static ai_u32 profile_cb(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    uint64_t ts = board_cycles();
    struct u_observer_ctx *ctx = (struct u_observer_ctx *)cookie;
    if (flags & AI_OBSERVER_POST_EVT) {
        printf("%d - cpu cycles: %lld\r\n", node->c_idx, (long long)(ts - ctx->ts));
        ctx->n_events++;
    }
    ctx->ts = board_cycles();
    return 0;
}

static int aiObserverSetup(void) {
    if (!ai_platform_observer_register(network, profile_cb, &u_observer_ctx,
                                       AI_OBSERVER_PRE_EVT | AI_OBSERVER_POST_EVT)) {
        ai_error err = ai_network_get_error(network);
        printf("E: AI ai_platform_observer_register error - type=%d code=%d\r\n", err.type,
               err.code);
        return -1;
    }
    return 0;
}

static void profile(float *data_in) {
    float out[OUTPUTS];
    CHECK(60, aiObserverSetup() == 0);
    CHECK(61, aiObserverSetup() == -1); /* only one call-back can be registered */
    CHECK(62, infer(data_in, out) == 0 && u_observer_ctx.n_events == NODES);
    CHECK(63, strstr(board_log, "2 - cpu cycles: ") != NULL);
    CHECK(64, ai_platform_observer_unregister(network, profile_cb, &u_observer_ctx));
}

/* ---- inspection ---- */

static unsigned count(ai_tensor_list *tl) {
    unsigned tensors = 0;
    if (tl) {
        AI_FOR_EACH_TENSOR_LIST_DO(i, t, tl) {
            tensors += AI_TENSOR_ARRAY_BYTE_SIZE(t) != 0;
        }
    }
    return tensors;
}

static void inspect(void) {
    ai_observer_node node_info;
    unsigned inputs = 0, outputs = 0, weights = 0, scratch = 0;
    node_info.c_idx = 0;
    while (ai_platform_observer_node_info(network, &node_info)) {
        const ai_bool is_time_dist = (node_info.type & 0x8000) != 0;
        node_info.type &= 0x7FFF;
        inputs += count(GET_TENSOR_LIST_IN(node_info.tensors));
        outputs += count(GET_TENSOR_LIST_OUT(node_info.tensors));
        if (is_time_dist)
            weights += count(GET_TENSOR_LIST_WEIGTHS(node_info.inner_tensors));
        else
            weights += count(GET_TENSOR_LIST_WEIGTHS(node_info.tensors));
        if (is_time_dist)
            scratch += count(GET_TENSOR_LIST_SCRATCH(node_info.inner_tensors));
        else
            scratch += count(GET_TENSOR_LIST_SCRATCH(node_info.tensors));
        node_info.c_idx++;
    }
    CHECK(70, node_info.c_idx == NODES);
    CHECK(71, inputs == 3 && outputs == 3 && weights == 4 && scratch == 0);
}

/* ---- weights copied before the run ---- */

#define ID 0 /* index of the critical node: 16 * 24 weights, 24 biases */
AI_ALIGN(4) static ai_u8 _w_cache[4 * (16 * 24 + 24)];

static uintptr_t aiCacheWeights(void) {
    ai_observer_node node_info;
    uintptr_t dst_addr = (uintptr_t)&_w_cache[0];
    node_info.c_idx = ID;
    if (ai_platform_observer_node_info(network, &node_info)) {
        ai_tensor_list *tl;
        tl = GET_TENSOR_LIST_WEIGTHS(node_info.tensors);
        AI_FOR_EACH_TENSOR_LIST_DO(i, t, tl) {
            const uintptr_t src_addr = (uintptr_t)AI_TENSOR_ARRAY_GET_DATA_ADDR(t);
            const ai_size sz = AI_TENSOR_ARRAY_BYTE_SIZE(t);
            memcpy((void *)dst_addr, (const void *)src_addr, sz);
            AI_TENSOR_ARRAY_UPDATE_DATA_ADDR(t, dst_addr);
            dst_addr += ALIGN_UP(sz, 4);
        }
    }
    return dst_addr;
}

static void cache(float *data_in, const float *expected) {
    float out[OUTPUTS];
    CHECK(80, aiCacheWeights() == (uintptr_t)_w_cache + sizeof _w_cache);
    CHECK(81, infer(data_in, out) == 0 && memcmp(out, expected, sizeof out) == 0);
    memset(_w_cache, 0, sizeof _w_cache); /* clearing the copy must change the result */
    CHECK(82, infer(data_in, out) == 0 && memcmp(out, expected, sizeof out) != 0);
}

/* ---- dumping an output, notification of an input ---- */

#define C_ID (NODES - 1)
static float dumped[OUTPUTS];
static unsigned notices;

static ai_u32 dump_cb(const ai_handle cookie, const ai_u32 flags, const ai_observer_node *node) {
    ai_tensor_list *tl;
    if (node->c_idx == C_ID) {
        tl = GET_TENSOR_LIST_OUT(node->tensors);
        AI_FOR_EACH_TENSOR_LIST_DO(i, t, tl) {
            ai_float scale = AI_TENSOR_INTEGER_GET_SCALE(t, 0);
            ai_i32 zero_point = 0;
            if (AI_TENSOR_FMT_GET_SIGN(t))
                zero_point = AI_TENSOR_INTEGER_GET_ZEROPOINT_I8(t, 0);
            else
                zero_point = AI_TENSOR_INTEGER_GET_ZEROPOINT_U8(t, 0);
            const ai_buffer_format fmt = AI_TENSOR_GET_FMT(t);
            const ai_i32 shape_size_ = AI_SHAPE_SIZE(AI_TENSOR_SHAPE(t));
            const ai_i32 b_ = AI_SHAPE_IN_CH(AI_TENSOR_SHAPE(t));
            const ai_i32 h_ = AI_SHAPE_H(AI_TENSOR_SHAPE(t));
            const ai_i32 w_ = AI_SHAPE_W(AI_TENSOR_SHAPE(t));
            const ai_i32 ch_ = AI_SHAPE_CH(AI_TENSOR_SHAPE(t));
            const ai_i32 d_ = AI_SHAPE_D(AI_TENSOR_SHAPE(t));
            const ai_i32 e_ = AI_SHAPE_E(AI_TENSOR_SHAPE(t));
            const ai_size size = AI_TENSOR_ARRAY_BYTE_SIZE(t);
            const ai_handle data = AI_TENSOR_ARRAY_GET_DATA_ADDR(t);
            CHECK(90, scale == 0 && zero_point == 0 && fmt == AI_BUFFER_FORMAT_FLOAT);
            CHECK(91, shape_size_ == 4 && b_ * h_ * w_ * ch_ * d_ * e_ == OUTPUTS);
            CHECK(92, size == sizeof dumped);
            memcpy(dumped, data, size);
            ++*(unsigned *)cookie;
        }
    }
    CHECK(93, (flags & AI_OBSERVER_POST_EVT) != 0 && (flags & AI_OBSERVER_PRE_EVT) == 0);
    CHECK(94, ((flags & AI_OBSERVER_FIRST_EVT) != 0) == (node->c_idx == 0));
    CHECK(95, ((flags & AI_OBSERVER_LAST_EVT) != 0) == (node->c_idx == C_ID));
    return 0;
}

static void dump(float *data_in) {
    float out[OUTPUTS];
    CHECK(96, ai_platform_observer_register(network, dump_cb, &notices, AI_OBSERVER_POST_EVT));
    CHECK(97, infer(data_in, out) == 0 && notices == 1);
    CHECK(98, memcmp(dumped, out, sizeof out) == 0);
    CHECK(99, ai_platform_observer_unregister(network, dump_cb, &notices));
}

void observe(float *data_in, const float *expected) {
    profile(data_in);
    inspect();
    dump(data_in);
    cache(data_in, expected);
}
