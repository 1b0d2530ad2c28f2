/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Entry glue for a model run by plain functions: gives them the entry vector of the image format.
 *
 * Variables: RP_INPUTS and RP_OUTPUTS (numbers of tensors), and in the generated model_glue.h:
 * RP_NAMES (strings, one behind the other: C name, signature, "relocpack"), RP_SIGNATURE_AT and
 * RP_TOOL_AT (where the latter two begin), RP_FLAGS (header word 1), RP_INPUT_TABLE and
 * RP_OUTPUT_TABLE (ai_buffers), RP_CALL(in, out) (calls the model with arrays of pointers; returns
 * nonzero if it worked). With RP_MADE (dimensions of all tensors), RP_WORDS stands for the tables:
 * shapes, and for each tensor its format << 8 | how many words before its end the shape begins.
 * Optional: RP_INIT() (like RP_CALL, at each init), RP_DESTROY(),
 * RP_PARTS_ALIGN (RP_CALL and RP_INIT take rp_weights and rp_acts, of RP_WEIGHTS_SIZE and
 * RP_ACTS_SIZE bytes, aligned to this), RP_CALLS (a header with functions that these call, which
 * may use those of this file; RP_INIT then also has the arrays weights and activations, and places
 * the latter itself), RP_REPORT_PARTS(report) (tells of both), RP_NODES (RP_CALL tells the observer of as many nodes itself). RP_NO_PARTS:
 * there are neither weights nor activations. RP_STATIC is defined for a static build: weights and
 * activations are then ordinary constants and variables.
 *
 * All variables are one struct at RAM offset 0, where r9 points. There is no GOT and no call of the
 * C library, so an image has only what its model needs.
 */
#include "image/image_glue.h"
#include "format/reloc_format.h"
#if defined(RP_PARTS)
#define RP_BOOT_KEPT 80 /* up to the tables, below */
#elif defined(RP_STATIC) || defined(RP_NO_PARTS)
#define RP_BOOT_KEPT 72
#else
#define RP_CLEARS    /* init_v2 clears the activations, unless there are RP_CALLS */
#define RP_BOOT_KEPT 76
#endif
#ifndef RP_STATIC
#include "image/image_boot.h"
#endif
#include <string.h> /* for model_glue.h and glue_stai.h */

struct rp_instance {
    /* The context that the loader fills in: reloc_format.h, RELOC_CTX_*. */
    uint32_t state;
    ai_handle network;
    uint32_t ram_addr, rom_addr, ram_alloc_addr;
    const char *c_name;
    uint32_t packed_acts_size, weights_size; /* set by the packer; the loader's after create */
    ai_observer_exec_ctx own_observer;       /* the loader's */

    uint16_t error; /* the first one since it was last asked for: type, and code << 8 */
    uint16_t initialized;
#ifdef RP_MADE
    ai_buffer *inputs; /* and outputs, made by create at the end of .bss */
#else
    const char *names; /* RP_NAMES */
#endif
    ai_observer_exec_ctx *observer;
    ai_tensor_chain no_tensors;
#ifdef RP_CLEARS
    uint32_t acts_size;
#endif
#ifdef RP_PARTS
    uint8_t *weights, *acts; /* for models that take them as arguments */
#endif
#ifndef RP_MADE
    ai_buffer inputs[RP_INPUTS + !RP_INPUTS];
    ai_buffer outputs[RP_OUTPUTS];
#endif
};
#ifdef RP_MADE
#define RP_KEPT_BYTES sizeof(struct rp_instance)
#else
#define RP_KEPT_BYTES offsetof(struct rp_instance, inputs)
#endif
_Static_assert(offsetof(struct rp_instance, error) == RELOC_CTX_BYTES &&
                   RP_KEPT_BYTES == RP_BOOT_KEPT,
               "context layout");

#ifdef RP_STATIC
extern struct rp_instance rp_instance;
#define rp_self rp_instance
#else
#define rp_self (*(struct rp_instance *)rp_boot_ram_base())
#endif
#define rp_weights rp_self.weights
#define rp_acts    rp_self.acts
#define rp_inputs  rp_self.inputs
#ifdef RP_MADE
#define rp_outputs (rp_self.inputs + RP_INPUTS)
#define rp_names   (rp_found_constants->names)
#else
#define rp_outputs rp_self.outputs
#define rp_names   rp_self.names
#endif

/* For glow's model_glue.h: the C library's memcpy has 300 bytes. */
__attribute__((unused)) static void rp_move(void *to, const void *from, uint32_t bytes) {
    volatile uint8_t *byte = to;
    const uint8_t *source = from;
    if ((((uintptr_t)to | (uintptr_t)from) & 3u) == 0)
        for (; bytes >= 4; bytes -= 4, byte += 4, source += 4)
            *(volatile uint32_t *)(uintptr_t)byte = *(const uint32_t *)(uintptr_t)source;
    for (; bytes != 0; bytes--)
        *byte++ = *source++;
}

