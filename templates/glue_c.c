/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry glue of a plain C model: gives one C function the entry vector of the image format.
 *
 * Variables, in the generated model_glue.h: RP_C_NAME (string), RP_FLAGS (header word 1), RP_INPUTS
 * and RP_OUTPUTS (numbers of tensors), rp_inputs[] and rp_outputs[] (ai_buffer tables), RP_CALL(in,
 * out) (calls the model with arrays of pointers; not 0 when it worked). May be there: RP_INIT() (as
 * RP_CALL, at each init), RP_DESTROY(), RP_PARTS_ALIGN (the two take rp_weights and rp_acts, of
 * RP_WEIGHTS_SIZE and RP_ACTS_SIZE bytes, aligned to this), RP_CALLS (a header with functions that
 * these call, which may use those of this file; RP_INIT also has the arrays weights and
 * activations). RP_STATIC is defined for a static
 * build: weights and activations are then ordinary constants and variables.
 */
#include "image_glue.h"
#include "reloc_format.h"
#ifndef RP_STATIC
#include "image_boot.h"
#endif
#include <string.h>

/* Where weights and activations are, for models that take them as arguments. */
static uint8_t *rp_weights __attribute__((unused)), *rp_acts __attribute__((unused));

#include "model_glue.h"

#define RP_MAP_SIGNATURE UINT32_C(0xA1FACADE) /* of an ai_network_params that holds maps */

/* The context that the loader fills in: reloc_format.h, RELOC_CTX_*. */
struct rp_context {
    uint32_t state;
    ai_handle network;
    uint32_t ram_addr, rom_addr, ram_alloc_addr;
    const char *c_name;
    uint32_t acts_size, weights_size; /* set by the packer */
    ai_observer_exec_ctx observer;    /* the loader's */
};
_Static_assert(sizeof(struct rp_context) == RELOC_CTX_BYTES, "context layout");

/* Not static: the packer writes its sizes, so the compiler must not know their values. */
__attribute__((section(".network_rt_ctx"), used)) struct rp_context rp_context = {
    .c_name = RP_C_NAME,
};

static struct rp_instance {
    ai_error error; /* the first since it was last asked for */
    ai_bool initialized;
    uint32_t acts_size; /* the loader may use the context's word for itself after create */
    ai_observer_exec_ctx *observer;
} rp_instance;

static ai_bool rp_fail(ai_u32 type, ai_u32 code) {
    if (rp_instance.error.type == AI_ERROR_NONE) {
        rp_instance.error.type = type & 0xFFu;
        rp_instance.error.code = code & 0xFFFFFFu;
    }
    return ai_false;
}

static ai_bool rp_valid(ai_handle network) {
    return network == (ai_handle)&rp_instance;
}

/* One node: the model as a whole. It has no tensors of its own to show. */
static void rp_node(ai_observer_node *node) {
    static const ai_tensor_chain none;
    memset(node, 0, sizeof *node);
    node->tensors = &none;
}

static void rp_notify(ai_u32 event) {
    ai_observer_exec_ctx *observer = rp_instance.observer;
    if (observer == NULL || (observer->flags & event) == 0)
        return;
    ai_observer_node node;
    rp_node(&node);
    observer->c_idx = 0;
    (void)observer->on_node(observer->cookie, event | AI_OBSERVER_FIRST_EVT | AI_OBSERVER_LAST_EVT,
                            &node);
}

static ai_error rp_create(ai_handle *network, const ai_buffer *config) {
    (void)config;
    memset(&rp_instance, 0, sizeof rp_instance);
    rp_instance.acts_size = rp_context.acts_size;
#ifdef RP_BOOT_CREATES
    uint32_t refused = rp_boot_create(rp_context.state, rp_context.rom_addr, config);
    if (refused != RP_BOOT_DONE) {
        (void)rp_fail(AI_ERROR_CREATE_FAILED, refused);
        return rp_instance.error;
    }
#endif
    *network = (ai_handle)&rp_instance;
    return rp_instance.error;
}

/* A NULL or misaligned part would give plausible wrong numbers. */
static inline ai_bool rp_is_part(const ai_handle *part, uint32_t align) {
    return part != NULL && *part != NULL && ((uint32_t)(uintptr_t)*part & (align - 1)) == 0;
}

