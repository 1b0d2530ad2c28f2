/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small model with known answers and known faults, for the tests of the harness (harness.py). One
 * source for both builds: linked into the harness (MODEL_STATIC), or position-independent and made
 * into an image by mkimage.py, which supplies the weights 1 to 8.
 *
 * In: x, 12 floats; what, 5 signed bytes, the first of which chooses a behaviour (harness.py), the
 * next two a number. Out: y, 4 floats, y[i] = sum of weight[j] * x[3 i + j], j = 0 to 2, plus the
 * number of runs so far; echo, 5 bytes, those of what plus 1.
 */
#include <stddef.h>
#include <stdint.h>

#include "image/image_glue.h"

enum { X_SIZE = 12, WHAT_SIZE = 5, Y_SIZE = 4, ACTS_BYTES = 64, ACTS_USED = 40, WEIGHTS = 8 };

enum behaviour {
    COMPUTE = 0,
    WRITE_ABOVE_ACTS = 1,
    WRITE_BELOW_ACTS = 2,
    WRITE_ABOVE_OUTPUT = 3,
    CALL_NULL = 4,
    LOSE_R8 = 5,
    LOSE_R9 = 6,
    OVERFLOW_STACK = 7,
    FAIL = 8,
    WRITE_BELOW_RAM = 9,
    WRITE_IMAGE = 10,
    WRITE_WEIGHTS = 11,
    LOOP = 12,
    USE_STACK = 13,
    READ_NOWHERE = 14, /* reads an address where no board has anything */
    READ_NULL = 15,
    READ_BYTE = 16, /* echo[0]: the byte at that signed offset in the area chosen by what[3] */
    NODES = 17      /* has as many further nodes, inside the first one */
};
enum area { AREA_X, AREA_WHAT, AREA_Y, AREA_ECHO, AREA_ACTS, AREA_WEIGHTS, AREA_RAM, AREA_IMAGE };

/* ctx, by position: reloc_format.h. */
struct context {
    uint32_t state;
    void *network;
    uint8_t *ram;
    uint8_t *rom;
    void *allocated;
    const char *c_name;
    uint32_t acts_size, weights_size;
    ai_observer_exec_ctx observer;
};

/* Symbols that loader_image.ld and mkimage.py look for. */
extern struct context image_ctx;
ai_error image_create(ai_handle *network, const ai_buffer *config);
ai_bool image_init(ai_handle network, const ai_network_params *params);
ai_bool image_init_v2(ai_handle network, const ai_handle *weights, const ai_handle *activations);
ai_i32 image_run(ai_handle network, const ai_buffer *input, ai_buffer *output);
ai_bool image_report(ai_handle network, ai_network_report *report);
ai_error image_error(ai_handle network);
ai_handle image_destroy(ai_handle network);
ai_i32 image_forward(ai_handle network, const ai_buffer *input);
ai_bool image_obs_register(ai_handle network, ai_observer_exec_ctx *ctx);
ai_bool image_obs_unregister(ai_handle network, ai_observer_exec_ctx *ctx);
ai_bool image_obs_node_info(ai_handle network, ai_observer_node *node);

struct context image_ctx = {
    .c_name = "harness_model", .acts_size = ACTS_BYTES, .weights_size = 4 * WEIGHTS};

#ifdef MODEL_STATIC
static const int32_t own_weights[WEIGHTS] = {1, 2, 3, 4, 5, 6, 7, 8};
#endif

static ai_float scale = 0.5f;
static int8_t zero_point = -3;
static ai_intq_info quantised = {&scale, &zero_point};
static ai_intq_info_list quantised_list = {
    AI_BUFFER_META_FLAG_SCALE_FLOAT | AI_BUFFER_META_FLAG_ZEROPOINT_S8, 1, &quantised};
static ai_buffer_meta_info quantised_meta = {AI_BUFFER_META_HAS_INTQ_INFO, &quantised_list};

#define FORMAT_FLOAT ((int32_t)0x01821040)
#define FORMAT_INT8  ((int32_t)0x00840440)
static ai_shape_dimension shape_x[4] = {1, 3, 4, 1};
static ai_shape_dimension shape_what[2] = {1, WHAT_SIZE};
static ai_shape_dimension shape_y[2] = {1, Y_SIZE};
static ai_buffer inputs[2] = {
    {.format = FORMAT_FLOAT, .size = X_SIZE, .shape = {1, 4, shape_x}},
    {.format = FORMAT_INT8,
     .meta_info = &quantised_meta,
     .size = WHAT_SIZE,
     .shape = {1, 2, shape_what}},
};
static ai_buffer outputs[2] = {
    {.format = FORMAT_FLOAT, .size = Y_SIZE, .shape = {1, 2, shape_y}},
    {.format = FORMAT_INT8,
     .meta_info = &quantised_meta,
     .size = WHAT_SIZE,
     .shape = {1, 2, shape_what}},
};

