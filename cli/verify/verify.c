/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack verify`: installs an image on an emulated core, in XIP and COPY mode, at two sets of
 * addresses, with two live instances each, and compares every output byte with a static build of
 * the same sources. The exit code is 0 only if all bytes are the same.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/output.h"
#include "base/path.h"
#include "cli/commands.h"
#include "cli/pipeline/open.h"
#include "cli/report/read.h"
#include "cli/source_rows.h"
#include "cli/terminal.h"
#include "cli/verify/build.h"
#include "cli/verify/compare.h"
#include "cli/verify/coverage.h"
#include "cli/verify/outputs.h"
#include "cli/verify/print.h"
#include "cli/verify/probe.h"
#include "cli/verify/profile.h"
#include "cli/verify/run.h"
#include "cli/tensors/file.h"
#include "cli/verify/verification.h"
#include "cli/verify/written.h"
#include "elfpack/image/reader.h"
#include "toolchain/compile/compiler.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/series.h"

enum { DEFAULT_TIMEOUT_S = 900 };
/* Heap for --host-source: malloc of the C library takes the memory behind the firmware. */
#define HEAP_BYTES UINT32_C(0x100000)

#define AT(member) offsetof(struct rp_verify_options, member)

// clang-format off
static const struct rp_option rows[] = {
    RP_MODEL_ROW(struct rp_verify_options, RP_MODEL_HELP),
    RP_SOURCE_ROWS(struct rp_verify_options),
    {0, "debug", RP_OPT_COUNT, AT(source.console.verbose), NULL, NULL, NULL},
    RP_DIAGNOSTICS_ROWS(AT(diagnosed)),
    RP_JUNIT_ROW(AT(diagnosed)),
    {0, "weights", RP_OPT_TEXT, AT(weights), "FILE", "weights file of a split image (default: next to it)", NULL, .group = RP_HELP_RUN},
    {0, "report", RP_OPT_TEXT, AT(report), "FILE", "JSON report of the image (default: next to it)", NULL, .group = RP_HELP_RUN},
    RP_TRUST_ROW(AT(trust_report)),
    {0, "input", RP_OPT_LIST, AT(inputs), "FILE", "values of an input tensor for one run or several, .npy, .csv or raw; one option for each input (default: seeded numbers)", NULL, .group = RP_HELP_VALUES},
    {0, "input-type", RP_OPT_TEXT, AT(input_type), "TYPE", "type of the numbers in raw --input files, such as uint8 (default: the tensor's)", NULL, .group = RP_HELP_VALUES},
    {0, "reference", RP_OPT_TEXT, AT(reference), "PATH", "inputs and outputs of the original model: its .onnx file, with test_data_set_0 next to it, or a folder with input_0.npy and output_0.npy", NULL, .group = RP_HELP_VALUES},
    {0, "seed", RP_OPT_NUMBER, AT(seed), "N", "seed of the generated inputs (default: 1)", NULL, .group = RP_HELP_VALUES},
    RP_ASSESS_ROWS(AT(assess)),
    {0, "host-source", RP_OPT_LIST, AT(host_sources), "PATH", "C that defines what the image imports from the firmware: a file, or a folder with all its C files", NULL, .group = RP_HELP_INPUT},
    {0, "emulator", RP_OPT_TEXT, AT(emulator), "CMD", "emulator to use (default: qemu-system-arm)", NULL, .group = RP_HELP_RUN},
    {0, "once", RP_OPT_FLAG, AT(once), NULL, "one inference in each mode, at one set of addresses: for models that run long", NULL, .group = RP_HELP_RUN},
    {0, "strict", RP_OPT_FLAG, AT(strict), NULL, "bytes of an output that are never written are an error", NULL, .group = RP_HELP_RUN},
    {0, "min-coverage", RP_OPT_NUMBER, AT(min_coverage), "PERCENT", "fail if the runs execute less of the image's code", NULL, .group = RP_HELP_RUN},
    {0, "timeout", RP_OPT_NUMBER, AT(timeout_s), "SECONDS", "time limit of one emulation (default: 900)", NULL, .group = RP_HELP_RUN},
    {0, "profile", RP_OPT_FLAG, AT(profile), NULL, "show which nodes and functions the instructions of a run are in", NULL, .group = RP_HELP_RUN},
    {0, "profile-file", RP_OPT_TEXT, AT(profile_file), "FILE", "the same into a file: NAME.json, NAME.md, or text", NULL, .group = RP_HELP_RUN},
    {0, "json", RP_OPT_FLAG, AT(json), NULL, "print JSON", NULL, .group = RP_HELP_REPORTS},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

static void defaults(void *target) {
    struct rp_verify_options *options = target;
    rp_source_defaults(&options->source);
    options->seed = 1;
    options->timeout_s = DEFAULT_TIMEOUT_S;
    options->emulator = "qemu-system-arm";
}

/* ---- what the image was made of: the run part of its report ---- */

static bool read_report(struct rp_verification *verify, struct rp_error *err) {
    const char *path = verify->options->report;
    bool asked = path != NULL;
    if (path == NULL)
        path = rp_subject_report(&verify->subject, verify->arena);
    if (path == NULL || (!asked && !rp_path_is_file(path)))
        return true; /* the options have to say everything */
    verify->options->report = path;
    verify->report = (struct rp_report_use){.path = path,
                                            .reader = &rp_command_verify,
                                            .trusted = verify->options->trust_report,
                                            .has_paths = true};
    bool ok = rp_report_read(&verify->report, verify->arena, &verify->options->source, err);
    if (verify->report.is_read)
        return ok;
    return rp_hint(err, "generate the image again, or say what it was made from: --model and "
                        "--target take precedence over a report, --report names another one");
}

/* ---- inputs ---- */

/*
 * Each file holds one input after the other; the harness wants all tensors of an inference
 * together.
 */
static void interleave(struct rp_verification *verify, const struct rp_samples *files,
                       size_t count) {
    size_t total = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        total += files[i].bytes.size;
    uint8_t *all = rp_alloc(verify->arena, total + 1, 1);
    for (uint32_t run = 0; run < verify->given.count; run++)
        for (size_t i = 0; i < count; i++) {
            size_t size = files[i].bytes.size / verify->given.count;
            memcpy(all + at, files[i].bytes.data + run * size, size);
            at += size;
        }
    verify->given.bytes = (struct rp_bytes){all, total};
}

/* --reference comes with inputs and outputs. */
static bool find_reference(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_verify_options *options = verify->options;
    if (options->reference == NULL)
        return true;
    if (options->inputs.count != 0 || options->assess.expected.count != 0)
        return rp_fail(err, RP_E_USAGE, "--reference has inputs and outputs: it excludes %s",
                       options->inputs.count != 0 ? "--input" : "--expected");
    if (!rp_reference_find(&verify->given.reference, verify->arena, options->reference, err))
        return false;
    return options->assess.tolerance == NULL ||
           rp_assess_tolerance(&options->assess, &verify->given.reference.tolerance.absolute, err);
}

static struct rp_samples *read_files(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_strings *files = &verify->options->inputs;
    const struct rp_tensors *tensors = &verify->model.model.inputs;
    struct rp_samples *samples = rp_alloc(verify->arena, files->count, sizeof *samples);
    if (tensors->count != 0 && tensors->count != files->count) {
        rp_fail(err, RP_E_USAGE, "the model has %zu inputs, --input was given %zu times",
                tensors->count, files->count);
        return NULL;
    }
    for (size_t i = 0; i < files->count; i++) {
        samples[i] = (struct rp_samples){.tensor = i < tensors->count ? &tensors->items[i] : NULL,
                                         .path = files->items[i],
                                         .raw = verify->given.type};
        if (!rp_input_read(verify->arena, &samples[i], err))
            return NULL;
        if (samples[i].count != samples[0].count) {
            rp_fail(err, RP_E_INPUT, "'%s' holds %u inputs, '%s' holds %u", files->items[i],
                    samples[i].count, files->items[0], samples[0].count);
            return NULL;
        }
    }
    struct rp_diagnostics told = {0};
    for (size_t i = 0; i < files->count; i++)
        rp_samples_note(verify->arena, &samples[i], &told);
    rp_tell_notes(verify->arena, &verify->options->diagnosed.list, &told,
                  verify->options->source.console.quiet);
    return samples;
}

static bool read_inputs(struct rp_verification *verify, struct rp_error *err) {
    bool by_reference = verify->given.reference.sets.count != 0;
    const struct rp_verify_options *options = verify->options;
    struct rp_diagnostics told = {0};
    verify->given.count = 1;
    rp_assess_note(verify->arena, &options->assess, by_reference || options->inputs.count != 0,
                   options->seed, &told);
    rp_tell_notes(verify->arena, &verify->options->diagnosed.list, &told,
                  options->source.console.quiet);
    if (!by_reference && verify->options->inputs.count == 0)
        return true;
    struct rp_samples *samples = by_reference
                                     ? rp_reference_inputs(&verify->given.reference, verify->arena,
                                                           &verify->model.model.inputs, err)
                                     : read_files(verify, err);
    if (samples == NULL)
        return false;
    size_t count =
        by_reference ? verify->given.reference.vectors[0].used : verify->options->inputs.count;
    if (count != 0) {
        verify->given.count = samples[0].count;
        if (verify->options->once && verify->given.count != 1)
            return rp_fail(err, RP_E_USAGE, "--once runs one inference, the files hold %u",
                           verify->given.count);
        interleave(verify, samples, count);
        verify->verdict.has_inputs = true;
    }
    return true;
}

/* ---- running ---- */

/*
 * Memory outside the model's buffers may be the cause of a fault of the core, as of outputs that
 * differ.
 */
static bool judge_answers(struct rp_verification *verify, struct rp_error *err) {
    static const char *const what[] = {"static build", "image at addresses 1",
                                       "image at addresses 2"};
    const struct rp_answer *const answers[] = {&verify->fixed, &verify->answers[0],
                                               &verify->answers[1]};
    for (size_t i = 0; i < (verify->options->once ? 2 : 3); i++) {
        if (rp_answer_check(answers[i], what[i], err))
            continue;
        if (!answers[i]->faulted)
            return false;
        struct rp_error why = {0};
        if (!rp_verify_explain(verify, &why))
            *err = why;
        else if (verify->verdict.outside_is_models) {
            *err = (struct rp_error){0};
            rp_outside_fail(verify, err);
        }
        return false;
    }
    return true;
}

static bool run_all(struct rp_verification *verify, struct rp_error *err) {
    struct rp_job jobs[3] = {
        {.label = "static",
         .is_static = true,
         .placement = &verify->places.fixed,
         .plan = {.arena = verify->arena}},
        {.label = "1", .placement = &verify->places.images[0], .plan = {.arena = verify->arena}},
        {.label = "2", .placement = &verify->places.images[1], .plan = {.arena = verify->arena}},
    };
    const size_t count = verify->options->once ? 2 : 3;
    rp_verify_plan_static(&jobs[0].plan, verify->board, jobs[0].placement, verify->options->seed);
    for (size_t i = 1; i < count; i++)
        rp_verify_plan(&jobs[i].plan, verify->board, jobs[i].placement, verify->options->seed);
    rp_coverage_ask(verify, &jobs[1]);
    if (!rp_verify_emulate(verify, jobs, count, err))
        return false;
    rp_coverage_read(verify, &jobs[1]);
    verify->fixed = jobs[0].answer;
    verify->answers[0] = jobs[1].answer;
    verify->answers[1] = jobs[2].answer;
    return judge_answers(verify, err);
}

/* ---- the command ---- */

static bool open_model(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_source_options *source = &verify->options->source;
    if (verify->subject.view.import_count != 0 && verify->options->host_sources.count == 0)
        return rp_fail(err, RP_E_USAGE,
                       "'%s' imports %u symbol%s of the firmware, '%s' first: name the C file that "
                       "has them with --host-source",
                       verify->subject.path, verify->subject.view.import_count,
                       verify->subject.view.import_count == 1 ? "" : "s",
                       (const char *)verify->subject.view.imports + 4);
    if (source->input.path == NULL && source->model == NULL) {
        rp_fail(err, RP_E_USAGE, "nothing says what '%s' was made from", verify->subject.path);
        if (verify->report.path != NULL && !verify->report.has_paths)
            return rp_hint(err,
                           "its report '%s' was made with --reproducible and has no paths: give "
                           "--model, and of -I, --source, --runtime-lib, --custom, --pack-dir and "
                           "--cflags what `generate` was given",
                           verify->report.path);
        return rp_hint(err, "its report is not beside it: give --report FILE, or --model and "
                            "--target");
    }
    /* only with the image's compiler does the static build compute the same to the last bit */
    verify->options->source.input.compiler =
        rp_compiler_of_tool(RELOC_FLAGS_TOOLCHAIN(verify->subject.view.view.flags));
    if (verify->format->choose != NULL)
        verify->format->choose(verify);
    bool ok = rp_package_open(&verify->model, verify->arena, source, err) &&
              rp_files_read_spare_log(&verify->read, &verify->model, err);
    if (verify->model.generated.name != NULL) /* for profiles */
        verify->options->source.generator.made = &verify->model.generated;
    rp_package_take_notes(&verify->model, &verify->options->diagnosed.list);
    if (!ok)
        return false;
    verify->board = rp_board_find(verify->model.target->core->name);
    if (verify->board == NULL)
        return rp_fail(err, RP_E_VERIFY, "there is no emulated board for Cortex-%s",
                       verify->model.target->core->label);
    rp_space_begin(&verify->space, verify->board);
    const struct rp_format *of_image = verify->subject.format, *of_model = verify->model.format;
    if (of_image != of_model)
        return rp_fail(err, RP_E_VERIFY, "'%s' is a %s image, '%s' is a %s model",
                       verify->subject.path, of_image->image->title, verify->model.input.path,
                       of_model->image->title);
    return verify->format->open == NULL || verify->format->open(verify, err);
}

/* Bytes that the inputs and outputs of a run take; 0 when only the model itself knows. */
static uint64_t io_bytes(const struct rp_verification *verify) {
    const struct rp_tensors *const lists[] = {&verify->model.model.inputs,
                                              &verify->model.model.outputs};
    uint64_t sum = HARNESS_GUARD_MAX;
    for (size_t k = 0; k < 2; k++) {
        for (size_t i = 0; i < lists[k]->count; i++)
            sum += rp_tensor_bytes(&lists[k]->items[i]) + HARNESS_GUARD_MAX + HARNESS_IO_ALIGN;
        if (k == 1 && lists[k]->count == 0)
            return 0;
    }
    return sum;
}

/* Writes the weights as the model needs them, without what follows in their file. */
static bool write_bare_weights(struct rp_verification *verify, struct rp_error *err) {
    const struct reloc_view *view = &verify->subject.view.view;
    struct rp_mapped weights = {0};
    if (!verify->format->bare_weights || view->weights_size == 0)
        return true;
    bool inside = view->weights_start != 0;
    if (!inside && !rp_map_file(&weights, verify->subject.weights_path, err))
        return false;
    const uint8_t *data = inside ? verify->subject.file.data + view->weights_start : weights.data;
    verify->bare_weights.size = view->weights_size;
    verify->bare_weights.path = rp_build_path(&verify->model.build, "weights.bin");
    bool ok = rp_file_write(verify->bare_weights.path, data, verify->bare_weights.size, err);
    rp_unmap_file(&weights);
    return ok;
}

/* Takes the firmware's memory out of what is free and, for imports, a heap behind it. */
static bool take_firmware(const struct rp_verification *verify, const struct rp_firmware *firmware,
                          const char *what, struct rp_space *space, struct rp_error *err) {
    struct rp_area area = firmware->area;
    struct rp_area piece = rp_space_at(space, area.address);
    if (area.size > piece.size)
        return rp_space_lacks(space, what, area.size, err);
    uint32_t heap = piece.size - area.size;
    heap = verify->subject.view.import_count == 0 ? 0 : heap < HEAP_BYTES ? heap : HEAP_BYTES;
    rp_space_take(space, (struct rp_area){area.address, area.size + heap});
    return true;
}

/*
 * The first emulation has the weights as they were written. The second one has them in a place of
 * their own, if there is room. With --once there is no second one.
 */
static bool place_images(struct rp_verification *verify, const struct rp_space *space,
                         struct rp_sizes *sizes, uint32_t weights, struct rp_error *err) {
    const struct rp_image_view *image = &verify->subject.view;
    struct rp_placement *first = &verify->places.images[0], *second = &verify->places.images[1];
    struct rp_error no_room = {0};
    sizes->weights = weights;
    if (!rp_placement_choose(first, space, sizes, NULL, err) ||
        (!sizes->once && !write_bare_weights(verify, err)))
        return false;
    sizes->weights = verify->bare_weights.size;
    if (!sizes->once && (verify->bare_weights.path == NULL ||
                         !rp_placement_choose(second, space, sizes, first, &no_room))) {
        sizes->weights = weights;
        if (!rp_placement_choose(second, space, sizes, first, err))
            return false;
        second->checks_weights = weights != 0;
    }
    first->checks_weights = weights != 0;
    for (size_t i = 0; i < 2; i++) {
        verify->places.images[i].memory_at_load = verify->format->memory_at_load;
        verify->places.images[i].needs_copy = image->needs.copy;
    }
    return true;
}

static bool place(struct rp_verification *verify, struct rp_error *err) {
    const struct rp_image_view *image = &verify->subject.view;
    const struct rp_model *model = &verify->model.model;
    uint32_t parts = model->calls.parts_align;
    /* otherwise the activations are variables of the static build */
    bool static_takes_acts = model->needs.vendor_runtime || parts != 0;
    uint32_t acts = image->needs.acts;
    struct rp_sizes sizes = {
        .image = verify->subject.file.size,
        .input = (uint32_t)verify->given.bytes.size,
        .ram_xip = image->needs.ram_xip,
        .ram_copy = image->needs.ram_copy,
        .above = verify->format->above,
        .acts = static_takes_acts ? acts : 0,
        .io = io_bytes(verify),
        .runs = verify->given.count,
        .once = verify->options->once,
        .align = parts > verify->format->align ? parts : verify->format->align,
    };
    uint64_t weights = 0;
    struct rp_space space = verify->space;
    if (!take_firmware(verify, &verify->firmware.fixed, "the static build", &space, err) ||
        !rp_placement_choose_static(&verify->places.fixed, &space, &sizes, err))
        return false;
    if (verify->format->fill != NULL)
        verify->format->fill(verify);
    if (verify->subject.weights_path != NULL &&
        !rp_file_size(verify->subject.weights_path, &weights, err))
        return false;
    sizes.acts = acts;
    space = verify->space;
    return take_firmware(verify, &verify->firmware.loader, "the firmware with the loader", &space,
                         err) &&
           place_images(verify, &space, &sizes, (uint32_t)weights, err);
}

static bool check_weights_option(const struct rp_verification *verify, struct rp_error *err) {
    return verify->options->weights == NULL || verify->subject.weights_path != NULL ||
           rp_fail(err, RP_E_USAGE, "'%s' has no weights file: --weights is for split images",
                   verify->subject.path);
}

static bool verify_image(struct rp_verification *verify, struct rp_error *err) {
    bool quiet = verify->options->source.console.quiet;
    verify->given.type = rp_input_type(verify->options->input_type, &verify->options->inputs, err);
    if (verify->given.type == NULL && verify->options->input_type != NULL)
        return false;
    if (!rp_output_is_possible(verify->options->profile_file, err) ||
        !rp_assess_possible(&verify->options->assess, verify->options->reference, err) ||
        !find_reference(verify, err) || !read_report(verify, err) ||
        !rp_subject_open(&verify->subject, verify->arena, verify->subject.path,
                         verify->options->weights, err) ||
        !check_weights_option(verify, err) || !rp_coverage_begin(verify, err))
        return false;
    verify->format = verify->subject.format->verify;
    if (!open_model(verify, err))
        return false;
    rp_progress(quiet, "building");
    if (!rp_verify_build_static(verify, err) || !rp_verify_build_loader(verify, err) ||
        !read_inputs(verify, err) || !place(verify, err))
        return false;
    rp_progress(quiet, "running on the emulated core");
    if (!run_all(verify, err) || !rp_verify_compare(verify, err))
        return false;
    rp_verdict_cases(&verify->verdict, verify->arena, &verify->options->diagnosed.cases);
    if (!rp_verify_outputs(verify, err))
        return false;
    rp_reference_cases(&verify->verdict, verify->arena, &verify->options->diagnosed.cases);
    if (!verify->verdict.equal) {
        rp_progress(quiet, "looking for the cause");
        if (!rp_verify_explain(verify, err))
            return false;
    } else if (verify->options->profile || verify->options->profile_file != NULL) {
        rp_progress(quiet, "profiling");
        if (!rp_verify_profile(verify, err))
            return false;
    }
    rp_progress(quiet, "");
    if (verify->options->json)
        rp_verdict_print_json(&verify->verdict, verify->arena);
    else if (!quiet)
        rp_verdict_print(&verify->verdict, verify->arena);
    return rp_verify_judge(verify, err) && rp_verify_tell_unwritten(verify, err) &&
           rp_coverage_judge(verify, err) && rp_assess_judge(&verify->verdict.assessment, err);
}

/* The report of an image from elsewhere names files that are not here. */
static void hint_missing(const struct rp_report_use *report, struct rp_error *err) {
    bool named = false;
    for (size_t i = 0; i < report->missing.count; i++)
        named = named || strstr(err->message, report->missing.items[i]) != NULL;
    if (named)
        (void)rp_hint(err, "the report '%s' names it: give the path of your copy with%s",
                      report->path, report->missing_options);
}

static int run_verify(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                      struct rp_error *err) {
    if (arguments->count != 1) {
        rp_fail(err, RP_E_USAGE, "verify takes one image file");
        return -1;
    }
    struct rp_verification *verify = rp_alloc(arena, 1, sizeof *verify);
    verify->options = given;
    verify->arena = arena;
    verify->model.linked.elf.fd = -1;
    verify->subject.path = arguments->items[0];
    rp_files_read_begin(&verify->read, arena);
    bool ok = verify_image(verify, err);
    hint_missing(&verify->report, err);
    rp_files_read_end(&verify->read);
    rp_progress(verify->options->source.console.quiet || ok, "");
    rp_subject_close(&verify->subject);
    if (verify->options->source.build.keep && verify->model.build.dir != NULL)
        fprintf(stderr, "relocpack: workspace kept in %s\n",
                rp_printable(arena, verify->model.build.dir));
    rp_package_close(&verify->model);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_verify = {
    "verify",
    "[options] IMAGE",
    "Runs an image on an emulated core and compares it with a static build",
    rows,
    sizeof(struct rp_verify_options),
    defaults,
    run_verify,
    "weights report trust-report once strict timeout profile input reference seed expected "
    "tolerance "
    "save-output host-source json quiet verbose"};
