/* SPDX-License-Identifier: Apache-2.0 */
/* `relocpack generate`: generated code in; image, weights, loader sources and report out. */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "base/printable.h"
#include "base/stream.h"
#include "cli/commands.h"
#include "cli/generate/budget.h"
#include "cli/generate/build.h"
#include "cli/generate/describe.h"
#include "cli/generate/labels.h"
#include "cli/generate/outputs.h"
#include "cli/generate/stamp.h"
#include "cli/pipeline/generated.h"
#include "cli/pipeline/open.h"
#include "cli/report/state.h"
#include "cli/terminal.h"
#include "toolchain/generators/generator.h"
#include "toolchain/npu/pack.h"

static bool check_comparisons(const struct rp_generation *run, struct rp_error *err) {
    const struct rp_dialect *dialect = run->package.model.dialect;
    if ((dialect->takes & RP_TAKES_USUAL) != 0)
        return true;
    if (run->options->compare.toolchains)
        return rp_fail(err, RP_E_USAGE, "--compare-toolchains is not for %s", dialect->models);
    return !run->options->compare.with_static ||
           rp_fail(err, RP_E_USAGE,
                   "--compare-static is not for %s: in a static build, what they need of the "
                   "runtime is the firmware's",
                   dialect->models);
}

/* An empty header looks like a file of diagnostics. When an option names one, nothing is written.
 */
static bool spare_inputs(struct rp_generation *run, struct rp_error *err) {
    const char **paths[RP_CI_FILES] = RP_CI_PATHS(&run->options->diagnosed);
    struct rp_strings inputs = {0};
    bool ok = true;
    rp_files_read_list(&run->inputs, &run->package, &inputs);
    for (size_t k = 0; k < RP_CI_FILES; k++)
        for (size_t i = 0; *paths[k] != NULL && rp_path_is_file(*paths[k]) && i < inputs.count; i++)
            if (rp_path_same(*paths[k], inputs.items[i])) {
                rp_fail(err, RP_E_USAGE, "%s '%s' is an input: nothing is written to it",
                        k == 0 ? "--diagnostics" : "the output", *paths[k]);
                ok = rp_fail_in(err, *paths[k], 0);
                *paths[k] = NULL;
            }
    return ok;
}

/* A size of 0 is refused: it would stand for all of the device. */
static bool read_size(unsigned *bytes, const char *option, const char *text, struct rp_error *err) {
    if (text == NULL || (rp_parse_size(text, bytes) && *bytes != 0))
        return true;
    return rp_fail(err, RP_E_USAGE, "option %s: '%s' is not a size in bytes, K or M above 0",
                   option, text);
}

/* --device; it says the target, too, unless that is given. */
static bool find_device(struct rp_generation *run, struct rp_error *err) {
    struct rp_generate_options *options = run->options;
    struct rp_report_device *device = &run->report.device;
    if (!read_size(&device->flash, "--device-flash", options->device.flash, err) ||
        !read_size(&device->ram, "--device-ram", options->device.ram, err))
        return false;
    if (options->device.name == NULL)
        return true;
    const char *data = rp_data_dir(run->arena, err);
    if (data == NULL || !rp_device_find(&device->part, run->arena, data, options->device.name, err))
        return false;
    if (options->source.target.series != NULL || options->source.target.mcu != NULL)
        return true;
    bool is_core = rp_has_prefix(device->part.series, "cortex-");
    *(is_core ? &options->source.target.mcu : &options->source.target.series) = device->part.series;
    return true;
}

/* Can the vendor's generator make code of the model for the target, and is it installed? */
static bool may_run(const struct rp_generation *run, const struct rp_generator *row,
                    const char *model) {
    const struct rp_source_options *source = &run->options->source;
    const char *series = source->target.series, *pack = source->input.pack_dir;
    const struct rp_target *target = series != NULL ? rp_target_find(series, NULL, NULL) : NULL;
    return rp_path_is_file(model) && target != NULL && strcmp(target->vendor, "ST") == 0 &&
           rp_generator_program(run->arena, row,
                                pack != NULL ? pack : rp_pack_default(run->arena)) != NULL;
}

