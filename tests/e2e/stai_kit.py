# SPDX-License-Identifier: Apache-2.0
"""Networks with the newer C API of the vendor's runtime, against the stand-in pack (standin.py).

y = relu(a * w[0] + q * w[1] + state), kept in the state for the next run; a goes through the second
activations buffer. With one buffer of weights w[1] lies behind w[0] in it.
"""
import struct

ELEMENTS = 6
WEIGHTS = [struct.pack(f"<{ELEMENTS}f", *(row + i / 8 for i in range(ELEMENTS))) for row in (1, -2)]

HEADER = """#ifndef STAI_@UP@_H
#define STAI_@UP@_H
#include "stai.h"
#define STAI_@UP@_CONTEXT_ALIGNMENT 8
#define STAI_@UP@_CONTEXT_SIZE (sizeof(_stai_@NAME@_context))
#define STAI_@UP@_MACC_NUM (12)
#define STAI_@UP@_ORIGIN_MODEL_SIGNATURE     "0x2f17a0c1"
@NODES@
#define STAI_@UP@_IN_NUM (2)
#define STAI_@UP@_IN_1_NAME ("a")
#define STAI_@UP@_IN_1_FORMAT (STAI_FORMAT_FLOAT32)
#define STAI_@UP@_IN_1_SIZE_BYTES (24)
#define STAI_@UP@_IN_2_NAME (NULL)
#define STAI_@UP@_IN_2_FORMAT (STAI_FORMAT_S8)
#define STAI_@UP@_IN_2_SIZE_BYTES (6)
#define STAI_@UP@_OUT_NUM (1)
#define STAI_@UP@_OUT_1_NAME (NULL)
#define STAI_@UP@_OUT_1_FORMAT (STAI_FORMAT_FLOAT32)
#define STAI_@UP@_OUT_1_SIZE_BYTES (24)
#define STAI_@UP@_ACTIVATIONS_NUM (@ACTS@)
#define STAI_@UP@_ACTIVATION_1_SIZE_BYTES (28)
#define STAI_@UP@_ACTIVATION_2_SIZE_BYTES (24)
#define STAI_@UP@_STATES_NUM (@STATES@)
#define STAI_@UP@_STATE_1_SIZE_BYTES (24)
#define STAI_@UP@_WEIGHTS_NUM (@WEIGHTS@)
#define STAI_@UP@_WEIGHTS_SIZE_BYTES (48)
#define STAI_@UP@_WEIGHT_1_SIZE_BYTES (@FIRST@)
#define STAI_@UP@_WEIGHT_2_SIZE_BYTES (24)
typedef struct {
    uint32_t magic;
    stai_return_code code;
    stai_ptr acts[STAI_@UP@_ACTIVATIONS_NUM], weights[STAI_@UP@_WEIGHTS_NUM];
    stai_event_cb callback;
    void *cookie;
    stai_ptr states[STAI_@UP@_STATES_NUM + 1], in[STAI_@UP@_IN_NUM], out[STAI_@UP@_OUT_NUM];
} _stai_@NAME@_context;
stai_return_code stai_@NAME@_init(stai_network *network);
stai_return_code stai_@NAME@_deinit(stai_network *network);
stai_return_code stai_@NAME@_run(stai_network *network, const stai_run_mode mode);
stai_return_code stai_@NAME@_get_weights(stai_network *network, stai_ptr *buffers, stai_size *count);
#define SETTER(kind) stai_return_code stai_@NAME@_set_##kind(stai_network *network, const stai_ptr *buffers, const stai_size count)
SETTER(activations);
SETTER(weights);
SETTER(states);
SETTER(inputs);
SETTER(outputs);
stai_return_code stai_@NAME@_set_callback(stai_network *network, const stai_event_cb cb, void *cookie);
#endif
"""

