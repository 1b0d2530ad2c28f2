/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Back-end of the harness for the static build of a model: the same sources and the same entry
 * glue, linked in. The glue's vector of entries (runtime/image/image_glue.h) is called directly.
 */
#include <stddef.h>
#include <string.h>

#include "harness.h"
#include "static_got.h"

#include "image/image_glue.h"

/* The words that the loader keeps in the context of a relocated model. */
static ai_observer_exec_ctx observer;

static void load(struct harness_job *job) {
    uint32_t r9 = enter();
    job->error = rp_entries.create(&job->instance->handle, NULL);
    leave(r9);
    job->done = job->error.type == AI_ERROR_NONE;
}

static void find_weights(struct harness_job *job) {
    job->instance->weights_at = (ai_handle)(uintptr_t)job->instance->weights.address;
}

static void init(struct harness_job *job) {
    const ai_handle weights[2] = {job->instance->weights_at, NULL};
    const ai_handle acts[2] = {(ai_handle)(uintptr_t)job->instance->acts.address, NULL};
    uint32_t r9 = enter();
    job->done = rp_entries.init_v2(job->instance->handle, weights, acts);
    leave(r9);
    job->value = job->done;
}

/*
 * Runtimes before 8.1 fill a layout with a 32-bit n_macc, 12 bytes shorter (docs/FORMAT.md,
 * "Report"). This converts it into the other one, as the loader does.
 */
enum report_layout {
    REPORT_RUNTIME_MAJOR = 20,
    REPORT_MACC32 = 44,
    REPORT_TAIL32 = 48,
    REPORT_MACC64 = 48,
    REPORT_TAIL64 = 56,
    REPORT_TAIL_BYTES = 76,
    REPORT_MACC64_SINCE = 0x0801 /* major, minor */
};

static void convert_report(ai_network_report *report) {
    uint8_t *bytes = (uint8_t *)(void *)report;
    uint64_t macc = 0;
    if ((bytes[REPORT_RUNTIME_MAJOR] << 8 | bytes[REPORT_RUNTIME_MAJOR + 1]) >= REPORT_MACC64_SINCE)
        return;
    memcpy(&macc, bytes + REPORT_MACC32, 4);
    memmove(bytes + REPORT_TAIL64, bytes + REPORT_TAIL32, REPORT_TAIL_BYTES);
    memcpy(bytes + REPORT_MACC64, &macc, 8);
}
_Static_assert(offsetof(ai_network_report, n_inputs) == REPORT_TAIL64, "64-bit n_macc");

static void report(struct harness_job *job) {
    uint32_t r9 = enter();
    job->done = rp_entries.report(job->instance->handle, job->report);
    leave(r9);
    if (job->done)
        convert_report(job->report);
    job->value = job->done;
}

static void run(struct harness_job *job) {
    uint32_t r9 = enter();
    job->value = rp_entries.run(job->instance->handle, job->input, job->output);
    leave(r9);
    job->done = job->value > 0;
}

static void observe(struct harness_job *job) {
    observer = (ai_observer_exec_ctx){
        .on_node = job->notify, .cookie = job->instance, .flags = AI_OBSERVER_MASK_EVT};
    uint32_t r9 = enter();
    job->done = rp_entries.obs_register(job->instance->handle, &observer);
    leave(r9);
    job->observer = &observer;
    job->value = job->done;
}

static void unobserve(struct harness_job *job) {
    uint32_t r9 = enter();
    job->done = rp_entries.obs_unregister(job->instance->handle, &observer);
    leave(r9);
    job->value = job->done;
}

static void destroy(struct harness_job *job) {
    uint32_t r9 = enter();
    job->done = rp_entries.destroy(job->instance->handle) == AI_HANDLE_NULL;
    leave(r9);
    job->value = job->done;
}

static void explain(struct harness_job *job) {
    uint32_t r9 = enter();
    if (job->instance->created)
        job->error = rp_entries.error(job->instance->handle);
    leave(r9);
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
    .find_weights = find_weights,
    .explain = explain,
};