/* For a model file without --generator: one that is installed and can. */
static void take_installed(struct rp_generation *run, const char *model) {
    const struct rp_generator *row = rp_generator_installed(model);
    if (row == NULL)
        return;
    run->options->source.generator.name = row->name;
    rp_diagnose(run->arena, run->report.diagnostics, "RP1074",
                rp_format(run->arena,
                          "%s, which is installed, writes the C code of '%s': "
                          "--generator names another program",
                          row->name, model));
}

/*
 * stedgeai is what runs for its own options, and for a model file without --generator: command
 * lines of `stedgeai generate` are taken as they are.
 */
static bool choose_generator(struct rp_generation *run, struct rp_error *err) {
    const struct rp_generator *row = rp_generator_find("stedgeai");
    const struct rp_strings *words = &run->options->stedgeai;
    struct rp_source_options *source = &run->options->source;
    struct rp_generator_choice *generator = &source->generator;
    const char *model = source->model != NULL ? source->model : source->input.path;
    bool takes = model != NULL && rp_generator_takes(row, model);
    if (generator->name == NULL && takes && (words->count != 0 || may_run(run, row, model)))
        generator->name = row->name;
    if (generator->name == NULL && words->count == 0 && model != NULL &&
        (rp_has_suffix(model, ".onnx") || rp_has_suffix(model, ".tflite")))
        take_installed(run, model);
    if (words->count == 0)
        return true;
    if (generator->name == NULL) {
        rp_fail(err, RP_E_USAGE,
                "%s is an option of stedgeai, which takes model files (%s), not '%s'",
                words->items[0], row->files, model != NULL ? model : "st_ai_output");
        return rp_hint(err, "leave it out: the C code already has what it chooses");
    }
    if (rp_generator_find(generator->name) != row) {
        rp_fail(err, RP_E_USAGE, "%s is an option of stedgeai, not of --generator %s",
                words->items[0], generator->name);
        return rp_hint(err, "--generator-options 'WORDS' are words for any generator");
    }
    rp_strings_append(run->arena, &generator->options, words);
    return true;
}

static bool open_model(struct rp_generation *run, struct rp_error *err) {
    struct rp_generate_options *options = run->options;
    bool ok = find_device(run, err) && choose_generator(run, err) &&
              rp_package_open(&run->package, run->arena, &options->source, err) &&
              (options->device.name == NULL ||
               rp_device_check(&run->report.device.part, run->package.target, err)) &&
              rp_budgets_read(run, err);
    if (run->package.generated.name != NULL) /* for comparisons */
        options->source.generator.made = &run->package.generated;
    rp_package_take_notes(&run->package, run->report.diagnostics);
    return ok && check_comparisons(run, err);
}

/* For `verify`: what was taken of a firmware's offers, as if the user had named it. */
static void record_imports(struct rp_generation *run) {
    const struct rp_host_imports *imports = &run->package.model.imports;
    for (size_t i = 0; i < imports->count; i++)
        if (imports->items[i].offered)
            rp_strings_push(run->arena, &run->options->source.input.imports,
                            rp_format(run->arena, imports->items[i].version != 0 ? "%s@%u" : "%s",
                                      imports->items[i].name, imports->items[i].version));
}

/* --log may be written to once it is known to be no input. */
static bool build(struct rp_generation *run, struct rp_error *err) {
    bool *log_spares_inputs = &run->options->diagnosed.log_spares_inputs;
    if (!rp_files_read_spare_log(&run->inputs, &run->package, err))
        return false;
    bool ok =
        rp_files_read_stamp(&run->inputs, &run->package, err) && rp_generation_build(run, err);
    *log_spares_inputs = !run->package.build.log_is_input;
    rp_package_take_notes(&run->package, run->report.diagnostics);
    record_imports(run);
    return ok;
}