#ifdef RP_PARTS_ALIGN
#ifdef RP_STATIC
extern const uint8_t rp_static_weights[] __attribute__((weak));
#endif

/* The model takes the addresses of both parts as arguments. */
static ai_bool rp_place(const ai_handle *weights, const ai_handle *activations) {
#ifdef RP_STATIC
    const ai_handle fixed = (ai_handle)(uintptr_t)rp_static_weights;
    weights = &fixed;
#endif
    if (RP_WEIGHTS_SIZE != 0 && !rp_is_part(weights, RP_PARTS_ALIGN))
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_WEIGHTS);
    if (RP_ACTS_SIZE != 0 && !rp_is_part(activations, RP_PARTS_ALIGN))
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_ACTIVATIONS);
    rp_weights = RP_WEIGHTS_SIZE != 0 ? *weights : NULL;
    rp_acts = RP_ACTS_SIZE != 0 ? *activations : NULL;
    return ai_true;
}
#elif defined(RP_STATIC)
static ai_bool rp_place(const ai_handle *weights, const ai_handle *activations) {
    (void)weights;
    (void)activations;
    return ai_true;
}
#else
/* The model's words need an alignment of 4. */
static ai_bool rp_usable(const ai_handle *part, uint32_t segment) {
    return !rp_boot_needs(segment) || rp_is_part(part, 4);
}

static ai_bool rp_place(const ai_handle *weights, const ai_handle *activations) {
    if (!rp_usable(weights, RELOC_SEG_WEIGHTS))
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_WEIGHTS);
    if (!rp_usable(activations, RELOC_SEG_ACTS))
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_ACTIVATIONS);
    uint32_t acts = activations != NULL ? (uint32_t)(uintptr_t)*activations : 0;
    rp_boot_set(rp_context.rom_addr, weights != NULL ? (uint32_t)(uintptr_t)*weights : 0, acts);
    if (rp_boot_needs(RELOC_SEG_ACTS))
        memset((void *)(uintptr_t)acts, 0, rp_instance.acts_size);
    return ai_true;
}
#endif

#ifdef RP_CALLS
#include RP_CALLS
#endif

static ai_bool rp_init_v2(ai_handle network, const ai_handle *weights,
                          const ai_handle *activations) {
    if (!rp_valid(network))
        return ai_false;
    rp_instance.initialized = rp_place(weights, activations);
#ifdef RP_INIT
    if (rp_instance.initialized && !RP_INIT())
        rp_instance.initialized = rp_fail(AI_ERROR_INIT_FAILED, AI_ERROR_CODE_NETWORK);
#endif
    if (rp_instance.initialized)
        rp_notify(AI_OBSERVER_INIT_EVT);
    return rp_instance.initialized;
}

/* The older way: weights and activations in a map, or as two plain buffers. */
static ai_bool rp_init(ai_handle network, const ai_network_params *params) {
    if (!rp_valid(network))
        return ai_false;
    if (params == NULL)
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_PARAMS);
    if (params->map_signature == RP_MAP_SIGNATURE) {
        const ai_buffer *weights = params->map_weights.buffer;
        const ai_buffer *acts = params->map_activations.buffer;
        return rp_init_v2(network, weights != NULL ? &weights->data : NULL,
                          acts != NULL ? &acts->data : NULL);
    }
    return rp_init_v2(network, &params->params.data, &params->activations.data);
}

static ai_bool rp_gather(const ai_buffer *buffers, uint32_t count, void **pointers) {
    if (buffers == NULL)
        return ai_false;
    for (uint32_t i = 0; i < count; i++) {
        if (buffers[i].data == NULL)
            return ai_false;
        pointers[i] = buffers[i].data;
    }
    return ai_true;
}

