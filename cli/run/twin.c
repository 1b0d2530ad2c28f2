/* SPDX-License-Identifier: Apache-2.0 */
/* A twin with hooks: see twin.h. */
#include "cli/run/twin.h"

#include <string.h>

#include "cli/pipeline/open.h"
#include "cli/pipeline/settle.h"
#include "cli/pipeline/write.h"
#include "cli/profile/again.h"
#include "cli/run/session.h"

static const char *const hooks[] = {"__cyg_profile_func_enter", "__cyg_profile_func_exit"};

enum { AROUND = 500 };

/* ---- building ---- */

static const struct rp_source_options *with_hooks(const struct rp_run *run,
                                                  const struct rp_source_options *source) {
    struct rp_source_options *options = rp_alloc(run->arena, 1, sizeof *options);
    *options = *source;
    options->input.cflags = options->input.imports = (struct rp_strings){0};
    rp_strings_append(run->arena, &options->input.cflags, &source->input.cflags);
    rp_strings_append(run->arena, &options->input.imports, &source->input.imports);
    rp_strings_push(run->arena, &options->input.cflags, "-finstrument-functions");
    for (size_t i = 0; i < 2; i++)
        rp_strings_push(run->arena, &options->input.imports, hooks[i]);
    return options;
}

static bool calls_hooks(const struct rp_image_view *view) {
    const uint8_t *at = view->imports;
    for (uint32_t i = 0; i < view->import_count; i++, at = rp_next_import(at))
        if (strcmp((const char *)at + 4, hooks[0]) == 0)
            return true;
    return false;
}

bool rp_twin_build(struct rp_run *run, struct rp_run_image *image,
                   const struct rp_source_options *source, struct rp_error *err) {
    struct rp_package *package = &image->layers->package;
    struct rp_image_result result;
    if (!rp_package_open(package, run->arena, with_hooks(run, source), err))
        return false;
    if (package->model.dialect->name_nodes != NULL)
        return true;
    if (!rp_package_settle(package, err))
        return false;
    const char *path = rp_build_path(&package->build, "twin_rel.bin");
    struct rp_run_image *twin = rp_alloc(run->arena, 1, sizeof *twin);
    *twin = (struct rp_run_image){.is_copied = image->is_copied, .is_twin = true};
    if (!rp_package_write(package, path, NULL, &result, err) ||
        !rp_subject_open(&twin->subject, run->arena, path, NULL, err))
        return false;
    if (calls_hooks(&twin->subject.view))
        image->layers->twin = twin;
    else
        rp_subject_close(&twin->subject);
    return true;
}

/* ---- running ---- */

static bool check_outputs(const struct rp_run_image *image, const struct rp_run_image *twin,
                          struct rp_error *err) {
    const struct rp_bytes *want = image->inferences.items[0].outputs;
    const struct rp_bytes *got = twin->inferences.items[0].outputs;
    for (size_t i = 0; i < image->outputs.count; i++)
        if (i >= twin->outputs.count || want[i].size != got[i].size ||
            memcmp(want[i].data, got[i].data, want[i].size) != 0)
            return rp_fail(err, RP_E_BOARD,
                           "--profile: with hooks in it, '%s' computes another output %zu: its "
                           "times would not be those of the image",
                           image->subject.path, i);
    return true;
}

static const char *name_of(const struct rp_run *run, const struct rp_layers *layers,
                           uint32_t function) {
    const struct rp_run_image *twin = layers->twin;
    const struct rp_elf *elf = &layers->package.linked.elf;
    const struct rp_area code = twin->is_copied ? twin->at.ram : twin->at.image;
    const struct rp_section *flash = rp_elf_section(elf, ".flash");
    const uint32_t offset = (function & ~UINT32_C(1)) - code.address;
    const struct rp_symbol *symbol =
        flash != NULL && offset < flash->size ? rp_elf_symbol_at(elf, flash->addr + offset) : NULL;
    return symbol != NULL ? symbol->name : rp_format(run->arena, "0x%08x", function);
}

/* The scope of a function, by its address; added when there is none. */
static uint32_t scope_of(const struct rp_run *run, const struct rp_layers *layers,
                         struct rp_scopes *scopes, uint32_t function) {
    for (size_t i = 0; i < scopes->list.count; i++)
        if (scopes->list.items[i].start == function)
            return (uint32_t)i;
    *RP_PUSH(scopes->arena, &scopes->list) =
        (struct rp_scope){name_of(run, layers, function), function, RP_NO_SCOPE, .in_image = true};
    return (uint32_t)scopes->list.count - 1;
}