#include "model_glue.h"

#ifdef RP_MADE
/* image.ld puts the first directly after the header, the second at the end of the RAM, before
 * rp_done. */
static const struct rp_constants {
    uint32_t words[sizeof(uint32_t[]){RP_WORDS} / 4];
    char names[sizeof RP_NAMES];
} rp_constants __attribute__((section(".rp_constants"))) = {{RP_WORDS}, RP_NAMES};
static ai_buffer rp_tensors[RP_INPUTS + RP_OUTPUTS] __attribute__((section(".rp_tensors"), used));
#endif

/* Not static: the packer writes the sizes in it, so the compiler must not know their values. */
__attribute__((section(".network_rt_ctx"), used)) struct rp_instance rp_instance = {
#ifdef RP_MADE
    .c_name = rp_constants.names,
#else
    .c_name = RP_NAMES,
    .inputs = {RP_INPUT_TABLE},
    .outputs = {RP_OUTPUT_TABLE},
#endif
};

#ifdef RP_MADE
/* No word of the data says where they are: neither a table of the image nor REL is trusted. */
#ifdef RP_STATIC
#define rp_found_constants (&rp_constants)
#define rp_tensors_end     (rp_tensors + RP_INPUTS + RP_OUTPUTS)
#else
#define rp_found_constants                                                                         \
    ((const struct rp_constants *)(uintptr_t)(rp_self.rom_addr + RELOC_HDR_BYTES))
#define rp_tensors_end                                                                             \
    ((ai_buffer *)(uintptr_t)(rp_boot_ram_base() +                                                 \
                              rp_boot_end(rp_self.rom_addr, RELOC_HDR_BSS_END) - RP_DONE_BYTES))
#ifdef RP_COMPACT
#define RP_DONE_BYTES 4u
#else
#define RP_DONE_BYTES 0u
#endif
#endif

/* For create: makes the buffers. Their words are the last ones. */
static inline __attribute__((always_inline)) void rp_make_tensors(void) {
    enum { COUNT = RP_INPUTS + RP_OUTPUTS };
    ai_buffer *end = rp_tensors_end;
    __asm__("" : "+r"(end)); /* this and the next: instructions are shorter in this order */
    ai_buffer *buffer = end - COUNT;
    const uint32_t *word = (const uint32_t *)(const void *)rp_found_constants->names - COUNT;
    rp_self.inputs = buffer;
    do {
        uint32_t value = *word++, elements = 1;
        const ai_shape_dimension *shape = word - (value & 0xFFu);
        for (unsigned i = 1; i < RP_MADE; i++) /* the batch is 1 */
            elements *= shape[i];
        buffer->format = (ai_buffer_format)(value >> 8);
        buffer->shape.data = (ai_shape_dimension *)shape;
        buffer->size = elements;
        buffer->shape.type = 1;
        buffer->shape.size = RP_MADE;
        buffer++;
        __asm__("" : "+r"(buffer), "+r"(word));
    } while (buffer != end);
}
#endif

/*
 * The handle of each call is the one that create has returned: a loader finds r9 by it, so it has
 * been checked.
 */

static ai_bool rp_refuse(uint32_t error) {
    if (rp_self.error == 0)
        rp_self.error = (uint16_t)error;
    return ai_false;
}
#define RP_ERROR(type, code) ((uint32_t)(type) | (uint32_t)(code) << 8)
#define rp_fail(type, code)  rp_refuse(RP_ERROR(type, code))

__attribute__((noinline)) static ai_bool rp_refuse_pointer(void) {
    return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR);
}

static ai_error rp_as_error(uint32_t error) {
    union {
        uint32_t word;
        ai_error error;
    } as = {error};
    return as.error;
}

/* A node, the first one; often the only one, the model as a whole. Nothing tells of its tensors. */
static void rp_node(ai_observer_node *node) {
    node->c_idx = node->type = node->id = node->unused = 0;
    node->inner_tensors = NULL;
    node->tensors = &rp_self.no_tensors;
}

__attribute__((noinline)) static void rp_tell(ai_observer_exec_ctx *observer, ai_u32 event) {
    if ((observer->flags & event) == 0)
        return;
    ai_observer_node node;
    rp_node(&node);
    observer->c_idx = 0;
    (void)observer->on_node(observer->cookie, event | AI_OBSERVER_FIRST_EVT | AI_OBSERVER_LAST_EVT,
                            &node);
}

/* Inline, because most of the time nobody observes. */
static inline __attribute__((always_inline)) void rp_notify(ai_u32 event) {
    ai_observer_exec_ctx *observer = rp_self.observer;
    if (observer != NULL)
        rp_tell(observer, event);
}