SOURCE = """#include "@NAME@.h"
#include "@NAME@_data.h"
#define STAI_INIT_VERSION(major, minor, micro) {major, minor, micro}
#define STAI_DECLARE_ARRAY(type, count, ...) {count, (type[count]){__VA_ARGS__}}
@EXTRA@
#if defined(HAVE_NETWORK_INFO)
static const stai_network_info g_@NAME@_info = {
  .runtime_version = STAI_INIT_VERSION(@RUNTIME@),
  .tool_version = STAI_INIT_VERSION(@TOOL@),
  .inputs = (stai_tensor[STAI_@UP@_IN_NUM]) {
    STAI_INIT_TENSOR(
      STAI_@UP@_IN_1_NAME, STAI_@UP@_IN_1_FLAGS, STAI_@UP@_IN_1_FORMAT, STAI_@UP@_IN_1_SIZE_BYTES,
      STAI_DECLARE_ARRAY(int32_t, 2, 1, 6),
      STAI_EMPTY_ARRAY(),
      STAI_EMPTY_ARRAY()),
    STAI_INIT_TENSOR(
      STAI_@UP@_IN_2_NAME, STAI_@UP@_IN_2_FLAGS, STAI_@UP@_IN_2_FORMAT, STAI_@UP@_IN_2_SIZE_BYTES,
      STAI_DECLARE_ARRAY(int32_t, 3, 1, 3, 2),
      STAI_DECLARE_ARRAY(float, 1, 0.25f),
      STAI_DECLARE_ARRAY(int16_t, 1, -3)),
    },
  .outputs = (stai_tensor[STAI_@UP@_OUT_NUM]) {
    STAI_INIT_TENSOR(
      STAI_@UP@_OUT_1_NAME, STAI_@UP@_OUT_1_FLAGS, STAI_@UP@_OUT_1_FORMAT, STAI_@UP@_OUT_1_SIZE_BYTES,
      STAI_DECLARE_ARRAY(int32_t, 2, 1, 6),
      STAI_EMPTY_ARRAY(),
      STAI_EMPTY_ARRAY()),
    },
  .activations = NULL,
};
#endif

static const struct {
    const char *name;
    stai_kernel run;
} nodes[2] = {{"multiply", standin_multiply}, {"relu", standin_relu}};

typedef struct {
    int32_t node_id;
    struct {
        stai_size size;
        const stai_ptr *data;
    } buffers;
} event_payload;
#define EVENT(kind, id, count, ...) \\
    if (ctx->callback) { \\
        const event_payload event = {id, {count, (const stai_ptr[count])__VA_ARGS__}}; \\
        ctx->callback(ctx->cookie, kind, &event); \\
    }
#define _STAI_@UP@_EVENT_NODE_START_CB(_node_id, _buffers_size, ...) EVENT(1, _node_id, _buffers_size, __VA_ARGS__)
#define _STAI_@UP@_EVENT_NODE_STOP_CB(_node_id, _buffers_size, ...) EVENT(2, _node_id, _buffers_size, __VA_ARGS__)

static void forward_lite_multiply(const _stai_@NAME@_context *ctx, float *y, const float *x, const float *w) {
    nodes[ctx->magic & 1].run(y, x, w, 6);
}

static void forward_relu(const _stai_@NAME@_context *ctx, float *y, const float *x, const float *w) {
    nodes[(ctx->magic & 1) + 1].run(y, x, w, 6);
}

/* A node of the same layer, in a function of its own. */
static void forward_lite_relu_7(const _stai_@NAME@_context *ctx, float *y, const float *x, const float *w) {
    _STAI_@UP@_EVENT_NODE_START_CB(7, 1, {(stai_ptr) y});
    forward_relu(ctx, y, x, w);
    _STAI_@UP@_EVENT_NODE_STOP_CB(7, 1, {(stai_ptr) y});
}

static _stai_@NAME@_context *context(stai_network *network) {
    _stai_@NAME@_context *ctx = (void *)network;
    return ((uintptr_t)network & 7) == 0 && ctx->magic == 0xB1C00100 ? ctx : NULL;
}

stai_return_code stai_@NAME@_init(stai_network *network) {
    const _stai_@NAME@_context fresh = {.magic = 0xB1C00100, .weights = {@ADDRESSES@}};
    if (((uintptr_t)network & 7) != 0)
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_ALIGNMENT;
    *(_stai_@NAME@_context *)(void *)network = fresh;
    return STAI_SUCCESS;
}

stai_return_code stai_@NAME@_deinit(stai_network *network) {
    return context(network) != NULL ? STAI_SUCCESS : STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
}

stai_return_code stai_@NAME@_get_weights(stai_network *network, stai_ptr *buffers, stai_size *count) {
    *count = STAI_@UP@_WEIGHTS_NUM;
    for (stai_size i = 0; i < *count; i++)
        buffers[i] = context(network)->weights[i];
    return STAI_SUCCESS;
}

/* Every API call returns the first error there was. */
static stai_return_code set(stai_network *network, stai_ptr *to, const stai_ptr *buffers, stai_size count,
                            stai_return_code null, uint32_t align) {
    _stai_@NAME@_context *ctx = context(network);
    for (stai_size i = 0; i < count && ctx->code == STAI_SUCCESS; i++) {
        if (buffers[i] == NULL)
            ctx->code = null;
        else if (((uintptr_t)buffers[i] & (align - 1)) != 0)
            ctx->code = STAI_ERROR_INVALID_BUFFER_ALIGNMENT;
        to[i] = buffers[i];
    }
    return ctx->code;
}
SETTER(activations) {
    return count != STAI_@UP@_ACTIVATIONS_NUM ? 0x040001 : set(network, context(network)->acts, buffers, count, STAI_ERROR_NETWORK_INVALID_ACTIVATIONS_PTR, 8);
}
SETTER(weights) {
    return set(network, context(network)->weights, buffers, count, STAI_ERROR_NETWORK_INVALID_WEIGHTS_PTR, 4);
}
SETTER(states) {
    return set(network, context(network)->states, buffers, count, STAI_ERROR_NETWORK_INVALID_STATES_PTR, 8);
}
SETTER(inputs) {
    return set(network, context(network)->in, buffers, count, STAI_ERROR_NETWORK_INVALID_IN_PTR, 1);
}
SETTER(outputs) {
    return set(network, context(network)->out, buffers, count, STAI_ERROR_NETWORK_INVALID_OUT_PTR, 4);
}

stai_return_code stai_@NAME@_set_callback(stai_network *network, const stai_event_cb cb, void *cookie) {
    _stai_@NAME@_context *ctx = context(network);
    if (ctx == NULL)
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    ctx->callback = cb;
    ctx->cookie = cookie;
    return STAI_SUCCESS;
}

stai_return_code stai_@NAME@_run(stai_network *network, const stai_run_mode mode) {
    _stai_@NAME@_context *ctx = context(network);
    float *q = (float *)(void *)ctx->acts[0], *a = (float *)(void *)ctx->acts[STAI_@UP@_ACTIVATIONS_NUM - 1];
    float *y = (float *)(void *)ctx->out[0], *state = (float *)(void *)ctx->states[0];
    const float *w = (const float *)(void *)ctx->weights[0];
    const float *v = STAI_@UP@_WEIGHTS_NUM == 1 ? w + 6 : (const float *)(void *)ctx->weights[STAI_@UP@_WEIGHTS_NUM - 1];
    if (mode != STAI_MODE_SYNC)
        return STAI_ERROR_NETWORK_INVALID_RUN;
    for (int i = 0; i < 6; i++)
        y[i] = STAI_@UP@_STATES_NUM != 0 ? state[i] : 0.5f;
    for (int i = 0; i < 6; i++)
        a[i] = @A@;
  /* LITE_KERNEL_SECTION BEGIN multiply_a */
  {
    _STAI_@UP@_EVENT_NODE_START_CB(3, 1, {(stai_ptr) a});
    forward_lite_multiply(ctx, y, a, w);
    _STAI_@UP@_EVENT_NODE_STOP_CB(3, 1, {(stai_ptr) y});
  }
  /* LITE_KERNEL_SECTION END multiply_a */
    for (int i = 0; i < 6; i++)
        q[i] = ((float)((int8_t *)ctx->in[1])[i] + 3.0f) * 0.25f;
  /* LITE_KERNEL_SECTION BEGIN multiply_q */
  {
    _STAI_@UP@_EVENT_NODE_START_CB(7, 1, {(stai_ptr) q});
    forward_lite_multiply(ctx, y, q, v);
    _STAI_@UP@_EVENT_NODE_STOP_CB(7, 1, {(stai_ptr) y});
  }
  /* LITE_KERNEL_SECTION END multiply_q */
  /* LITE_KERNEL_SECTION BEGIN relu_7 */
    forward_lite_relu_7(ctx, y, q, v);
  /* LITE_KERNEL_SECTION END relu_7 */
    for (int i = 0; i < 6 && STAI_@UP@_STATES_NUM != 0; i++)
        state[i] = y[i];
    return STAI_DONE;
}
"""


