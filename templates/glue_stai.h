/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Presents a network with the vendor's newer C API (stai_<name>_init, _run, ...) as a model for
 * glue_c.c, which includes this file (RP_CALLS): it translates buffers and errors of one API into
 * those of the other. The network's own context lies in the instance's RAM.
 *
 * Variables: the network's header and stai.h are included, RP_FN(name) is its function and
 * RP_DEF(NAME) its macro of that name. RP_STAI_SIZES, RP_STAI_WEIGHTS_SIZES: sizes in bytes of
 * activations and states, and of weights, each followed by a comma. RP_STAI_NODES: how many nodes
 * the network tells a call-back of; not defined: none.
 */
#include <stddef.h>

/* A loader places the RAM at a multiple of 4; the context needs 8. */
enum { RP_STAI_ALIGN = 8 };
#define RP_STAI_ROOM(bytes) (((bytes) + RP_STAI_ALIGN - 1u) & ~(RP_STAI_ALIGN - 1u))
_Static_assert(RP_DEF(CONTEXT_ALIGNMENT) <= RP_STAI_ALIGN, "alignment of the context");

static uint32_t rp_stai_memory[RP_STAI_ROOM(RP_DEF(CONTEXT_SIZE)) / 4 + 1];

static stai_network *rp_stai(void) {
    uint32_t address = (uint32_t)(uintptr_t)rp_stai_memory;
    return (stai_network *)(uintptr_t)RP_STAI_ROOM(address);
}

/* Codes without their last digit, which only tells a wrong address from a wrong number. */
static ai_bool rp_stai_ok(stai_return_code code) {
    static const struct {
        uint16_t group;
        uint8_t type, code;
    } errors[] = {
        {0x2000, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_PTR},
        {0x3000, AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_NETWORK},
        {0x4000, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_ACTIVATIONS},
        {0x4001, AI_ERROR_INVALID_INPUT, AI_ERROR_CODE_INVALID_PTR},
        {0x4002, AI_ERROR_INVALID_OUTPUT, AI_ERROR_CODE_INVALID_PTR},
        {0x4003, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_TENSOR},
        {0x4004, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_WEIGHTS},
        {0x4007, AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_INVALID_FORMAT},
        {0x5000, AI_ERROR_INVALID_STATE, AI_ERROR_CODE_IN_USE},
        {0x6000, AI_ERROR_INIT_FAILED, AI_ERROR_CODE_NETWORK},
    };
    if (code < STAI_ERROR_GENERIC)
        return ai_true;
    for (uint32_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i].group == (uint32_t)code >> 4)
            return rp_fail(errors[i].type, errors[i].code);
    return rp_fail(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_NETWORK);
}

/*
 * Addresses of count buffers: given[]; or, if the second is NULL, one after the other in a block,
 * each at a multiple of 8.
 */
static void rp_stai_place(stai_ptr *buffers, const stai_size *sizes, const ai_handle *given,
                          uint32_t count) {
    uint8_t *block = *given;
    for (uint32_t i = 0; i < count; i++) {
        buffers[i] = count > 1 && given[1] != NULL ? (stai_ptr)given[i] : block;
        block += RP_STAI_ROOM(sizes[i]);
    }
}

enum {
    RP_STAI_ACTS = RP_DEF(ACTIVATIONS_NUM),
    RP_STAI_STATES = RP_DEF(STATES_NUM),
    RP_STAI_BUFFERS = RP_STAI_ACTS + RP_STAI_STATES,
    RP_STAI_WEIGHTS = RP_DEF(WEIGHTS_NUM),
    RP_STAI_PARTS = RP_STAI_WEIGHTS + RP_STAI_BUFFERS
};

/* Of all parts: weights, activations, states. */
static const stai_size rp_stai_sizes[] = {RP_STAI_WEIGHTS_SIZES RP_STAI_SIZES 0};
static ai_buffer rp_stai_parts[RP_STAI_PARTS + 1]; /* for the report */
static ai_shape_dimension rp_stai_shapes[RP_STAI_PARTS + 1][4];

static void rp_stai_report(ai_network_report *report) {
    for (uint32_t i = 0; i < RP_STAI_PARTS; i++) {
        ai_buffer *part = rp_stai_parts + i;
        ai_shape_dimension *shape = rp_stai_shapes[i];
        shape[0] = shape[2] = shape[3] = 1;
        shape[AI_SHAPE_CHANNEL] = part->size = rp_stai_sizes[i];
        part->format = AI_BUFFER_FORMAT_U8;
        part->shape.type = 1;
        part->shape.size = 4;
        part->shape.data = shape;
    }
    report->map_signature = AI_MAGIC_SIGNATURE;
    report->map_weights.size = RP_STAI_WEIGHTS;
    report->map_weights.buffer = rp_stai_parts;
    report->map_activations.size = RP_STAI_BUFFERS;
    report->map_activations.buffer = rp_stai_parts + RP_STAI_WEIGHTS;
}

static void rp_stai_note(uint32_t first, const stai_ptr *buffers, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        rp_stai_parts[first + i].data = (ai_handle)buffers[i];
}