static const int32_t *weights_in;
static volatile uint8_t *acts_in;
static ai_error first_error;
static ai_observer_exec_ctx *observer;
static uint32_t runs;
void (*volatile nothing)(void);

static ai_error no_error(void) {
    ai_error error = {AI_ERROR_NONE, AI_ERROR_CODE_NONE};
    return error;
}

ai_error image_create(ai_handle *network, const ai_buffer *config) {
    (void)config;
    runs = 0;
    first_error = no_error();
    observer = NULL;
    *network = &runs;
    return first_error;
}

ai_bool image_init_v2(ai_handle network, const ai_handle *weights, const ai_handle *activations) {
    if (network != &runs || activations[0] == NULL)
        return false;
    weights_in = weights[0];
#ifdef MODEL_STATIC
    if (weights_in == NULL)
        weights_in = own_weights;
#endif
    acts_in = activations[0];
    return weights_in != NULL;
}

ai_bool image_init(ai_handle network, const ai_network_params *params) {
    (void)network;
    return params != NULL;
}

/* 2 * rounds + 1 instructions. */
__attribute__((naked, noinline)) static void loop(__attribute__((unused)) uint32_t rounds) {
    __asm__ volatile(".syntax unified\n1: subs r0, r0, #1\n\t"
                     "bne 1b\n\t"
                     "bx lr");
}

__attribute__((noinline)) static void use_stack(uint32_t levels) {
    volatile uint8_t frame[256];
    frame[0] = (uint8_t)levels;
    if (levels != 0)
        use_stack(levels - 1);
    frame[255] = frame[0];
}

/* Changes one byte that the model must not write. */
static void misplace(volatile uint8_t *at) {
    *at = (uint8_t)(*at + 1);
}

static void notify(ai_u32 event, uint32_t index) {
    static ai_observer_node node; /* an initialiser would call memset */
    node.c_idx = (ai_u16)index;
    node.type = (ai_u16)(100 + index);
    node.id = (ai_u16)(2 * index);
    if (observer != NULL)
        observer->on_node(observer->cookie, event, &node);
}

static void misbehave(enum behaviour what, uint32_t number, ai_buffer *out) {
    switch (what) {
    case WRITE_ABOVE_ACTS:
        misplace(acts_in + ACTS_BYTES + number);
        break;
    case WRITE_BELOW_ACTS:
        misplace(acts_in - 1 - number);
        break;
    case WRITE_ABOVE_OUTPUT:
        misplace((uint8_t *)out[1].data + WHAT_SIZE + number);
        break;
    case CALL_NULL:
        nothing();
        break;
    case OVERFLOW_STACK:
        use_stack(UINT32_MAX);
        break;
    case WRITE_BELOW_RAM:
        misplace(image_ctx.ram - 1 - number);
        break;
    case WRITE_IMAGE:
        misplace(image_ctx.rom + number);
        break;
    case WRITE_WEIGHTS:
        misplace((volatile uint8_t *)(uintptr_t)weights_in + number);
        break;
    case LOOP:
        loop(1000 * number);
        break;
    case USE_STACK:
        use_stack(number);
        break;
    case READ_NOWHERE:
        (void)*(volatile uint32_t *)(uintptr_t)UINT32_C(0x1F000000);
        break;
    case READ_NULL:
        (void)*(volatile uint32_t *)(uintptr_t)number;
        break;
    case NODES:
        for (uint32_t i = 1; i <= number; i++) {
            notify(AI_OBSERVER_PRE_EVT, i);
            notify(AI_OBSERVER_POST_EVT, i);
        }
        break;
    case COMPUTE:
    case READ_BYTE: /* in model_run */
    case LOSE_R8:   /* in image_run */
    case LOSE_R9:
    case FAIL:
        break;
    }
}

static uint8_t read_byte(const ai_buffer *in, const ai_buffer *out) {
    const uint8_t *what = in[1].data;
    const volatile void *const areas[] = {
        [AREA_X] = in[0].data,      [AREA_WHAT] = what,          [AREA_Y] = out[0].data,
        [AREA_ECHO] = out[1].data,  [AREA_ACTS] = acts_in,       [AREA_WEIGHTS] = weights_in,
        [AREA_RAM] = image_ctx.ram, [AREA_IMAGE] = image_ctx.rom};
    int16_t offset = (int16_t)(what[1] | what[2] << 8);
    return ((const volatile uint8_t *)areas[what[3] % 8u])[offset];
}