static ai_i32 rp_run(ai_handle network, const ai_buffer *input, ai_buffer *output) {
    void *in[RP_INPUTS + 1];
    void *out[RP_OUTPUTS + 1];
    if (!rp_valid(network))
        return 0;
    if (!rp_instance.initialized)
        return (ai_i32)rp_fail(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_MISSED_INIT);
    if (!rp_gather(input, RP_INPUTS, in))
        return (ai_i32)rp_fail(AI_ERROR_INVALID_INPUT, AI_ERROR_CODE_INVALID_PTR);
    if (!rp_gather(output, RP_OUTPUTS, out))
        return (ai_i32)rp_fail(AI_ERROR_INVALID_OUTPUT, AI_ERROR_CODE_INVALID_PTR);
    rp_notify(AI_OBSERVER_PRE_EVT);
    if (!RP_CALL(in, out))
        return (ai_i32)rp_fail(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_NETWORK);
    rp_notify(AI_OBSERVER_POST_EVT);
    return 1;
}

/* n_macc is 0, which says "not known", where nothing tells it (RP_MACC). */
static ai_bool rp_report(ai_handle network, ai_network_report *report) {
    if (!rp_valid(network))
        return ai_false;
    if (report == NULL)
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR);
    memset(report, 0, sizeof *report);
    report->model_name = RP_C_NAME;
    report->model_signature = RP_SIGNATURE;
    report->model_datetime = "";
    report->compile_datetime = "";
    report->runtime_revision = "relocpack";
    report->runtime_version.major = 10; /* whose layout of the report and formats are used here */
    report->tool_revision = "relocpack";
    report->n_inputs = RP_INPUTS;
    report->n_outputs = RP_OUTPUTS;
    report->inputs = rp_inputs;
    report->outputs = rp_outputs;
    report->n_nodes = 1;
#ifdef RP_MACC
    report->n_macc = RP_MACC;
#endif
    return ai_true;
}

static ai_error rp_error(ai_handle network) {
    ai_error error = {AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR};
    if (rp_valid(network)) {
        error = rp_instance.error;
        rp_instance.error.type = AI_ERROR_NONE;
        rp_instance.error.code = AI_ERROR_CODE_NONE;
    }
    return error;
}

static ai_handle rp_destroy(ai_handle network) {
    if (!rp_valid(network))
        return network;
#ifdef RP_DESTROY
    if (rp_instance.initialized)
        RP_DESTROY();
#endif
    memset(&rp_instance, 0, sizeof rp_instance);
    return AI_HANDLE_NULL;
}

/* Plain C has no way to run without outputs. */
static ai_i32 rp_forward(ai_handle network, const ai_buffer *input) {
    (void)input;
    if (rp_valid(network))
        (void)rp_fail(AI_ERROR_INVALID_OUTPUT, AI_ERROR_CODE_INVALID_PTR);
    return 0;
}

static ai_bool rp_obs_register(ai_handle network, ai_observer_exec_ctx *observer) {
    if (!rp_valid(network))
        return ai_false;
    if (observer == NULL || observer->on_node == NULL)
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR);
    if (rp_instance.observer != NULL)
        return rp_fail(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_IN_USE);
    observer->flags |= AI_OBSERVER_REGISTERED;
    observer->c_idx = 0;
    observer->n_nodes = 1;
    rp_instance.observer = observer;
    return ai_true;
}

static ai_bool rp_obs_unregister(ai_handle network, ai_observer_exec_ctx *observer) {
    if (!rp_valid(network))
        return ai_false;
    if (observer == NULL || rp_instance.observer != observer)
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR);
    observer->flags &= ~(ai_u32)AI_OBSERVER_REGISTERED;
    rp_instance.observer = NULL;
    return ai_true;
}

static ai_bool rp_obs_node_info(ai_handle network, ai_observer_node *node) {
    if (!rp_valid(network) || node == NULL || node->c_idx != 0)
        return ai_false;
    rp_node(node);
    return ai_true;
}

__attribute__((section(".network_rt_flags"), used)) const uint32_t rp_flags = RP_FLAGS;

__attribute__((section(".network_rt_init"), used)) const struct rp_entries rp_entries = {
    .create = rp_create,
    .init = rp_init,
    .init_v2 = rp_init_v2,
    .run = rp_run,
    .report = rp_report,
    .error = rp_error,
    .destroy = rp_destroy,
    .forward = rp_forward,
    .obs_register = rp_obs_register,
    .obs_unregister = rp_obs_unregister,
    .obs_node_info = rp_obs_node_info,
    .ctx = &rp_context,
};
