/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry glue of a network for the vendor's runtime, legacy C API, where the pack brings none (or
 * one for an older loader): gives the network's own functions the entry vector of the image format.
 *
 * Variables: RP_NAME (C name), RP_NAME_UP (the same in upper case), RP_NETWORK_H and RP_DATA_H
 * (headers), RP_FLAGS (header word 1), RP_MAPS (1: the network describes weights and activations in
 * maps, runtime 7.1 and later; 0: as two buffers), RP_REPORT (1: get_report; 0: get_info).
 */
#include <stdint.h>
#include <string.h>

#include "ai_platform.h"
#include "ai_platform_interface.h"
#include RP_NETWORK_H
#include RP_DATA_H
#include "image_glue.h" /* takes the vendor's types: they are on the include path */
#include "reloc_format.h"
#ifndef RP_STATIC
#include "image_boot.h"
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
/* Defined when the weights are a file: generated code then does not know where they are. */
extern const uint8_t rp_static_weights[] __attribute__((weak));
#endif

#if RP_MAPS
static ai_bool rp_params(ai_network_params *params, const ai_handle *weights,
                         const ai_handle *activations) {
    if (!RP_FN(_data_params_get)(params))
        return false;
#ifdef RP_STATIC
    (void)weights; /* the map already names the array that is linked in, unless it is a file */
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
        if (!ai_buffer_array_item_set_address(&params->map_activations, i, activations[i]))
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
    rp_boot_set((uint32_t)(uintptr_t)weights[0], (uint32_t)(uintptr_t)activations[0]);
#endif
    return rp_params(&params, weights, activations) && RP_FN(_init)(network, &params);
}

__attribute__((section(".network_rt_flags"), used)) const uint32_t rp_flags = RP_FLAGS;

__attribute__((section(".network_rt_init"), used)) const struct rp_entries rp_entries = {
    .create = RP_FN(_create),
    .init = RP_FN(_init),
    .init_v2 = rp_init_v2,
    .run = RP_FN(_run),
#if RP_REPORT
    .report = RP_FN(_get_report),
#else
    .report = RP_FN(_get_info),
#endif
    .error = RP_FN(_get_error),
    .destroy = RP_FN(_destroy),
    .forward = RP_FN(_forward),
    .obs_register = ai_platform_observer_register_s,
    .obs_unregister = ai_platform_observer_unregister_s,
    .obs_node_info = ai_platform_observer_node_info,
    .ctx = &rp_context,
};