/* Activations, then states, which start as zeros. */
static ai_bool rp_stai_buffers(const ai_handle *activations) {
    const stai_size *sizes = rp_stai_sizes + RP_STAI_WEIGHTS;
    stai_ptr buffers[RP_STAI_BUFFERS + 1];
    stai_ptr *states = buffers + RP_STAI_ACTS;
    if (RP_STAI_BUFFERS == 0)
        return ai_true;
    if (!rp_is_part(activations, 4))
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_ACTIVATIONS);
    rp_stai_place(buffers, sizes, activations, RP_STAI_BUFFERS);
    rp_stai_note(RP_STAI_WEIGHTS, buffers, RP_STAI_BUFFERS);
    for (uint32_t i = 0; i < RP_STAI_BUFFERS; i++)
        if (!rp_apart(buffers[i], sizes[i]))
            return ai_false;
    for (uint32_t i = 0; i < RP_STAI_STATES; i++) {
        if (states[i] == NULL)
            return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_TENSOR);
        memset(states[i], 0, sizes[RP_STAI_ACTS + i]);
    }
    return (RP_STAI_ACTS == 0 ||
            rp_stai_ok(RP_FN(set_activations)(rp_stai(), buffers, RP_STAI_ACTS))) &&
           (RP_STAI_STATES == 0 ||
            rp_stai_ok(RP_FN(set_states)(rp_stai(), states, RP_STAI_STATES)));
}

#ifdef RP_STATIC
extern const uint8_t rp_static_weights[] __attribute__((weak));
#endif

/* Only code that was generated without its weights has no addresses for them yet. */
static ai_bool rp_stai_weights(const ai_handle *weights) {
    stai_ptr found[RP_STAI_WEIGHTS + 1];
    stai_size count = 0;
#ifdef RP_STATIC
    const ai_handle fixed[2] = {(ai_handle)(uintptr_t)rp_static_weights, NULL};
    weights = fixed;
#endif
    if (RP_STAI_WEIGHTS == 0)
        return ai_true;
    if (!rp_stai_ok(RP_FN(get_weights)(rp_stai(), found, &count)))
        return ai_false;
    rp_stai_note(0, found, RP_STAI_WEIGHTS);
    if (found[0] != NULL)
        return ai_true;
    if (!rp_is_part(weights, 4))
        return rp_fail(AI_ERROR_INVALID_PARAM, AI_ERROR_CODE_NETWORK_WEIGHTS);
    rp_stai_place(found, rp_stai_sizes, weights, RP_STAI_WEIGHTS);
    rp_stai_note(0, found, RP_STAI_WEIGHTS);
    return rp_stai_ok(RP_FN(set_weights)(rp_stai(), found, RP_STAI_WEIGHTS));
}

static ai_bool rp_stai_init(const ai_handle *weights, const ai_handle *activations) {
    return rp_stai_ok(stai_runtime_init()) && rp_stai_ok(RP_FN(init)(rp_stai())) &&
           rp_stai_weights(weights) && rp_stai_buffers(activations);
}

#ifdef RP_STAI_NODES
/*
 * The network's events become those of the observer. Their payload begins with the node's id; an
 * observer that is registered while the network runs has to wait for the next run.
 */
static void rp_stai_event(void *cookie, const stai_event_type event, const void *payload) {
    enum { START = 1, STOP = 2 }; /* STAI_EVENT_NODE_* of stai_events.h, which not all packs have */
    ai_observer_exec_ctx *observer = rp_self.observer;
    ai_u32 flags = event == START ? AI_OBSERVER_PRE_EVT : AI_OBSERVER_POST_EVT;
    ai_observer_node node;
    (void)cookie;
    if (observer == NULL || payload == NULL || (event != START && event != STOP))
        return;
    rp_node(&node);
    node.c_idx = observer->c_idx;
    node.id = (ai_u16)*(const int32_t *)payload;
    if (event == STOP)
        observer->c_idx++;
    if ((observer->flags & flags) == 0)
        return;
    flags |= node.c_idx == 0 ? AI_OBSERVER_FIRST_EVT : 0;
    flags |= node.c_idx + 1u == RP_STAI_NODES ? AI_OBSERVER_LAST_EVT : 0;
    (void)observer->on_node(observer->cookie, flags, &node);
}

static ai_bool rp_stai_observe(void) {
    ai_observer_exec_ctx *observer = rp_self.observer;
    if (observer != NULL)
        observer->c_idx = 0;
    return rp_stai_ok(
        RP_FN(set_callback)(rp_stai(), observer != NULL ? rp_stai_event : NULL, NULL));
}
#else
static ai_bool rp_stai_observe(void) {
    return ai_true;
}
#endif

static ai_bool rp_stai_run(void **in, void **out) {
    stai_ptr inputs[RP_INPUTS + 1], outputs[RP_OUTPUTS + 1];
    for (uint32_t i = 0; i < RP_INPUTS; i++)
        inputs[i] = in[i];
    for (uint32_t i = 0; i < RP_OUTPUTS; i++)
        outputs[i] = out[i];
    return rp_stai_ok(RP_FN(set_inputs)(rp_stai(), inputs, RP_INPUTS)) &&
           rp_stai_ok(RP_FN(set_outputs)(rp_stai(), outputs, RP_OUTPUTS)) && rp_stai_observe() &&
           rp_stai_ok(RP_FN(run)(rp_stai(), STAI_MODE_SYNC));
}

static void rp_stai_deinit(void) {
    (void)RP_FN(deinit)(rp_stai());
    (void)stai_runtime_deinit();
}
