/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A position-independent image, made by hand, for the tests of the loader: it uses .data, .bss, the
 * GOT, tables of pointers to functions, to constants and to variables, and checks at create that
 * the loader has set all of them up. mkimage.py turns the linked ELF file into an image.
 *
 * IMAGE_ID: a number that the results depend on. IMAGE_MAJOR: runtime version, below 9 the report
 * has 124 bytes, else 136.
 */
#include <stddef.h>
#include <stdint.h>

#include "ai_reloc_types.h"
#include "loader_image.h"

/* ctx, by position: docs/FORMAT.md. It has two words more than needed, like the images of some
 * tools. */
struct context {
    uint32_t state;
    void *network;
    uint8_t *ram;
    const uint8_t *rom;
    void *allocated;
    const char *c_name;
    uint32_t acts_size;
    uint32_t weights_size;
    ai_observer_exec_ctx observer;
    void *reserved[2];
};

#define STRING_(x) #x
#define STRING(x)  STRING_(x)

struct context image_ctx = {.c_name = "image" STRING(IMAGE_ID),
                            .acts_size = IMAGE_ACTS_BYTES,
                            .weights_size = IMAGE_WEIGHTS_BYTES};

/* Kinds of words that have to be rebased. */
static const char *const names[] = {"alpha", "beta", NULL};
int32_t counter = 7;
int32_t zeroed[5];
int32_t *pointers[] = {&counter, &zeroed[3], NULL};
static int32_t multiply(int32_t a, int32_t b);
static int32_t add(int32_t a, int32_t b);
int32_t (*operators[])(int32_t, int32_t) = {multiply, add};
static const char *const *name_table = names;

static const int32_t *weights_in;
static int32_t *acts_in;
static ai_error last_error;
static ai_observer_exec_ctx *observer;
static int32_t runs;

static ai_buffer_array no_map;
static ai_shape_dimension dimensions[4] = {1, IMAGE_ELEMENTS, 1, 1};
static ai_buffer input = {.size = IMAGE_ELEMENTS, .shape = {1, 4, dimensions}};
static ai_buffer output = {.size = IMAGE_ELEMENTS, .shape = {1, 4, dimensions}};

static int32_t multiply(int32_t a, int32_t b) {
    return a * b;
}

static int32_t add(int32_t a, int32_t b) {
    return a + b;
}

static ai_error error_now(uint32_t type, uint32_t code) {
    ai_error error = {type & 0xFFu, code & 0xFFFFFFu};
    return error;
}

/* Returns 0 if .data, .bss, GOT and REL words are correct, else a number for the first that is not.
 */
static uint32_t check_setup(void) {
    if (counter != 7 || *pointers[0] != 7 || pointers[2] != NULL)
        return 1;
    for (size_t i = 0; i < 5; i++)
        if (zeroed[i] != 0)
            return 2;
    if (pointers[1] != &zeroed[3] || runs != 0 || observer != NULL)
        return 3;
    if (name_table[0][0] != 'a' || name_table[1][3] != 'a' || name_table[2] != NULL)
        return 4;
    if (operators[0](6, 7) != 42 || operators[1](6, 7) != 13)
        return 5;
    if (image_ctx.ram == NULL || image_ctx.rom == NULL || (image_ctx.state & ~3u) != 0 ||
        (image_ctx.state & 1u) == 0)
        return 6;
    return image_ctx.c_name[0] == 'i' ? 0 : 7;
}

ai_error image_create(ai_handle *network, const ai_buffer *config) {
    uint32_t problem = check_setup();
    if (config != NULL)
        problem = 8;
    *network = &counter;
    return problem == 0 ? error_now(AI_ERROR_NONE, AI_ERROR_CODE_NONE)
                        : error_now(AI_ERROR_CREATE_FAILED, problem);
}

/* For tests that must run none of the image's code: returns an error and uses no data. */
__attribute__((naked, used)) ai_error image_refuse(ai_handle *network, const ai_buffer *config) {
    (void)network;
    (void)config;
    __asm__ volatile("movs r0, #0x33\n\tbx lr");
}

