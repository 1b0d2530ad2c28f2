/* SPDX-License-Identifier: Apache-2.0 */
/* Why outputs differ: see probe.h. */
#include "cli/verify/probe.h"

#include <string.h>

#include "cli/verify/build.h"
#include "cli/verify/compare.h"
#include "cli/verify/run.h"
#include "toolchain/compile/process.h"

/* The areas that are varied, in this order: buffers come first. */
static const enum harness_guarded areas[] = {
    GUARDED_INPUT, GUARDED_OUTPUT, GUARDED_WEIGHTS, GUARDED_ACTS,
    GUARDED_RAM,   GUARDED_IMAGE,  GUARDED_UNUSED,  GUARDED_STACK,
};
enum { AREAS = sizeof areas / sizeof areas[0] };

struct probing {
    struct rp_verification *verify;
    const struct rp_placement *placement;
    struct rp_probe base; /* nothing varied */
    uint32_t other;       /* the word that filled the memory of the other build */
    struct rp_answer first;
    unsigned emulations;
};

/* ---- comparing ---- */

/* The word that fills an output before the probe's run. */
static uint32_t fill_of(const struct rp_probe *probe, uint32_t index) {
    bool is_varied = probe->area == GUARDED_OUTPUT &&
                     (probe->side == 0 || probe->side == SIDE_INSIDE) &&
                     (probe->index == HARNESS_ANY || probe->index == index);
    return is_varied ? probe->varied : RP_OUTPUT_FILL(probe->pattern);
}

/* A fault, a refusal and other outputs all count as a difference. */
static bool differs(const struct probing *of, const struct rp_probe *probe,
                    const struct rp_answer *answer) {
    const struct rp_step_result *was = rp_answer_run(&of->first, probe->run);
    const struct rp_step_result *is = rp_answer_run(answer, probe->run);
    if (was == NULL || is == NULL)
        return (was == NULL) != (is == NULL);
    if (was->status != is->status)
        return true;
    for (uint32_t i = 0;; i++) {
        const struct rp_output *a = rp_answer_output(&of->first, was->index, i);
        const struct rp_output *b = rp_answer_output(answer, is->index, i);
        if (a == NULL || b == NULL)
            return a != b;
        if (rp_output_compare(a, fill_of(&of->base, i), b, fill_of(probe, i)) != a->size)
            return true;
    }
}

/* ---- emulating ---- */

static const char *next_label(struct probing *of) {
    return rp_format(of->verify->arena, "probe-%s-%u", of->base.is_static ? "static" : "image",
                     of->emulations++);
}

/* Runs the probes. *found is the first one whose outputs differ, or count. */
static bool try_all(struct probing *of, const struct rp_probe *probes, size_t count, size_t *found,
                    struct rp_error *err) {
    *found = count;
    for (size_t at = 0; at < count && *found == count; at += RP_JOBS_MAX) {
        struct rp_job jobs[RP_JOBS_MAX] = {0};
        size_t batch = count - at < RP_JOBS_MAX ? count - at : RP_JOBS_MAX;
        for (size_t i = 0; i < batch; i++) {
            jobs[i] = (struct rp_job){.label = next_label(of),
                                      .is_static = of->base.is_static,
                                      .placement = of->placement,
                                      .plan = {.arena = of->verify->arena}};
            rp_verify_plan_probe(&jobs[i].plan, of->verify->board, of->placement,
                                 of->verify->options->seed, &probes[at + i]);
        }
        if (!rp_verify_emulate(of->verify, jobs, batch, err))
            return false;
        for (size_t i = 0; i < batch && *found == count; i++)
            if (differs(of, &probes[at + i], &jobs[i].answer))
                *found = at + i;
    }
    return true;
}

static bool begin(struct probing *of, struct rp_error *err) {
    struct rp_job job = {.label = next_label(of),
                         .is_static = of->base.is_static,
                         .placement = of->placement,
                         .plan = {.arena = of->verify->arena}};
    rp_verify_plan_probe(&job.plan, of->verify->board, of->placement, of->verify->options->seed,
                         &of->base);
    if (!rp_verify_emulate(of->verify, &job, 1, err))
        return false;
    of->first = job.answer;
    return true;
}