#ifdef RP_NODES
#define rp_notify_run(event) ((void)0)
#else
#define RP_NODES      1
#define rp_notify_run rp_notify
#endif

static inline __attribute__((always_inline)) void rp_reset(void) {
    rp_self.error = 0;
    rp_self.initialized = 0;
    rp_self.observer = NULL;
}

__attribute__((section(".text.rp_create"))) static ai_error rp_create(ai_handle *network,
                                                                      const ai_buffer *config) {
    (void)config;
#ifdef RP_STATIC
    rp_reset(); /* an image is as in its file */
#endif
#ifndef RP_MADE
    rp_self.names = rp_self.c_name; /* these words belong to the loader from now on */
#endif
#ifdef RP_CLEARS
    rp_self.acts_size = rp_self.packed_acts_size;
#endif
#ifdef RP_BOOT_CREATES
    uint32_t refused = rp_boot_create(rp_self.state, rp_self.rom_addr, (uint32_t)(uintptr_t)config);
    if (refused != RP_BOOT_DONE) {
        (void)rp_fail(AI_ERROR_CREATE_FAILED, refused);
        return rp_as_error(rp_self.error);
    }
#endif
    *network = (ai_handle)&rp_self;
#ifdef RP_MADE
    rp_make_tensors();
#endif
    return rp_as_error(0);
}

/* A NULL or misaligned part would give plausible but wrong numbers. */
static inline ai_bool rp_is_part(const ai_handle *part, uint32_t align) {
    return part != NULL && *part != NULL && (uint32_t)(uintptr_t)*part % align == 0;
}

/* Activations over the image or the instance's own RAM would clear what they overlap. */
__attribute__((unused)) static ai_bool rp_apart(const void *acts, uint32_t bytes) {
#ifndef RP_STATIC
    if (!rp_boot_apart(rp_self.rom_addr, (uint32_t)(uintptr_t)acts, bytes))
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_ACTIVATIONS);
#endif
    (void)acts, (void)bytes;
    return ai_true;
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
    if (RP_ACTS_SIZE != 0 && !rp_apart(*activations, RP_ACTS_SIZE))
        return ai_false;
    rp_weights = RP_WEIGHTS_SIZE != 0 ? *weights : NULL;
    rp_acts = RP_ACTS_SIZE != 0 ? *activations : NULL;
    return ai_true;
}
#elif defined(RP_STATIC) || defined(RP_NO_PARTS)
static ai_bool rp_place(const ai_handle *weights, const ai_handle *activations) {
    (void)weights;
    (void)activations;
    return ai_true;
}
#else
/* Activations begin as zeros, as .bss does. */
static ai_bool rp_place(const ai_handle *weights, const ai_handle *activations) {
    uint32_t lacking = rp_boot_set(rp_self.rom_addr, (uint32_t)(uintptr_t)weights,
                                   (uint32_t)(uintptr_t)activations);
    if (lacking == RELOC_SEG_FLASH)
        return rp_fail(AI_ERROR_INIT_FAILED, AI_ERROR_CODE_NETWORK_PARAMS);
    if (lacking != 0)
        return rp_fail(AI_ERROR_INVALID_PARAM, lacking == RELOC_SEG_WEIGHTS
                                                   ? AI_ERROR_CODE_NETWORK_WEIGHTS
                                                   : AI_ERROR_CODE_NETWORK_ACTIVATIONS);
#ifndef RP_CALLS
    uint32_t bytes = rp_self.acts_size; /* a multiple of 4 */
    if (bytes != 0 && !rp_apart(*activations, bytes))
        return ai_false;
    for (; bytes >= 4; bytes -= 4) /* volatile: a loop, not the C library's memset */
        *(volatile uint32_t *)((uintptr_t)*activations + bytes - 4) = 0;
#endif
    return ai_true;
}
#endif

#ifdef RP_CALLS
#include RP_CALLS
#endif

static ai_bool rp_init_v2(ai_handle network, const ai_handle *weights,
                          const ai_handle *activations) {
    (void)network;
#ifdef RP_DESTROY
    if (rp_self.initialized)
        RP_DESTROY();
#endif
    ai_bool placed = rp_place(weights, activations);
#ifdef RP_INIT
    if (placed && !RP_INIT())
        placed = rp_fail(AI_ERROR_INIT_FAILED, AI_ERROR_CODE_NETWORK);
#endif
    rp_self.initialized = placed;
    if (placed)
        rp_notify(AI_OBSERVER_INIT_EVT);
    return placed;
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
    (void)network;
    uint32_t error = RP_ERROR(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_MISSED_INIT);
    if (!rp_self.initialized)
        goto refused;
    error = RP_ERROR(AI_ERROR_INVALID_INPUT, AI_ERROR_CODE_INVALID_PTR);
    if (!rp_gather(input, RP_INPUTS, in))
        goto refused;
    error = RP_ERROR(AI_ERROR_INVALID_OUTPUT, AI_ERROR_CODE_INVALID_PTR);
    if (!rp_gather(output, RP_OUTPUTS, out))
        goto refused;
    rp_notify_run(AI_OBSERVER_PRE_EVT);
    error = RP_ERROR(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_NETWORK);
    if (!RP_CALL(in, out))
        goto refused;
    rp_notify_run(AI_OBSERVER_POST_EVT);
    return 1;
refused:
    return rp_refuse(error);
}

