/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles on a board: see layers.h. */
#include "cli/run/layers.h"

#include <string.h>

#include "base/path.h"
#include "cli/commands.h"
#include "cli/profile/again.h"
#include "cli/report/read.h"
#include "cli/run/breaks.h"
#include "cli/run/session.h"
#include "cli/run/twin.h"

/* ---- building ---- */

/* What the image was made from. */
static struct rp_source_options *
read_source(const struct rp_run *run, const struct rp_run_image *image, struct rp_error *err) {
    const char *report = rp_subject_report(&image->subject, run->arena);
    struct rp_source_options source = {0};
    struct rp_report_use use = {
        .path = report, .reader = &rp_command_run, .trusted = run->options->trust_report};
    rp_source_defaults(&source);
    source.build.cross_compile = run->options->source.build.cross_compile;
    source.pass_env = run->options->source.pass_env;
    if (report != NULL && rp_path_is_file(report) &&
        !rp_report_read(&use, run->arena, &source, err))
        return NULL;
    if (!use.has_paths) {
        rp_fail(err, RP_E_USAGE, "--profile: nothing says what '%s' was made from",
                image->subject.path);
        rp_hint(err, "its report has to be beside it, made without --reproducible");
        return NULL;
    }
    source.build.jobs = run->options->source.build.jobs;
    source.build.launcher = run->options->source.build.launcher;
    return rp_again_options(run->arena, &image->subject, &source);
}

/* A firmware of the user's does not know twins; breakpoints would stop what else it does. */
static bool build_beside(const struct rp_run *run, struct rp_run_image *image,
                         const struct rp_source_options *source, struct rp_error *err) {
    struct rp_package *package = &image->layers->package;
    if (!rp_again_make(package, run->arena, source, &image->subject, err))
        return false;
    if (package->model.dialect->name_nodes != NULL)
        return true;
    rp_fail(err, RP_E_USAGE,
            "--profile: '%s' has no call-backs for its nodes, which --firmware and --mailbox need",
            image->subject.path);
    return rp_hint(err, "without --firmware, `run` measures it with a firmware of its own; "
                        "`relocpack verify --profile` needs no board");
}

bool rp_layers_build(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct rp_layers *layers = rp_alloc(run->arena, 1, sizeof *layers);
    const struct rp_source_options *source = read_source(run, image, err);
    if (source == NULL)
        return false;
    layers->package.linked.elf.fd = -1;
    image->layers = layers;
    if (run->is_beside)
        return build_beside(run, image, source, err);
    if (!rp_twin_build(run, image, source, err))
        return false;
    if (layers->twin != NULL)
        return true;
    rp_package_close(&layers->package);
    return rp_again_make(&layers->package, run->arena, source, &image->subject, err);
}

void rp_layers_plain(const struct rp_run *run, struct rp_run_image *image) {
    const struct rp_run_format *format = image->subject.format->run;
    if (image->layers != NULL || image->nodes < format->nodes_min)
        return;
    image->layers = rp_alloc(run->arena, 1, sizeof *image->layers);
    image->layers->is_plain = true;
    image->layers->package.linked.elf.fd = -1;
    image->layers->package.model.dialect = format->nodes;
}

struct rp_run_image *rp_layers_twin(const struct rp_run_image *image) {
    return image->layers != NULL ? image->layers->twin : NULL;
}

void rp_layers_close(struct rp_run_image *image) {
    if (image->layers == NULL)
        return;
    if (image->layers->twin != NULL)
        rp_subject_close(&image->layers->twin->subject);
    rp_package_close(&image->layers->package);
}

/* ---- running ---- */

static uint32_t weights_address(const struct rp_run_image *image) {
    const uint32_t inside = image->subject.view.view.weights_start;
    return inside != 0 ? image->at.image.address + inside : image->at.weights.address;
}

/* Nodes by call-backs; parts.count is 0 when the run-time knows none. */
static bool observe(struct rp_run *run, struct rp_run_image *image, struct rp_profile *profile,
                    struct rp_error *err) {
    struct rp_session_look *look = rp_alloc(run->arena, 1, sizeof *look);
    struct rp_run_image again = *image;
    look->step = STEP_OBSERVE;
    if (!rp_session_look(run, &again, look, err))
        return false;
    profile->means.observed = look->inference->count;
    rp_profile_take_nodes(profile, &image->layers->package.model, &look->answer);
    return true;
}

bool rp_layers_run(struct rp_run *run, struct rp_run_image *image, struct rp_error *err) {
    struct rp_layers *layers = image->layers;
    struct rp_profile *profile = rp_alloc(run->arena, 1, sizeof *profile);
    const struct rp_inference *first = &image->inferences.items[0];
    *profile =
        (struct rp_profile){.arena = run->arena,
                            .unit = run->board.counts_instructions ? "instructions" : "cycles",
                            .clock_hz = run->board.clock_hz,
                            .mode = image->is_copied ? "COPY" : "XIP",
                            .run = first->count,
                            .stack = first->stack,
                            .acts = image->acts_high,
                            .weights = weights_address(image)};
    layers->profile = profile;
    if (layers->twin != NULL)
        return rp_twin_run(run, image, err);
    if (layers->package.model.dialect->name_nodes != NULL && !observe(run, image, profile, err))
        return false;
    if (profile->parts.count != 0 || layers->is_plain)
        return true;
    return run->is_beside
               ? rp_fail(err, RP_E_BOARD, "'%s' did not tell of any node", image->subject.path)
               : rp_breaks_run(run, image, err);
}
