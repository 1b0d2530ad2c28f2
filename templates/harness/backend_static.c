/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-end of the harness for the static build of a model: the same sources and the same entry
 * glue, linked in. The glue's vector of entries (runtime/image_glue.h) is called directly.
 */
#include "harness.h"

#include "image_glue.h"

/* What the loader keeps in the context for a relocated model. */
static ai_observer_exec_ctx observer;

static void load(struct harness_job *job) {
    job->error = rp_entries.create(&job->instance->handle, NULL);
    job->done = job->error.type == AI_ERROR_NONE;
}

static void init(struct harness_job *job) {
    const ai_handle weights[2] = {(ai_handle)(uintptr_t)job->instance->weights.address, NULL};
    const ai_handle acts[2] = {(ai_handle)(uintptr_t)job->instance->acts.address, NULL};
    job->done = rp_entries.init_v2(job->instance->handle, weights, acts);
    job->value = job->done;
}

static void report(struct harness_job *job) {
    job->done = rp_entries.report(job->instance->handle, job->report);
    job->value = job->done;
}

static void run(struct harness_job *job) {
    job->value = rp_entries.run(job->instance->handle, job->input, job->output);
    job->done = job->value > 0;
}

static void observe(struct harness_job *job) {
    observer = (ai_observer_exec_ctx){
        .on_node = job->notify, .cookie = job->instance, .flags = AI_OBSERVER_MASK_EVT};
    job->done = rp_entries.obs_register(job->instance->handle, &observer);
    job->value = job->done;
}

static void unobserve(struct harness_job *job) {
    job->done = rp_entries.obs_unregister(job->instance->handle, &observer);
    job->value = job->done;
}

static void destroy(struct harness_job *job) {
    job->done = rp_entries.destroy(job->instance->handle) == AI_HANDLE_NULL;
    job->value = job->done;
}

static void explain(struct harness_job *job) {
    if (job->instance->created)
        job->error = rp_entries.error(job->instance->handle);
}

const struct harness_backend harness_backend = {
    .kind = BACKEND_STATIC,
    .instances = 1,
    .load = load,
    .init = init,
    .report = report,
    .run = run,
    .observe = observe,
    .unobserve = unobserve,
    .destroy = destroy,
    .explain = explain,
};