static bool write_and_print(struct rp_generation *run, struct rp_error *err) {
    const struct rp_generate_options *options = run->options;
    struct rp_buf text = {.arena = run->arena};
    bool ok = spare_inputs(run, err) && rp_generation_write(run, &text, err);
    rp_progress(options->source.console.quiet, "");
    struct rp_diagnostics notes = {0}, asked = {0};
    if (!options->source.console.quiet && !rp_stream_is_stdout(options->json) &&
        !rp_stream_is_stdout(options->html) && !rp_stream_is_stdout(options->limits.update) &&
        !rp_stream_is_stdout(options->depfile)) { /* what is asked for there stands alone */
        if (ok)
            fputs(text.data, stdout); /* with all diagnostics */
    } else {
        for (size_t i = 0; ok && i < run->report.diagnostics->count; i++)
            if (run->report.diagnostics->items[i].asked)
                *RP_PUSH(run->arena, &asked) = run->report.diagnostics->items[i];
        rp_print_notes(run->arena, &asked);
    }
    if (ok && options->source.console.verbose != 0) /* the files are the same without -v */
        rp_report_state(&run->package, &notes);
    rp_tell_notes(run->arena, run->report.diagnostics, &notes, options->source.console.quiet);
    return ok;
}

/* --stamp: is there nothing to do? */
static bool is_current(struct rp_generation *run) {
    const struct rp_generate_options *options = run->options;
    struct rp_known known;
    if (options->stamp == NULL || options->parse_only || options->source.build.dry_run)
        return false;
    const struct rp_stamp stamp = {options, options->stamp, NULL};
    rp_known_begin(&known, run->arena);
    bool current = rp_stamp_is_current(&stamp, &known, NULL);
    if (!current)
        rp_stamp_begin(run, &known);
    else if (!options->source.console.quiet)
        printf("%s is up to date\n", rp_printable(run->arena, options->output));
    return current;
}

static bool generate(struct rp_generation *run, struct rp_error *err) {
    if (!rp_generate_take(run->options, err) ||
        !rp_labels_take(run->arena, &run->options->labels, &run->report.run.labels, err))
        return false;
    if (is_current(run))
        return true;
    if (!open_model(run, err))
        return false;
    if (run->options->parse_only)
        return rp_generation_describe(run, err);
    if (!build(run, err))
        return false;
    return run->options->source.build.dry_run ||
           (write_and_print(run, err) && rp_budgets_check(&run->report, err));
}

static int run_generate(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                        struct rp_error *err) {
    struct rp_generate_options *options = given;
    struct rp_generation *run = rp_alloc(arena, 1, sizeof *run);
    run->options = options;
    run->arena = arena;
    run->report.package = &run->package;
    run->report.run = (struct rp_report_run){.source = &options->source,
                                             .reloc = &options->reloc,
                                             .output = options->output,
                                             .reproducible = options->reproducible};
    run->report.diagnostics = &options->diagnosed.list;
    run->package.linked.elf.fd = -1;
    clock_gettime(CLOCK_MONOTONIC, &run->start);
    rp_files_read_begin(&run->inputs, arena);
    bool ok = arguments->count == 0
                  ? generate(run, err)
                  : rp_fail(err, RP_E_USAGE, "'%s' is not expected: inputs are named with -i",
                            arguments->items[0]);
    if (!ok) {
        rp_package_blame_generator(&run->package, err);
        (void)spare_inputs(run, err);
        rp_progress(options->source.console.quiet, "");
        rp_outputs_abort(&run->outputs);
    }
    rp_files_read_end(&run->inputs);
    if (options->source.build.keep && run->package.build.dir != NULL)
        fprintf(stderr, "relocpack: workspace kept in %s\n",
                rp_printable(arena, run->package.build.dir));
    rp_package_close(&run->package);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_generate = {
    "generate",
    "[options] -i PATH --target SERIES",
    "Turns generated model code into a relocatable image",
    rp_generate_rows,
    sizeof(struct rp_generate_options),
    rp_generate_defaults,
    run_generate,
    "input output name target mcu device entry generator include define source runtime-lib "
    "relocatable budget html json quiet verbose"};