/* n_macc is 0, which means "not known", unless RP_MACC gives it. */
static ai_bool rp_report(ai_handle network, ai_network_report *report) {
    (void)network;
    if (report == NULL)
        return rp_refuse_pointer();
    for (uint32_t at = sizeof *report; at != 0; at -= 4)
        *(volatile uint32_t *)((uintptr_t)report + at - 4) = 0;
    ai_buffer *inputs = rp_inputs, *outputs = rp_outputs;
    const char *names = rp_names;
#ifdef RP_MADE
    outputs = inputs + RP_INPUTS;
    __asm__("" : "+r"(names)); /* shorter than from the header */
#endif
    report->model_name = names;
    report->model_signature = names + RP_SIGNATURE_AT;
    report->model_datetime = names + RP_TOOL_AT - 1; /* "" */
    report->compile_datetime = report->model_datetime;
    report->runtime_revision = names + RP_TOOL_AT;
    report->runtime_version.major = 10; /* whose report layout and formats are used here */
    report->tool_revision = names + RP_TOOL_AT;
    report->n_inputs = RP_INPUTS;
    report->n_outputs = RP_OUTPUTS;
    report->inputs = inputs;
    report->outputs = outputs;
    report->n_nodes = RP_NODES;
#ifdef RP_MACC
    report->n_macc = RP_MACC;
#endif
#ifdef RP_REPORT_PARTS
    RP_REPORT_PARTS(report);
#endif
    return ai_true;
}

static ai_error rp_error(ai_handle network) {
    uint32_t error = rp_self.error;
    (void)network;
    rp_self.error = 0;
    return rp_as_error(error);
}

static ai_handle rp_destroy(ai_handle network) {
    (void)network;
#ifdef RP_DESTROY
    if (rp_self.initialized)
        RP_DESTROY();
#endif
    rp_reset();
    return AI_HANDLE_NULL;
}

/*
 * init is for loaders before version 2.0, which do not take this image; forward would run without
 * outputs, which plain C cannot do.
 */
static ai_bool rp_unsupported(ai_handle network) {
    (void)network;
    return rp_fail(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_NONE);
}
#define RP_UNSUPPORTED(type)                                                                       \
    (__typeof__(((struct rp_entries *)0)->type))(void (*)(void))rp_unsupported

static ai_bool rp_obs_register(ai_handle network, ai_observer_exec_ctx *observer) {
    (void)network;
    if (observer == NULL || observer->on_node == NULL)
        return rp_refuse_pointer();
    if (rp_self.observer != NULL)
        return rp_fail(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_IN_USE);
    observer->flags |= AI_OBSERVER_REGISTERED;
    observer->c_idx = 0;
    observer->n_nodes = RP_NODES;
    rp_self.observer = observer;
    return ai_true;
}

static ai_bool rp_obs_unregister(ai_handle network, ai_observer_exec_ctx *observer) {
    (void)network;
    if (observer == NULL || rp_self.observer != observer)
        return rp_refuse_pointer();
    observer->flags &= ~(ai_u32)AI_OBSERVER_REGISTERED;
    rp_self.observer = NULL;
    return ai_true;
}

static ai_bool rp_obs_node_info(ai_handle network, ai_observer_node *node) {
    (void)network;
    if (node == NULL || node->c_idx >= RP_NODES)
        return ai_false;
    const ai_u16 index = node->c_idx;
    rp_node(node);
    node->c_idx = index;
    return ai_true;
}

__attribute__((section(".network_rt_flags"), used)) const uint32_t rp_flags = RP_FLAGS;

__attribute__((section(".network_rt_init"), used)) const struct rp_entries rp_entries = {
    .create = rp_create,
    .init = RP_UNSUPPORTED(init),
    .init_v2 = rp_init_v2,
    .run = rp_run,
    .report = rp_report,
    .error = rp_error,
    .destroy = rp_destroy,
    .forward = RP_UNSUPPORTED(forward),
    .obs_register = rp_obs_register,
    .obs_unregister = rp_obs_unregister,
    .obs_node_info = rp_obs_node_info,
    .ctx = &rp_instance,
};