def array(name, data):
    words = struct.unpack(f"<{len(data) // 8}Q", data)
    return f"const uint64_t {name}[{len(words)}] = {{\n  " + ", ".join(f"0x{word:016x}U" for word in words) + ",\n};\n"


def network(case, name="network", weights=2, acts=2, states=1, raw=False, first=None, imports=False, folder="model", nodes=3,
            tool=(3, 0, 0)):
    """A folder with a network. raw: the weights are in <name>_data.bin and the code does not know them."""
    parts = WEIGHTS if weights == 2 else [b"".join(WEIGHTS)]
    names = [f"g_{name}_part_{i}_array" for i in range(weights)]
    extra = "extern float HSP_ACC_scale(float x);\nextern const float hmw[6];\nstatic const float *const bias[] = {hmw, hmw + 2};" if imports else ""
    changes = {"TOOL": ", ".join(map(str, tool)), "RUNTIME": ", ".join(map(str, (tool[0] + 8, *tool[1:]))),
               "NODES": f"#define STAI_{name.upper()}_NODES_NUM ({nodes})" if nodes else "", "NAME": name, "UP": name.upper(), "ACTS": acts, "STATES": states, "WEIGHTS": weights,
               "FIRST": first if first is not None else len(parts[0]), "EXTRA": extra,
               "ADDRESSES": "NULL" if raw else ", ".join(f"(stai_ptr){part}" for part in names),
               "A": "HSP_ACC_scale(((float *)(void *)ctx->in[0])[i]) + bias[i & 1][i % 4]" if imports
                    else "((float *)(void *)ctx->in[0])[i]"}

    def put(suffix, text):
        for key, value in changes.items():
            text = text.replace(f"@{key}@", str(value))
        return case.write(f"{folder}/{name}{suffix}", text)
    put(".h", HEADER)
    put("_data.h", '#include "stai.h"\n' + "".join(f"extern const uint64_t {part}[{len(data) // 8}];\n"
                                                  for part, data in zip(names, parts)))
    if raw:
        case.write(f"{folder}/{name}_data.bin", b"".join(parts))
    else:
        put("_data.c", f'#include "{name}_data.h"\n' + "".join(array(part, data) for part, data in zip(names, parts)))
    return put(".c", SOURCE)
