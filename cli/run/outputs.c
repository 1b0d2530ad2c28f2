/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of a run: see outputs.h. */
#include "cli/run/outputs.h"

#include <string.h>

#include "base/path.h"
#include "cli/terminal.h"
#include "toolchain/compile/process.h"

static bool asks_about_outputs(const struct rp_assess_options *options) {
    return options->saved.count != 0 || options->expected.count != 0 || options->labels != NULL ||
           options->compare != NULL;
}

/* The first run of each input. */
static void gather(struct rp_run *run, struct rp_run_image *image) {
    struct rp_assessment *assessment = &image->assessment;
    const uint32_t repeat = run->options->given.repeat;
    assessment->inputs = run->inputs.text;
    assessment->count = image->outputs.count;
    assessment->outputs = rp_alloc(run->arena, assessment->count + 1, sizeof *assessment->outputs);
    for (size_t i = 0; i < assessment->count; i++) {
        struct rp_buf all = {.arena = run->arena};
        for (size_t k = 0; k < image->inferences.count; k += repeat) {
            const struct rp_bytes *output = &image->inferences.items[k].outputs[i];
            rp_buf_append(&all, output->data, output->size);
        }
        assessment->outputs[i] = (struct rp_samples){
            .tensor = &image->outputs.items[i],
            .bytes = {(const uint8_t *)all.data, all.len},
            .count = run->inputs.count,
        };
    }
}

/* The command line of a verification of the image with the same inputs. */
static void verify_words(const struct rp_run *run, const struct rp_run_image *image,
                         struct rp_strings *argv) {
    struct rp_arena *arena = run->arena;
    RP_PUSH_WORDS(arena, argv, "/proc/self/exe", "verify", "--quiet", "--json", "--seed",
                  rp_format(arena, "%u", run->options->given.seed));
    if (run->options->trust_report)
        rp_strings_push(arena, argv, "--trust-report");
    if (run->options->source.build.cross_compile != NULL)
        rp_strings_push(
            arena, argv,
            rp_format(arena, "--cross-compile=%s", run->options->source.build.cross_compile));
    rp_strings_append_each(arena, argv, "--pass-env=", &run->options->source.pass_env);
    rp_strings_append_each(arena, argv, "--input=", &run->options->given.inputs);
    rp_strings_append_each(arena, argv, "--host-source=", &run->options->host_sources);
    if (image->subject.weights_path != NULL)
        rp_strings_push(arena, argv, rp_format(arena, "--weights=%s", image->subject.weights_path));
    for (size_t i = 0; i < image->outputs.count; i++)
        rp_strings_push(arena, argv,
                        rp_format(arena, "--save-output=%s/verify%zu.npy", run->build.dir, i));
    rp_strings_push(arena, argv, image->subject.path);
}

/*
 * --compare verify: the static build on the emulated core, by our own command, which also checks
 * that the image computes the same there. Its JSON is then compared with.
 */
static bool run_verify(struct rp_run *run, const struct rp_run_image *image, struct rp_error *err) {
    struct rp_strings argv = {0};
    int status = 0;
    const char *json = rp_path_join(run->arena, run->build.dir, "verify.json");
    verify_words(run, image, &argv);
    const struct rp_process process = {
        .argv = &argv, .passed = &run->options->source.pass_env, .stdout_path = json};
    rp_progress(run->options->source.console.quiet, "verifying on the emulated core");
    if (!rp_process_run_all(&process, 1, &status, err))
        return false;
    rp_progress(run->options->source.console.quiet, "");
    run->options->assess.compare = json;
    return status == 0 || rp_fail(err, RP_E_VERIFY,
                                  "--compare verify: relocpack verify of '%s' ended with status "
                                  "%d, for the reason above",
                                  image->subject.path, status);
}

bool rp_run_assess(struct rp_run *run, struct rp_error *err) {
    const struct rp_assess_options *options = &run->options->assess;
    struct rp_strings read = {0};
    if (run->running > 1 && asks_about_outputs(options)) {
        rp_fail(err, RP_E_USAGE,
                "--save-output, --expected, --labels and --compare are for one image");
        return rp_hint(err, "--name NAME runs one of them");
    }
    for (size_t i = 0; i < run->images.count; i++) {
        struct rp_run_image *image = &run->images.items[i];
        gather(run, image);
        rp_strings_push(run->arena, &read, image->subject.path);
        if (image->subject.weights_path != NULL)
            rp_strings_push(run->arena, &read, image->subject.weights_path);
    }
    rp_strings_append(run->arena, &read, &run->options->given.inputs);
    if (options->compare != NULL && strcmp(options->compare, "verify") == 0 &&
        !run_verify(run, run->first, err))
        return false;
    struct rp_assessment *first = &run->first->assessment;
    return rp_assess(first, run->arena, options, err) &&
           rp_assess_save(first, run->arena, options, &read, err);
}

/* Does a repetition compute something else than the first run of the same input? */
static bool differs(const struct rp_run_image *image, size_t first, size_t other) {
    const struct rp_inference *a = &image->inferences.items[first];
    const struct rp_inference *b = &image->inferences.items[other];
    for (size_t i = 0; i < image->outputs.count; i++)
        if (a->outputs[i].size != b->outputs[i].size ||
            memcmp(a->outputs[i].data, b->outputs[i].data, a->outputs[i].size) != 0)
            return true;
    return false;
}

size_t rp_run_changed(const struct rp_run *run, const struct rp_run_image *image) {
    const uint32_t repeat = run->options->given.repeat;
    for (size_t i = 0; i < image->inferences.count; i++)
        if (differs(image, i - i % repeat, i))
            return i;
    return 0;
}

bool rp_run_judge(const struct rp_run *run, struct rp_error *err) {
    return rp_assess_judge(&run->first->assessment, err);
}
