/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry glue of a network for the vendor's runtime, legacy C API, if the pack has none (or one for
 * an older loader): gives the network's own functions the entry vector of the image format.
 *
 * Variables: RP_NAME (C name), RP_NAME_UP (the same in upper case), RP_NETWORK_H and RP_DATA_H
 * (headers), RP_FLAGS (header word 1), RP_MAPS (1: the network describes weights and activations in
 * maps, runtime 7.1 and later; 0: as two buffers), RP_SPLIT_WEIGHTS (1: an array for each tensor of
 * weights, whose addresses are in the map), RP_OBSERVER_ALLOCATES (1: runtime 5.1, which registers an
 * observer in memory of malloc; the struct of the caller came with 5.2).
 */
#include <stdint.h>
#include <string.h>

#include "ai_platform.h"
#include "ai_platform_interface.h"
#include RP_NETWORK_H
#include RP_DATA_H
#include "image/image_glue.h" /* uses the vendor's types, which are on the include path */
#include "format/reloc_format.h"
#ifndef RP_STATIC
#include "image/image_boot.h"
#endif

#define RP_JOIN_(a, b, c) a##b##c
#define RP_JOIN(a, b, c)  RP_JOIN_(a, b, c)
#define RP_FN(suffix)     RP_JOIN(ai_, RP_NAME, suffix)
#define RP_DEF(suffix)    RP_JOIN(AI_, RP_NAME_UP, suffix)
#define RP_TEXT_(x)       #x
#define RP_TEXT(x)        RP_TEXT_(x)

struct rp_context {
    uint32_t state;
    ai_handle network;
    uint32_t ram_addr, rom_addr, ram_alloc_addr;
    const char *c_name;
    uint32_t acts_size, weights_size;
    ai_observer_exec_ctx observer;
};
_Static_assert(sizeof(struct rp_context) == RELOC_CTX_BYTES, "context layout");

__attribute__((section(".network_rt_ctx"), used)) struct rp_context rp_context = {
    .c_name = RP_TEXT(RP_NAME),
    .acts_size = RP_DEF(_DATA_ACTIVATIONS_SIZE),
    .weights_size = RP_DEF(_DATA_WEIGHTS_SIZE),
};

#ifdef RP_STATIC
/* Defined if the weights are a file: generated code then does not know their address. */
extern const uint8_t rp_static_weights[] __attribute__((weak));
#endif

/* Writes to activations over the image or the instance's own RAM would damage what they overlap. */
static inline ai_bool rp_apart(const void *acts, uint32_t bytes) {
#ifdef RP_STATIC
    (void)acts, (void)bytes;
    return true;
#else
    return rp_boot_apart(rp_context.rom_addr, (uint32_t)(uintptr_t)acts, bytes) != 0;
#endif
}

#if RP_MAPS
static ai_bool rp_params(ai_network_params *params, const ai_handle *weights,
                         const ai_handle *activations) {
    if (!RP_FN(_data_params_get)(params))
        return false;
#if RP_SPLIT_WEIGHTS
    (void)weights; /* the map names the linked-in arrays; in an image, rp_boot_set has moved them */
#elif defined(RP_STATIC)
    (void)weights; /* the map names the linked-in array, unless they are a file */
    if (rp_static_weights != NULL &&
        !ai_buffer_array_item_set_address(&params->map_weights, 0,
                                          (ai_handle)(uintptr_t)rp_static_weights))
        return false;
#else
    for (ai_u16 i = 0; i < params->map_weights.size; i++)
        if (!ai_buffer_array_item_set_address(&params->map_weights, i, weights[i]))
            return false;
#endif
    for (ai_u16 i = 0; i < params->map_activations.size; i++)
        if (!rp_apart(activations[i], params->map_activations.buffer[i].size) || /* bytes: U8 */
            !ai_buffer_array_item_set_address(&params->map_activations, i, activations[i]))
            return false;
    return true;
}
#else
static ai_bool rp_params(ai_network_params *params, const ai_handle *weights,
                         const ai_handle *activations) {
#ifdef RP_STATIC
    const ai_handle array = rp_static_weights != NULL ? (ai_handle)(uintptr_t)rp_static_weights
                                                      : RP_FN(_data_weights_get)();
    weights = &array;
#endif
    if (!rp_apart(activations[0], RP_DEF(_DATA_ACTIVATIONS_SIZE)))
        return false;
    const ai_network_params filled = AI_NETWORK_PARAMS_INIT(
        RP_DEF(_DATA_WEIGHTS)(weights[0]), RP_DEF(_DATA_ACTIVATIONS)(activations[0]));
    *params = filled;
    return true;
}
#endif

static ai_bool rp_init_v2(ai_handle network, const ai_handle *weights,
                          const ai_handle *activations) {
    ai_network_params params;
#ifndef RP_STATIC
    if (weights == NULL)
        return false;
#endif
    if (activations == NULL)
        return false;
#ifndef RP_STATIC
    if (rp_boot_set(rp_context.rom_addr, (uint32_t)(uintptr_t)weights,
                    (uint32_t)(uintptr_t)activations) != 0)
        return false;
#endif
    return rp_params(&params, weights, activations) && RP_FN(_init)(network, &params);
}

#ifdef RP_BOOT_CREATES
static ai_error rp_create(ai_handle *network, const ai_buffer *config) {
    enum { CREATE_FAILED = 0x33 }; /* not every release has this name */
    uint32_t code =
        rp_boot_create(rp_context.state, rp_context.rom_addr, (uint32_t)(uintptr_t)config);
    const ai_error refused = {.type = CREATE_FAILED, .code = code & 0xFFFFFFu};
    return code == RP_BOOT_DONE ? RP_FN(_create)(network, NULL) : refused;
}
#else
#define rp_create RP_FN(_create)
#endif