/* Narrows the area that was found: which input or output, and which side. */
static bool refine(struct probing *of, struct rp_probe *probe, struct rp_error *err) {
    const struct rp_model *model = &of->verify->model.model;
    bool is_io = probe->area == GUARDED_INPUT || probe->area == GUARDED_OUTPUT;
    size_t count = probe->area == GUARDED_INPUT ? model->inputs.count : model->outputs.count;
    if (probe->area == GUARDED_STACK || probe->area == GUARDED_UNUSED)
        return true;
    if (!is_io || count == 0)
        count = 1;
    struct rp_probe *parts = rp_alloc(of->verify->arena, 3 * count, sizeof *parts);
    for (size_t i = 0; i < 3 * count; i++) {
        parts[i] = *probe;
        parts[i].index = (uint32_t)(i / 3);
        parts[i].side = (enum harness_side)(SIDE_BEFORE + i % 3);
    }
    size_t found;
    if (!try_all(of, parts, 3 * count, &found, err))
        return false;
    if (found < 3 * count)
        *probe = parts[found];
    return true;
}

/*
 * Sets *result to the probe that changed the outputs of the run. When none did, its area is
 * GUARDED_NONE and its guard_bytes are 0.
 */
static bool search(struct probing *of, struct rp_probe *result, struct rp_error *err) {
    struct rp_probe probes[2 * AREAS + 1];
    size_t count = 0, found;
    for (size_t i = 0; i < 2 * AREAS; i++) {
        probes[count] = of->base;
        probes[count].area = areas[i % AREAS];
        probes[count++].varied = i < AREAS ? of->other : 0; /* every run with other may fault */
    }
    probes[count] = of->base; /* narrower guards: what lies beyond them is another buffer */
    probes[count++].guard_bytes = of->placement->guard_bytes / 2;
    *result = of->base;
    if (!begin(of, err) || !try_all(of, probes, count, &found, err))
        return false;
    if (found == count)
        return true;
    *result = probes[found];
    return found == count - 1 || refine(of, result, err);
}

/* ---- words ---- */

static const char *tensor_text(struct rp_arena *arena, const char *what,
                               const struct rp_tensors *tensors, uint32_t index) {
    if (index >= tensors->count)
        return rp_format(arena, index == HARNESS_ANY ? "an %s" : "%s %u", what, index);
    return rp_format(arena, "%s %u, '%s'", what, index, tensors->items[index].name);
}

static const char *describe(const struct rp_verification *verify, const struct rp_probe *probe) {
    const struct rp_model *model = &verify->model.model;
    struct rp_arena *arena = verify->arena;
    const char *side = probe->side == SIDE_BEFORE   ? "the bytes in front of "
                       : probe->side == SIDE_BEHIND ? "the bytes behind "
                       : probe->side == SIDE_INSIDE ? "what was there before in "
                                                    : "bytes beside or in ";
    switch (probe->area) {
    case GUARDED_INPUT:
        return rp_format(arena, "%s%s", side,
                         tensor_text(arena, "input", &model->inputs, probe->index));
    case GUARDED_OUTPUT:
        return rp_format(arena, "%s%s", side,
                         tensor_text(arena, "output", &model->outputs, probe->index));
    case GUARDED_WEIGHTS:
        return rp_format(arena, "%sthe weights", side);
    case GUARDED_ACTS:
        return rp_format(arena, "%sthe activations", side);
    case GUARDED_RAM:
        return rp_format(arena, "%sthe instance's RAM", side);
    case GUARDED_IMAGE:
        return rp_format(arena, "%sthe image", side);
    case GUARDED_STACK:
        return "the stack below the caller, which nothing has written";
    case GUARDED_UNUSED:
        return "memory that nothing is in";
    case GUARDED_NONE:
    case GUARDED_KINDS:
    default:
        return "bytes far from an input or output, of another buffer, or on where these lie";
    }
}

/* ---- the search ---- */

static bool is_found(const struct rp_probe *probe) {
    return probe->area != GUARDED_NONE || probe->guard_bytes != 0;
}

