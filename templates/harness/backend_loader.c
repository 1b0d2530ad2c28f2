/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-end of the harness for relocatable images: every call goes through the public API of the
 * loader (runtime/ai_reloc_network.h), as in a firmware. Compiled with AI_RELOC_NO_MALLOC.
 */
#include "harness.h"

#include "ai_reloc_network.h"

static const void *image_of(const struct harness_instance *instance) {
    return (const void *)(uintptr_t)instance->image.address;
}

static void check(struct harness_job *job) {
    const struct harness_instance *of = job->instance;
    const void *weights = (const void *)(uintptr_t)of->weights.address;
    job->code = weights == NULL ? ai_rel_network_check(image_of(of), of->image.size_bytes)
                                : ai_rel_network_check_weights(image_of(of), of->image.size_bytes,
                                                               weights, of->weights.size_bytes);
    job->done = job->code == AI_RELOC_E_NONE;
}

/*
 * The symbols that the host's sources offer: a generated unit, present only if the image imports
 * something.
 */
extern const ai_rel_import harness_imports[] __attribute__((weak));
extern const uint32_t harness_import_count __attribute__((weak));

static ai_rel_network_load_args args_of(const struct harness_job *job) {
    const struct harness_instance *of = job->instance;
    const ai_rel_import *imports = job->no_imports ? NULL : harness_imports;
    const ai_rel_network_load_args args = {
        .obj = image_of(of),
        .obj_size = of->image.size_bytes,
        .ram_addr = (ai_handle)(uintptr_t)of->ram.address,
        .ram_size = of->ram.size_bytes,
        .mode = job->mode,
        .imports = imports,
        .import_count = imports != NULL ? harness_import_count : 0,
    };
    return args;
}

static void load(struct harness_job *job) {
    struct harness_instance *of = job->instance;
    const ai_rel_network_load_args args = args_of(job);
    if (args.imports != NULL)
        (void)ai_rel_network_load_and_create_sized(&args, &of->handle, &job->error);
    else
        job->error = ai_rel_network_load_and_create(args.obj, args.ram_addr, args.ram_size,
                                                    args.mode, &of->handle);
    job->done = job->error.type == AI_ERROR_NONE;
}

static void find_weights(struct harness_job *job) {
    struct harness_instance *of = job->instance;
    ai_rel_network_info info;
    if (of->weights.address != 0)
        of->weights_at = (ai_handle)(uintptr_t)of->weights.address;
    else if (ai_rel_network_rt_get_info(image_of(of), &info).type == AI_ERROR_NONE)
        of->weights_at = info.weights;
}

static void init(struct harness_job *job) {
    const ai_handle weights[2] = {job->instance->weights_at, NULL};
    const ai_handle acts[2] = {(ai_handle)(uintptr_t)job->instance->acts.address, NULL};
    job->done = ai_rel_network_init(job->instance->handle, weights, acts);
    job->value = job->done;
}

static void report(struct harness_job *job) {
    job->done = ai_rel_network_get_report(job->instance->handle, job->report);
    job->value = job->done;
}

static void run(struct harness_job *job) {
    job->value = ai_rel_network_run(job->instance->handle, job->input, job->output);
    job->done = job->value > 0;
}

static void observe(struct harness_job *job) {
    job->done = ai_rel_platform_observer_register(job->instance->handle, job->notify, job->instance,
                                                  AI_OBSERVER_MASK_EVT);
    job->observer = &((const ai_rel_rt_ctx *)job->instance->handle)->obs_ctx;
    job->value = job->done;
}

static void unobserve(struct harness_job *job) {
    job->done =
        ai_rel_platform_observer_unregister(job->instance->handle, job->notify, job->instance);
    job->value = job->done;
}

static void destroy(struct harness_job *job) {
    job->done = ai_rel_network_destroy(job->instance->handle) == AI_HANDLE_NULL;
    job->value = job->done;
}

/*
 * Only the variant with a size tells more about a failed load. It also checks the trailer: its code
 * counts only if it has the same reason.
 */
static void explain_load(struct harness_job *job) {
    const ai_rel_network_load_args args = args_of(job);
    ai_handle ignored = AI_HANDLE_NULL;
    ai_error error;
    int32_t code = ai_rel_network_load_and_create_sized(&args, &ignored, &error);
    if (error.type == job->error.type && error.code == job->error.code)
        job->code = code;
}

/* An instance itself says what failed. */
static void explain(struct harness_job *job) {
    if (job->instance->created)
        job->error = ai_rel_network_get_error(job->instance->handle);
    else if (job->error.type != AI_ERROR_NONE)
        explain_load(job);
}

const struct harness_backend harness_backend = {
    .kind = BACKEND_LOADER,
    .instances = HARNESS_INSTANCES,
    .check = check,
    .load = load,
    .init = init,
    .report = report,
    .run = run,
    .observe = observe,
    .unobserve = unobserve,
    .destroy = destroy,
    .find_weights = find_weights,
    .explain = explain,
};
