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

static void load(struct harness_job *job) {
    struct harness_instance *of = job->instance;
    job->error = ai_rel_network_load_and_create(image_of(of), (ai_handle)(uintptr_t)of->ram.address,
                                                of->ram.size_bytes, job->mode, &of->handle);
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

/* An instance says itself what failed; of a failed load only the variant with a size knows more. */
static void explain(struct harness_job *job) {
    struct harness_instance *of = job->instance;
    if (of->created) {
        job->error = ai_rel_network_get_error(of->handle);
        return;
    }
    const ai_rel_network_load_args args = {image_of(of), of->image.size_bytes,
                                           (ai_handle)(uintptr_t)of->ram.address,
                                           of->ram.size_bytes, job->mode};
    ai_handle ignored = AI_HANDLE_NULL;
    if (job->error.type != AI_ERROR_NONE)
        job->code = ai_rel_network_load_and_create_sized(&args, &ignored, &job->error);
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
