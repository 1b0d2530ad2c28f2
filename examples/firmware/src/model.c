/* SPDX-License-Identifier: Apache-2.0 */
/* The model: see model.h. */
#include "model.h"

#include "ai_reloc_network.h"

/* What the firmware has for the model, this one and its successors. */
enum { RAM_SIZE = 4096, ACTIVATIONS_SIZE = 4096 };
static uint32_t ram[RAM_SIZE / 4];
static uint32_t activations[ACTIVATIONS_SIZE / 4];

static ai_handle network = AI_HANDLE_NULL;
static ai_network_report report;

bool model_check(const uint8_t *image, uint32_t length) {
    return ai_rel_network_check(image, length) == 0;
}

static bool is_number(const ai_buffer *tensor) {
    return tensor->size == 1 && tensor->format == AI_BUFFER_FORMAT_FLOAT;
}

int32_t model_load(const uint8_t *image, uint32_t length) {
    const ai_rel_network_load_args args = {.obj = image,
                                           .obj_size = length,
                                           .ram_addr = ram,
                                           .ram_size = sizeof ram,
                                           .mode = AI_RELOC_RT_LOAD_MODE_XIP};
    ai_rel_network_info info;
    int32_t code = ai_rel_network_rt_get_info_sized(image, length, &info);
    if (code == 0 && info.acts_sz > sizeof activations)
        code = MODEL_TOO_LARGE;
    if (code == 0)
        code = ai_rel_network_load_and_create_sized(&args, &network, NULL);
    if (code != 0)
        return code;
    const ai_handle weights[] = {info.weights}, acts[] = {activations};
    if (!ai_rel_network_init(network, weights, acts) ||
        !ai_rel_network_get_report(network, &report))
        return MODEL_NOT_READY;
    bool fits = report.n_inputs == 1 && report.n_outputs == 1 && is_number(report.inputs) &&
                is_number(report.outputs);
    return fits ? 0 : MODEL_OTHER_TENSORS;
}

const char *model_name(void) {
    return report.model_name;
}

bool model_run(float x, float *y) {
    report.inputs[0].data = AI_HANDLE_PTR(&x);
    report.outputs[0].data = AI_HANDLE_PTR(y);
    return ai_rel_network_run(network, report.inputs, report.outputs) == 1;
}