#if !RP_MAPS
/*
 * Runtimes through 7.0: ai_buffer has 24 bytes and the report 116. The loader's API has 28 and 136
 * (docs/FORMAT.md, "Buffers" and "Report"), so both are converted here.
 */
struct rp_buffer {
    uint32_t format;
    ai_handle data;
    void *meta_info;
    uint32_t flags, size; /* elements */
    uint32_t shape_head;  /* type in bits 7..0, number of dimensions in the others */
    uint32_t *shape;
};
enum { RP_TENSORS_MAX = 4, RP_DIMENSIONS = 4, RP_OLD_FLOAT = 1 << 24 };
_Static_assert(sizeof(struct rp_buffer) == 28 && sizeof(ai_buffer) == 24, "both ai_buffers");

static struct {
    struct rp_buffer buffers[2 * RP_TENSORS_MAX];
    uint32_t shapes[2 * RP_TENSORS_MAX][RP_DIMENSIONS];
} rp_io;

static void rp_convert(const ai_buffer *from, uint32_t count, uint32_t first) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *shape = rp_io.shapes[first + i];
        shape[0] = from[i].n_batches;
        shape[1] = from[i].channels;
        shape[2] = from[i].width;
        shape[3] = from[i].height;
        rp_io.buffers[first + i] = (struct rp_buffer){
            .format = (uint32_t)from[i].format & ~(uint32_t)RP_OLD_FLOAT,
            .data = from[i].data,
            .meta_info = from[i].meta_info,
            .size = shape[1] * shape[2] * shape[3],
            .shape_head = RP_DIMENSIONS << 8 | 1,
            .shape = shape,
        };
    }
}

static ai_bool rp_info(ai_handle network, ai_network_report *info) {
    return RP_FN(_get_info)(network, info) && info->n_inputs <= RP_TENSORS_MAX &&
           info->n_outputs <= RP_TENSORS_MAX;
}

/* The report has 136 bytes, whatever this pack's header says. */
static ai_bool rp_report(ai_handle network, ai_network_report *report) {
    enum { SAME = 44, VERSION = 20, MACC = 48, INPUTS = 56, OUTPUTS = 58, IN = 60, OUT = 64 };
    enum { NODES = 124, SIGNATURE = 128, SIZE = 136, LAYOUT_MAJOR = 10 };
    uint8_t *bytes = (uint8_t *)(void *)report;
    struct rp_buffer *in = rp_io.buffers, *out = &rp_io.buffers[RP_TENSORS_MAX];
    ai_network_report info;
    if (report == NULL || !rp_info(network, &info))
        return false;
    rp_convert(info.inputs, info.n_inputs, 0);
    rp_convert(info.outputs, info.n_outputs, RP_TENSORS_MAX);
    const uint64_t macc = info.n_macc;
    memset(bytes, 0, SIZE);
    memcpy(bytes, &info, SAME);
    bytes[VERSION] = LAYOUT_MAJOR; /* says how the rest is laid out */
    memcpy(bytes + MACC, &macc, sizeof macc);
    memcpy(bytes + INPUTS, &info.n_inputs, 2);
    memcpy(bytes + OUTPUTS, &info.n_outputs, 2);
    memcpy(bytes + IN, &in, sizeof in);
    memcpy(bytes + OUT, &out, sizeof out);
    memcpy(bytes + NODES, &info.n_nodes, 4);
    memcpy(bytes + SIGNATURE, &info.signature, 4);
    return true;
}

static ai_i32 rp_run(ai_handle network, const ai_buffer *input, ai_buffer *output) {
    const struct rp_buffer *in = (const struct rp_buffer *)(const void *)input;
    const struct rp_buffer *out = (const struct rp_buffer *)(const void *)output;
    ai_buffer old_in[RP_TENSORS_MAX], old_out[RP_TENSORS_MAX];
    ai_network_report info;
    if (!rp_info(network, &info))
        return 0;
    for (uint32_t i = 0; in != NULL && i < info.n_inputs; i++) {
        old_in[i] = info.inputs[i];
        old_in[i].data = in[i].data;
    }
    for (uint32_t i = 0; out != NULL && i < info.n_outputs; i++) {
        old_out[i] = info.outputs[i];
        old_out[i].data = out[i].data;
    }
    return RP_FN(_run)(network, in != NULL ? old_in : NULL, out != NULL ? old_out : NULL);
}
#endif

#if RP_OBSERVER_ALLOCATES
/* An image has no heap: its networks run without observers. */
static ai_bool rp_observe(ai_handle network, ai_observer_exec_ctx *ctx) {
    (void)network, (void)ctx;
    return false;
}
#define rp_ignore rp_observe
#else
#define rp_observe ai_platform_observer_register_s
#define rp_ignore  ai_platform_observer_unregister_s
#endif

__attribute__((section(".network_rt_flags"), used)) const uint32_t rp_flags = RP_FLAGS;

__attribute__((section(".network_rt_init"), used)) const struct rp_entries rp_entries = {
    .create = rp_create,
    .init = RP_FN(_init),
    .init_v2 = rp_init_v2,
#if RP_MAPS
    .run = RP_FN(_run),
    .report = RP_FN(_get_report),
#else
    .run = rp_run,
    .report = rp_report,
#endif
    .error = RP_FN(_get_error),
    .destroy = RP_FN(_destroy),
    .forward = RP_FN(_forward),
    .obs_register = rp_observe,
    .obs_unregister = rp_ignore,
    .obs_node_info = ai_platform_observer_node_info,
    .ctx = &rp_context,
};
