/* SPDX-License-Identifier: Apache-2.0 */
/* A twin with hooks: see twin.h. */
#include "cli/run/twin.h"

#include <string.h>

#include "base/path.h"
#include "cli/pipeline/compile.h"
#include "cli/pipeline/link.h"
#include "cli/pipeline/open.h"
#include "cli/pipeline/write.h"
#include "cli/report/read.h"
#include "cli/run/session.h"

static const char *const hooks[] = {"__cyg_profile_func_enter", "__cyg_profile_func_exit"};

void rp_twin_imports(struct rp_arena *arena, struct rp_strings *specs) {
    for (size_t i = 0; i < 2; i++)
        rp_strings_push(arena, specs, rp_format(arena, "%s@0", hooks[i]));
}

/* ---- building ---- */

/* What the image was made from, with hooks. */
static bool read_source(const struct rp_run *run, const struct rp_run_image *image,
                        struct rp_source_options *source, struct rp_error *err) {
    const char *report = rp_subject_report(&image->subject, run->arena);
    bool has_paths = false;
    rp_source_defaults(source);
    if (report != NULL && rp_path_is_file(report) &&
        !rp_report_read(run->arena, report, source, &has_paths, err))
        return false;
    if (!has_paths) {
        rp_fail(err, RP_E_USAGE, "--profile: nothing says what '%s' was made from",
                image->subject.path);
        return rp_hint(err, "its report has to be beside it, made without --reproducible");
    }
    source->build.jobs = run->options->source.build.jobs;
    source->build.launcher = run->options->source.build.launcher;
    rp_strings_push(run->arena, &source->input.cflags, "-finstrument-functions");
    for (size_t i = 0; i < 2; i++)
        rp_strings_push(run->arena, &source->input.imports, hooks[i]);
    return true;
}

bool rp_twin_build(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct rp_source_options *source = rp_alloc(run->arena, 1, sizeof *source);
    struct rp_twin *twin = rp_alloc(run->arena, 1, sizeof *twin);
    struct rp_image_result result;
    twin->package.linked.elf.fd = -1;
    if (!read_source(run, image, source, err))
        return false;
    image->twin = twin;
    if (!rp_package_open(&twin->package, run->arena, source, err) ||
        !rp_package_compile(&twin->package, false, err) || !rp_package_link(&twin->package, err))
        return false;
    const char *path = rp_build_path(&twin->package.build, "twin_rel.bin");
    twin->image = (struct rp_run_image){.is_copied = image->is_copied, .is_twin = true};
    return rp_package_write(&twin->package, path, NULL, &result, err) &&
           rp_subject_open(&twin->image.subject, run->arena, path, NULL, err);
}

void rp_twin_close(struct rp_run_image *image) {
    if (image->twin == NULL)
        return;
    rp_subject_close(&image->twin->image.subject);
    rp_package_close(&image->twin->package);
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

static const char *name_of(const struct rp_run *run, const struct rp_twin *twin,
                           uint32_t function) {
    const struct rp_run_image *image = &twin->image;
    const struct rp_area code = image->is_copied ? image->ram : image->image;
    const struct rp_section *flash = rp_elf_section(&twin->package.linked.elf, ".flash");
    const uint32_t offset = (function & ~UINT32_C(1)) - code.address;
    const struct rp_symbol *symbol =
        flash != NULL && offset < flash->size
            ? rp_elf_symbol_at(&twin->package.linked.elf, flash->addr + offset)
            : NULL;
    return symbol != NULL ? symbol->name : rp_format(run->arena, "0x%08x", function);
}

/*
 * Takes the hooks off. Each call of a function costs its caller and all that called it the whole
 * pair of hooks, and itself the part that is between the two readings of the clock. How long a pair
 * takes, with the instructions that call it, follows from the runs of image and twin.
 */
static void take_off(struct rp_twin *twin, const struct rp_answer *answer, uint64_t plain) {
    struct rp_twin_result *result = &twin->result;
    const size_t count = answer->frames.count;
    uint64_t calls = 0;
    for (size_t i = 0; i < count; i++)
        calls += answer->frames.items[i].calls;
    const double inside = count != 0 ? (double)answer->frames.items[0].inside : 0;
    double pair = result->measured > plain && calls != 0
                      ? (double)(result->measured - plain) / (double)calls
                      : 0;
    pair = pair > inside ? pair : inside;
    result->hooks = (uint64_t)(pair * (double)calls + 0.5);
    for (size_t i = count; i-- > 0;) {
        const struct rp_frame_result *raw = &answer->frames.items[i];
        struct rp_twin_frame *frame = &result->frames[i];
        const double cost = inside * (double)raw->calls + pair * (double)frame->below;
        frame->total = (double)raw->time > cost ? (uint64_t)((double)raw->time - cost + 0.5) : 0;
        frame->own = frame->total > frame->children ? frame->total - frame->children : 0;
        if (frame->parent != 0) {
            struct rp_twin_frame *parent = &result->frames[frame->parent - 1];
            parent->below += frame->below + raw->calls;
            parent->children += frame->total;
        }
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += result->frames[i].own;
    result->differs = sum > plain + plain / 20 || sum < plain - plain / 5;
}

/* Frames come in the order of their numbers; a parent has a smaller one. */
static bool take_frames(const struct rp_run *run, struct rp_twin *twin,
                        const struct rp_answer *answer, struct rp_error *err) {
    struct rp_twin_result *result = &twin->result;
    result->count = answer->frames.count;
    if (result->count == 0)
        return rp_fail(err, RP_E_BOARD,
                       "--profile: no function of the model has hooks: its code comes compiled, or "
                       "is one function that the compiler put into its caller");
    result->frames = rp_alloc(run->arena, result->count + 1, sizeof *result->frames);
    for (size_t i = 0; i < result->count; i++) {
        const struct rp_frame_result *raw = &answer->frames.items[i];
        if (raw->index != i + 1 || raw->parent > i)
            return rp_fail(err, RP_E_BOARD, "the firmware's answer has frames in no order");
        result->frames[i] = (struct rp_twin_frame){
            .name = name_of(run, twin, raw->function), .parent = raw->parent, .calls = raw->calls};
    }
    return true;
}

bool rp_twin_run(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct rp_twin *twin = image->twin;
    struct rp_answer answer;
    if (!rp_session_deploy(run, &twin->image, err) || !rp_session_install(run, &twin->image, err) ||
        !rp_session_trace(run, &twin->image, &answer, err) ||
        !rp_session_destroy(run, &twin->image, err) || !check_outputs(image, &twin->image, err) ||
        !take_frames(run, twin, &answer, err))
        return false;
    twin->result.measured = twin->image.inferences.items[0].count;
    take_off(twin, &answer, image->inferences.items[0].count);
    return true;
}