static void notify(ai_u32 event, ai_u32 index) {
    if (observer == NULL || (observer->flags & event) == 0)
        return;
    ai_observer_node node; /* an initialiser would call memset */
    node.c_idx = (ai_u16)index;
    node.type = node.unused = 0;
    node.id = (ai_u16)(IMAGE_NODE_ID + index);
    node.inner_tensors = node.tensors = NULL;
    if (index == 0)
        event |= AI_OBSERVER_FIRST_EVT;
    if (index == IMAGE_NODES - 1)
        event |= AI_OBSERVER_LAST_EVT;
    observer->on_node(observer->cookie, event, &node);
}

ai_bool image_init_v2(ai_handle network, const ai_handle *weights, const ai_handle *activations) {
    if (network != &counter || weights == NULL || activations == NULL) {
        last_error = error_now(AI_ERROR_INIT_FAILED, AI_ERROR_CODE_NETWORK_PARAMS);
        return false;
    }
    weights_in = weights[0];
    acts_in = activations[0];
    for (ai_u32 i = 0; i < IMAGE_NODES; i++)
        notify(AI_OBSERVER_INIT_EVT, i);
    return true;
}

ai_bool image_init(ai_handle network, const ai_network_params *params) {
    (void)network;
    return params != NULL;
}

ai_i32 image_run(ai_handle network, const ai_buffer *in, ai_buffer *out) {
    if (network != &counter || weights_in == NULL || in == NULL || out == NULL) {
        last_error = error_now(AI_ERROR_INVALID_STATE, AI_ERROR_CODE_MISSED_INIT);
        return -1;
    }
    runs++;
    for (ai_u32 node = 0; node < IMAGE_NODES; node++) {
        notify(AI_OBSERVER_PRE_EVT, node);
        const int32_t *source = node == 0 ? in->data : acts_in;
        int32_t *target = node == IMAGE_NODES - 1 ? out->data : acts_in;
        for (uint32_t i = 0; i < IMAGE_ELEMENTS; i++)
            target[i] = node == 0   ? operators[0](source[i], weights_in[i])
                        : node == 1 ? operators[1](source[i], IMAGE_ID)
                                    : operators[1](source[i], *pointers[0] + runs - 8);
        notify(AI_OBSERVER_POST_EVT, node);
    }
    return 1;
}

/* Little-endian words of either report layout: runtime-api.md, section 1. */
ai_bool image_report(ai_handle network, ai_network_report *report) {
    uint32_t *words = (uint32_t *)(void *)report;
    if (network != &counter)
        return false;
    words[0] = (uint32_t)names[0];
    words[5] = IMAGE_MAJOR;
    words[7] = 0x01020304;
#if IMAGE_MAJOR >= 9
    words[12] = IMAGE_MACC;
    words[13] = IMAGE_MACC_HIGH;
    words += 14;
#else
    words[11] = IMAGE_MACC;
    words += 12;
#endif
    words[0] = 1u << 16 | 1u; /* n_outputs, n_inputs */
    words[1] = (uint32_t)&input;
    words[2] = (uint32_t)&output;
    words[3] = 0xA1FACADE;
    words[5] = (uint32_t)&no_map;
    words[17] = IMAGE_NODES;
    words[18] = 0x5160;
    return true;
}

ai_error image_error(ai_handle network) {
    ai_error error = last_error;
    (void)network;
    last_error = error_now(AI_ERROR_NONE, AI_ERROR_CODE_NONE);
    return error;
}

/* Refuses as long as an observer is registered, so that a failing destroy can be tested. */
ai_handle image_destroy(ai_handle network) {
    return observer == NULL ? NULL : network;
}

ai_i32 image_forward(ai_handle network, const ai_buffer *in) {
    (void)network;
    return in != NULL;
}

ai_bool image_obs_register(ai_handle network, ai_observer_exec_ctx *ctx) {
    if (network != &counter || observer != NULL)
        return false;
    ctx->flags |= AI_OBSERVER_REGISTERED;
    ctx->n_nodes = IMAGE_NODES;
    observer = ctx;
    return true;
}

ai_bool image_obs_unregister(ai_handle network, ai_observer_exec_ctx *ctx) {
    if (network != &counter || observer != ctx)
        return false;
    observer = NULL;
    return true;
}

ai_bool image_obs_node_info(ai_handle network, ai_observer_node *node) {
    if (network != &counter || node->c_idx >= IMAGE_NODES)
        return false;
    node->id = (ai_u16)(IMAGE_NODE_ID + node->c_idx);
    node->tensors = NULL;
    return true;
}