/* Frames come in the order of their numbers, and a parent has a smaller one. */
static bool check_frames(const struct rp_answer *answer, struct rp_error *err) {
    for (size_t i = 0; i < answer->frames.count; i++)
        if (answer->frames.items[i].index != i + 1 || answer->frames.items[i].parent > i)
            return rp_fail(err, RP_E_BOARD, "the firmware's answer has frames in no order");
    return answer->frames.count != 0 ||
           rp_fail(err, RP_E_BOARD,
                   "--profile: no function of the model that has hooks was called");
}

/*
 * Takes the hooks off; returns what each frame takes by itself. Each call of a function costs its
 * caller and all that called it the whole pair of hooks, and itself the part that is between the
 * two readings of the clock. How long a pair takes, with the instructions that call it, follows
 * from the runs of image and twin.
 */
static uint64_t *take_off(struct rp_profile *profile, const struct rp_answer *answer) {
    const size_t count = answer->frames.count;
    const struct rp_frame_result *raw = answer->frames.items;
    const uint64_t more =
        profile->means.observed > profile->run ? profile->means.observed - profile->run : 0;
    uint64_t *own = rp_alloc(profile->arena, count, sizeof *own);
    /* of frame i - 1, 0: of what is outside: calls of all frames below; time of those right below
     */
    uint64_t *below = rp_alloc(profile->arena, count + 1, sizeof *below);
    uint64_t *children = rp_alloc(profile->arena, count + 1, sizeof *children);
    uint64_t calls = 0, sum = 0;
    for (size_t i = 0; i < count; i++)
        calls += raw[i].calls;
    const double inside = (double)raw[0].inside;
    double pair = calls != 0 ? (double)more / (double)calls : 0;
    pair = pair > inside ? pair : inside;
    profile->means.taken_off = (uint64_t)(pair * (double)calls + 0.5);
    for (size_t i = count; i-- > 0;) {
        const double cost = inside * (double)raw[i].calls + pair * (double)below[i + 1];
        const double time = (double)raw[i].time;
        const uint64_t total = time > cost ? (uint64_t)(time - cost + 0.5) : 0;
        own[i] = total > children[i + 1] ? total - children[i + 1] : 0;
        sum += own[i];
        below[raw[i].parent] += below[i + 1] + raw[i].calls;
        children[raw[i].parent] += total;
    }
    /* the code around the model is in no function that has hooks */
    profile->means.is_rough =
        sum > profile->run + profile->run / 20 || sum + AROUND < profile->run - profile->run / 5;
    return own;
}

static void take_frames(const struct rp_run *run, const struct rp_layers *layers,
                        const struct rp_answer *answer) {
    const size_t count = answer->frames.count;
    const uint64_t *own = take_off(layers->profile, answer);
    struct rp_scopes *scopes = rp_alloc(run->arena, 1, sizeof *scopes);
    struct rp_call_tree *calls = rp_alloc(run->arena, 1, sizeof *calls);
    uint32_t *places = rp_alloc(run->arena, count + 1, sizeof *places); /* by index; 0: outside */
    scopes->arena = calls->arena = run->arena;
    calls->scopes = scopes;
    for (size_t i = 0; i < count; i++)
        (void)scope_of(run, layers, scopes, answer->frames.items[i].function);
    calls->entry = rp_again_entry(&layers->package, scopes);
    calls->entry = calls->entry != RP_NO_SCOPE ? calls->entry : 0; /* what was called first */
    places[0] = rp_calls_add(calls, RP_NO_FRAME, RP_NO_SCOPE);
    for (size_t i = 0; i < count; i++) {
        const struct rp_frame_result *raw = &answer->frames.items[i];
        places[i + 1] =
            rp_calls_add(calls, places[raw->parent], scope_of(run, layers, scopes, raw->function));
        calls->frames.items[places[i + 1]].calls += raw->calls;
        calls->frames.items[places[i + 1]].own += own[i];
    }
    rp_calls_sum(calls);
    rp_profile_take_calls(layers->profile, calls, 0);
}

bool rp_twin_run(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    const struct rp_layers *layers = image->layers;
    struct rp_session_look *look = rp_alloc(run->arena, 1, sizeof *look);
    look->step = STEP_HOOKS;
    if (!rp_session_deploy(run, layers->twin, err) ||
        !rp_session_look(run, layers->twin, look, err) ||
        !check_outputs(image, layers->twin, err) || !check_frames(&look->answer, err))
        return false;
    layers->profile->means.by = RP_BY_HOOKS;
    layers->profile->means.observed = look->inference->count;
    take_frames(run, layers, &look->answer);
    return true;
}