/* The first run of an emulation that came out wrong, or else its first run. */
static struct rp_probe probe_of(const struct rp_verification *verify, size_t which) {
    const struct rp_verify_result *verdict = &verify->verdict;
    struct rp_probe probe = {
        .load = verify->places.images[which].needs_copy ? STEP_LOAD_COPY : STEP_LOAD_XIP,
        .run = 1,
        .pattern = rp_verify_pattern(1),
        .index = HARNESS_ANY,
    };
    for (size_t i = 0; i < verdict->comparisons.count; i++) {
        const struct rp_comparison *row = &verdict->comparisons.items[i];
        if (row->equal || row->placement != &verify->places.images[which])
            continue;
        probe.load = row->load->kind;
        probe.instance = row->run->instance;
        probe.run = row->run->run_number;
        probe.pattern = row->run->pattern;
        break;
    }
    return probe;
}

static bool search_static(struct rp_verification *verify, const struct rp_probe *of_image,
                          struct rp_probe *result, struct rp_error *err) {
    struct probing of = {
        .verify = verify,
        .placement = &verify->places.fixed,
        .base = {.is_static = true,
                 .load = STEP_LOAD_XIP,
                 .run = of_image->run,
                 .pattern = rp_verify_pattern(0),
                 .index = HARNESS_ANY},
        .other = of_image->pattern,
    };
    return search(&of, result, err);
}

/*
 * The placement to probe. The second one comes first, because its weights lie between guards: it is
 * taken when one of its runs came out wrong, or when nothing was compared.
 */
static size_t placement_of(const struct rp_verification *verify) {
    const struct rp_verify_result *verdict = &verify->verdict;
    for (size_t i = 0; i < verdict->comparisons.count; i++)
        if (!verdict->comparisons.items[i].equal &&
            verdict->comparisons.items[i].placement == &verify->places.images[1])
            return 1;
    return verdict->comparisons.count != 0 || verify->options->once ? 0 : 1;
}

/* When its sections lie in another order, a constant or variable has other neighbours. */
static bool depends_on_order(struct rp_verification *verify, bool *depends, struct rp_error *err) {
    struct rp_job job = {.label = "reordered",
                         .is_static = true,
                         .placement = &verify->places.fixed,
                         .plan = {.arena = verify->arena}};
    *depends = false;
    if (!rp_verify_relink(verify, err))
        return false;
    rp_verify_plan_static(&job.plan, verify->board, &verify->places.fixed, verify->options->seed);
    if (!rp_verify_emulate(verify, &job, 1, err))
        return false;
    struct probing of = {.verify = verify, .first = verify->fixed};
    struct rp_probe probe = {.run = 1, .pattern = rp_verify_pattern(0), .index = HARNESS_ANY};
    of.base = probe;
    for (; probe.run <= verify->given.count + !verify->options->once && !*depends; probe.run++)
        *depends = differs(&of, &probe, &job.answer);
    return true;
}

/*
 * Reading memory that belongs to no buffer does not convict the model: an image whose own addresses
 * are wrong reads such memory, too.
 */
static void conclude(struct rp_verification *verify, const struct rp_probe *of_image,
                     const struct rp_probe *of_static, bool reordered) {
    struct rp_verify_result *verdict = &verify->verdict;
    bool by_image = is_found(of_image);
    verdict->outside_by_static = is_found(of_static) || reordered;
    if (by_image)
        verdict->outside = describe(verify, of_image);
    else if (is_found(of_static))
        verdict->outside = describe(verify, of_static);
    else if (reordered)
        verdict->outside = "the bytes beside one of its own constants or variables (its results "
                           "are others when these lie in another order)";
    verdict->outside_is_models =
        verdict->outside_by_static ||
        (by_image && of_image->area != GUARDED_UNUSED && of_image->area != GUARDED_STACK);
}

static bool explain(struct rp_verification *verify, struct rp_error *err) {
    struct rp_probe of_image = {0}, of_static = {0};
    bool reordered = false;
    size_t which = placement_of(verify);
    struct probing of = {.verify = verify,
                         .placement = &verify->places.images[which],
                         .base = probe_of(verify, which),
                         .other = rp_verify_pattern(0)};
    if (!search(&of, &of_image, err) || !search_static(verify, &of.base, &of_static, err) ||
        (!is_found(&of_image) && !is_found(&of_static) &&
         !depends_on_order(verify, &reordered, err)))
        return false;
    conclude(verify, &of_image, &of_static, reordered);
    return true;
}

bool rp_verify_explain(struct rp_verification *verify, struct rp_error *err) {
    return explain(verify, NULL) || !rp_process_interrupted(err); /* or it explains nothing */
}