static void compute(const ai_buffer *in, ai_buffer *out) {
    const float *x = in[0].data;
    const int8_t *what = in[1].data;
    float *y = out[0].data;
    int8_t *echo = out[1].data;
    for (uint32_t i = 0; i < Y_SIZE; i++) {
        float sum = 0.0f;
        for (uint32_t j = 0; j < 3; j++)
            sum += (float)weights_in[j] * x[3 * i + j];
        y[i] = sum + (float)runs;
    }
    for (uint32_t i = 0; i < WHAT_SIZE; i++)
        echo[i] = (int8_t)(what[i] + 1);
    for (uint32_t i = 0; i < ACTS_USED; i++)
        acts_in[i] = 0;
}

static ai_i32 model_run(ai_handle network, const ai_buffer *in, ai_buffer *out)
    __attribute__((used, noinline));

static ai_i32 model_run(ai_handle network, const ai_buffer *in, ai_buffer *out) {
    const uint8_t *what = in[1].data;
    if (network != &runs || what[0] == FAIL) {
        first_error = (ai_error){AI_ERROR_INVALID_STATE, AI_ERROR_CODE_NETWORK};
        return 0;
    }
    runs++;
    notify(AI_OBSERVER_PRE_EVT, 0);
    uint8_t byte = what[0] == READ_BYTE ? read_byte(in, out) : 0;
    compute(in, out);
    if (what[0] == READ_BYTE)
        *(uint8_t *)out[1].data = byte;
    misbehave((enum behaviour)what[0], what[1] + 256u * what[2], out);
    notify(AI_OBSERVER_POST_EVT, 0);
    return what[0] == LOSE_R8 || what[0] == LOSE_R9 ? (ai_i32)(3u + what[0]) : 1;
}

/* Runs the model and destroys the register whose number model_run returns, which no compiled code
 * would do. */
__attribute__((naked)) ai_i32 image_run(__attribute__((unused)) ai_handle network,
                                        __attribute__((unused)) const ai_buffer *in,
                                        __attribute__((unused)) ai_buffer *out) {
#if __ARM_ARCH_ISA_THUMB == 1
    __asm__ volatile(".syntax unified\n\t"
                     "push {r3, lr}\n\t"
                     "bl model_run\n\t"
                     "movs r3, #0\n\t"
                     "cmp r0, #8\n\t"
                     "bne 1f\n\t"
                     "mov r8, r3\n\t"
                     "1: cmp r0, #9\n\t"
                     "bne 2f\n\t"
                     "mov r9, r3\n\t"
                     "2: pop {r3, pc}");
#else
    __asm__ volatile("push {r3, lr}\n\t"
                     "bl model_run\n\t"
                     "cmp r0, #8\n\t"
                     "it eq\n\t"
                     "moveq r8, #0\n\t"
                     "cmp r0, #9\n\t"
                     "it eq\n\t"
                     "moveq r9, #0\n\t"
                     "pop {r3, pc}");
#endif
}

ai_bool image_report(ai_handle network, ai_network_report *report) {
    if (network != &runs)
        return false;
    report->model_name = image_ctx.c_name;
    report->runtime_version.major = 9;
    report->tool_version.major = 1;
    report->n_macc = 12;
    report->n_inputs = 2;
    report->n_outputs = 2;
    report->inputs = inputs;
    report->outputs = outputs;
    report->n_nodes = 1;
    report->signature = 0x5160;
    return true;
}

ai_error image_error(ai_handle network) {
    ai_error error = first_error;
    (void)network;
    first_error = no_error();
    return error;
}

ai_handle image_destroy(ai_handle network) {
    return network == &runs ? NULL : network;
}

ai_i32 image_forward(ai_handle network, const ai_buffer *in) {
    (void)network;
    return in != NULL;
}

ai_bool image_obs_register(ai_handle network, ai_observer_exec_ctx *ctx) {
    if (network != &runs || observer != NULL)
        return false;
    observer = ctx;
    return true;
}

ai_bool image_obs_unregister(ai_handle network, ai_observer_exec_ctx *ctx) {
    if (network != &runs || observer != ctx)
        return false;
    observer = NULL;
    return true;
}

ai_bool image_obs_node_info(ai_handle network, ai_observer_node *node) {
    return network == &runs && node->c_idx == 0;
}

#ifdef MODEL_STATIC
const struct rp_entries rp_entries = {
    .create = image_create,
    .init = image_init,
    .init_v2 = image_init_v2,
    .run = image_run,
    .report = image_report,
    .error = image_error,
    .destroy = image_destroy,
    .forward = image_forward,
    .obs_register = image_obs_register,
    .obs_unregister = image_obs_unregister,
    .obs_node_info = image_obs_node_info,
    .ctx = &image_ctx,
};
#endif
