/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-end of the harness for Neural-ART images. They are installed and reached through the API of
 * the loader (runtime/ll_aton_reloc_loader.h) and run by the pack's own run-time, as in a firmware.
 * A step's weights are the params of a split image, its activations the external RAM.
 */
#include "ll_aton_model.h"

#include "ll_aton_reloc_loader.h"

/* Where pools at fixed addresses may be; NULL: where the loader's settings say. */
#ifndef HARNESS_REGIONS
#define HARNESS_REGIONS      NULL
#define HARNESS_REGION_COUNT 0
#endif

static void check(struct harness_job *job) {
    const struct harness_area_used *image = &job->instance->image;
    const struct harness_area_used *params = &job->instance->weights;
    const void *at = (const void *)(uintptr_t)image->address;
    job->code = params->address == 0
                    ? ll_aton_reloc_check(at, image->size_bytes)
                    : ll_aton_reloc_check_params(at, image->size_bytes,
                                                 (const void *)(uintptr_t)params->address,
                                                 params->size_bytes);
    job->done = job->code == LL_ATON_RELOC_E_NONE;
}

static void load(struct harness_job *job) {
    struct harness_instance *of = job->instance;
    NN_Instance_TypeDef *instance = ll_aton_take();
    const ll_aton_reloc_config config = {.exec_ram_addr = of->ram.address,
                                         .exec_ram_size = of->ram.size_bytes,
                                         .ext_ram_addr = of->acts.address,
                                         .ext_ram_size = of->acts.size_bytes,
                                         .ext_param_addr = of->weights.address,
                                         .mode = job->mode};
    const ll_aton_reloc_install_args args = {.file_ptr = of->image.address,
                                             .file_size = of->image.size_bytes,
                                             .config = &config,
                                             .params_size = of->weights.size_bytes,
                                             .regions = HARNESS_REGIONS,
                                             .region_count = HARNESS_REGION_COUNT};
    of->handle = instance;
    job->code = ll_aton_reloc_install_sized(&args, instance);
    job->done = job->code == LL_ATON_RELOC_E_NONE;
}

/* A slot whose image was not installed is free again. */
static void explain(struct harness_job *job) {
    if (!job->instance->created && job->instance->handle != NULL)
        ll_aton_destroy(job);
    job->done = false;
}

static const LL_Buffer_InfoTypeDef *inputs(const NN_Instance_TypeDef *of) {
    return ll_aton_reloc_get_input_buffers_info(of, -1);
}

static const LL_Buffer_InfoTypeDef *outputs(const NN_Instance_TypeDef *of) {
    return ll_aton_reloc_get_output_buffers_info(of, -1);
}

const struct ll_aton_access ll_aton_access = {
    .inputs = inputs,
    .outputs = outputs,
    .set_input = ll_aton_reloc_set_input,
    .set_output = ll_aton_reloc_set_output,
};

const struct harness_backend harness_backend = {
    .kind = BACKEND_LOADER,
    .instances = HARNESS_INSTANCES,
    .memory_at_load = true,
    .check = check,
    .load = load,
    .init = ll_aton_init,
    .report = ll_aton_report,
    .run = ll_aton_run,
    .observe = ll_aton_observe,
    .unobserve = ll_aton_unobserve,
    .destroy = ll_aton_destroy,
    .find_weights = ll_aton_start,
    .explain = explain,
};
