/* SPDX-License-Identifier: Apache-2.0 */
/* `relocpack generate`: generated code in; image, weights, loader sources and report out. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/nearest.h"
#include "base/output.h"
#include "base/path.h"
#include "base/stream.h"
#include "cli/commands.h"
#include "cli/generate/files_read.h"
#include "cli/generate/loader.h"
#include "cli/pipeline/compare.h"
#include "cli/pipeline/compile.h"
#include "cli/pipeline/link.h"
#include "cli/pipeline/open.h"
#include "cli/pipeline/write.h"
#include "cli/report/budget.h"
#include "cli/report/diagnostics.h"
#include "cli/report/figures.h"
#include "cli/report/json.h"
#include "cli/report/notes.h"
#include "cli/report/npu.h"
#include "cli/report/report.h"
#include "cli/report/sections.h"
#include "cli/report/text.h"
#include "cli/source_rows.h"
#include "cli/terminal.h"
#include "toolchain/build/compiler.h"
#include "toolchain/build/process.h"

struct options {
    struct rp_source_options source;
    struct rp_diagnosed diagnosed;
    struct rp_strings reloc; /* items of -r; "" marks that it was given */
    const char *output;
    bool no_c_files;
    bool loader_sources;
    bool vendor_names;
    bool parse_only;
    bool compare_static;
    bool compare_toolchains;
    bool reproducible;
    const char *json;
    const char *depfile;
    struct rp_strings budgets;
    const char *budget_file;
};

/* What -r asked for. */
struct choice {
    bool split;
    bool c_files;
};

#define AT(member) offsetof(struct options, member)

// clang-format off
static const struct rp_option rows[] = {
    RP_SOURCE_ROWS(struct options),
    RP_DIAGNOSTICS_ROW(AT(diagnosed)),
    RP_MODEL_WEIGHTS_ROW(struct options),
    {'i', "input", RP_OPT_TEXT, AT(source.input.path), "PATH", "same as --model (default: st_ai_output)", NULL},
    {'r', "relocatable", RP_OPT_COMMAS, AT(reloc), "[LIST]", "comma-separated choices: split (weights in a file of their own), gen-c-file (image also as a C array), copy-only (accept code that is not position-independent), compact (smaller list of words to rebase), llvm or st-clang (clang instead of gcc), custom[=FILE] (same as --custom); for Neural-ART only: no-secure (non-secure firmware), no-dbg-info (no debugging information), ecblob-in-params (blobs among the parameters)", NULL},
    {0, "reloc", RP_OPT_COMMAS, AT(reloc), "[LIST]", NULL, NULL},
    {0, "relocate", RP_OPT_COMMAS, AT(reloc), "[LIST]", NULL, NULL},
    {0, "split", RP_OPT_ADD, AT(reloc), NULL, "same as -r split; the other items of -r are options as well", "split"},
    {0, "gen-c-file", RP_OPT_ADD, AT(reloc), NULL, NULL, "gen-c-file"},
    {0, "copy-only", RP_OPT_ADD, AT(reloc), NULL, NULL, "copy-only"},
    {0, "compact", RP_OPT_ADD, AT(reloc), NULL, NULL, "compact"},
    {0, "no-secure", RP_OPT_ADD, AT(reloc), NULL, NULL, "no-secure"},
    {0, "no-dbg-info", RP_OPT_ADD, AT(reloc), NULL, NULL, "no-dbg-info"},
    {0, "ecblob-in-params", RP_OPT_ADD, AT(reloc), NULL, NULL, "ecblob-in-params"},
    {0, "llvm", RP_OPT_ADD, AT(reloc), NULL, NULL, "llvm"},
    {0, "st-clang", RP_OPT_ADD, AT(reloc), NULL, NULL, "st-clang"},
    {0, "compatible-mode", RP_OPT_FLAG, AT(source.input.npu.compatible), NULL, "Neural-ART with -r llvm: enums as short as those of gcc and Arm's compilers", NULL},
    {'o', "output", RP_OPT_TEXT, AT(output), "DIR", "folder for the finished files (default: build)", NULL},
    {0, "no-c-files", RP_OPT_FLAG, AT(no_c_files), NULL, "write neither the loader nor the C array", NULL},
    {0, "loader-sources", RP_OPT_FLAG, AT(loader_sources), NULL, "write the loader as separate parts instead of one source and one header", NULL},
    {0, "vendor-names", RP_OPT_FLAG, AT(vendor_names), NULL, "use the file names of the vendor's scripts: NAME_rel_params.bin for the weights, NAME_rel.c and .h for the C array", NULL},
    {0, "compare-static", RP_OPT_FLAG, AT(compare_static), NULL, "also link statically and report the difference", NULL},
    {0, "compare-toolchains", RP_OPT_FLAG, AT(compare_toolchains), NULL, "also build with clang (or gcc, with -r llvm) and report both", NULL},
    {0, "parse-only", RP_OPT_FLAG, AT(parse_only), NULL, "describe the model and build nothing", NULL},
    {0, "dry-run", RP_OPT_FLAG, AT(source.build.dry_run), NULL, "print the commands without running them", NULL},
    {0, "budget", RP_OPT_LIST, AT(budgets), "KEY=SIZE", "fail when KEY is larger: flash, ram_xip, ram_copy, params, acts, ext_ram, got or header_and_rel", NULL},
    {0, "budget-file", RP_OPT_TEXT, AT(budget_file), "FILE", "budgets from a JSON object with the same keys", NULL},
    {0, "json", RP_OPT_MAYBE, AT(json), "[FILE]", "also write the JSON report to FILE", NULL},
    {0, "depfile", RP_OPT_TEXT, AT(depfile), "FILE", "write a makefile rule with all files that the image was made from", NULL},
    {0, "reproducible", RP_OPT_FLAG, AT(reproducible), NULL, "leave times and paths out of the report", NULL},
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};
// clang-format on

struct generation {
    const struct options *options;
    struct choice choice;
    struct rp_arena *arena;
    struct rp_package package;
    struct rp_outputs outputs;
    struct rp_report report;
    struct timespec start;
    const char *json; /* text of the report */
    struct rp_files_read inputs;
};

static void defaults(void *target) {
    struct options *options = target;
    rp_source_defaults(&options->source);
    options->output = "build";
}

/* ---- -r ---- */

/* One item of -r; false when it is none. */
static bool take_item(struct options *options, struct choice *choice, const char *item) {
    struct rp_source_options *source = &options->source;
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"split", &choice->split},
        {"gen-c-file", &choice->c_files},
        {"gen-c-files", &choice->c_files},
        {"copy-only", &source->input.copy_only},
        {"compact", &source->input.compact},
        {"no-secure", &source->input.npu.no_secure},
        {"no-dbg-info", &source->input.npu.no_dbg_info},
        {"ecblob-in-params", &source->input.npu.ecblob_in_params},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (strcmp(item, flags[i].name) == 0)
            return *flags[i].flag = true;
    const struct rp_compiler *compiler = rp_compiler_find(item);
    if (compiler != NULL && compiler->is_clang)
        source->input.compiler = compiler;
    else if (strcmp(item, "custom") == 0)
        source->input.custom = "custom.json";
    else if (rp_has_prefix(item, "custom=") && item[strlen("custom=")] != '\0')
        source->input.custom = item + strlen("custom=");
    else
        return item[0] == '\0';
    return true;
}

static bool read_choice(struct options *options, struct choice *choice, struct rp_error *err) {
    bool both =
        rp_strings_have(&options->reloc, "llvm") && rp_strings_have(&options->reloc, "st-clang");
    if (both)
        return rp_fail(err, RP_E_USAGE, "-r llvm and -r st-clang exclude each other");
    if (options->no_c_files && options->loader_sources)
        return rp_fail(err, RP_E_USAGE, "--no-c-files and --loader-sources exclude each other");
    for (size_t i = 0; i < options->reloc.count; i++)
        if (!take_item(options, choice, options->reloc.items[i])) {
            rp_fail(err, RP_E_USAGE,
                    "-r '%s' is not known here; there are: split gen-c-file copy-only "
                    "compact custom[=FILE] no-secure no-dbg-info ecblob-in-params llvm st-clang",
                    options->reloc.items[i]);
            return rp_hint_nearest(err, options->reloc.items[i], "-r ",
                                   "split gen-c-file copy-only compact custom no-secure "
                                   "no-dbg-info ecblob-in-params llvm st-clang");
        }
    options->source.input.describe_only = options->parse_only;
    if (options->source.console.no_color)
        setenv("NO_COLOR", "1", 1);
    return true;
}

/* ---- files ---- */

static const char *named(struct generation *run, const char *suffix) {
    return rp_format(run->arena, "%s%s", run->package.model.name, suffix);
}

static bool note_file(struct generation *run, const char *name, struct rp_error *err) {
    struct rp_report_file *file = RP_PUSH(run->arena, &run->report.files);
    file->name = name;
    return rp_sum_file(rp_path_join(run->arena, run->outputs.stage, name), &file->sum, err);
}

static void note_written(struct generation *run, const char *name, const struct rp_sum *sum) {
    *RP_PUSH(run->arena, &run->report.files) = (struct rp_report_file){name, *sum};
}

/* Weights file, C array, its header: our names, or those of the vendor's scripts. */
static const char *const suffixes[2][3] = {{"_data.bin", "_img_rel.c", "_img_rel.h"},
                                           {"_rel_params.bin", "_rel.c", "_rel.h"}};

static const char *suffix_of(const struct generation *run, unsigned which) {
    return suffixes[run->options->vendor_names][which];
}

static bool write_image(struct generation *run, struct rp_error *err) {
    bool split = run->choice.split && rp_weights_size(&run->package.placed.weights) != 0;
    const char *image = named(run, "_rel.bin"), *weights = named(run, suffix_of(run, 0));
    if (!rp_package_write(&run->package, rp_outputs_add(&run->outputs, image),
                          split ? rp_outputs_add(&run->outputs, weights) : NULL, &run->report.image,
                          err))
        return false;
    note_written(run, image, &run->report.image.image);
    if (split)
        note_written(run, weights, &run->report.image.weights);
    run->report.split = split;
    run->report.image_name = image;
    run->report.weights_name = weights;
    return rp_report_parts(&run->report, err);
}

static bool write_c_array(struct generation *run, struct rp_error *err) {
    const char *source = named(run, suffix_of(run, 1)), *header = named(run, suffix_of(run, 2));
    if (!run->choice.c_files || run->options->no_c_files)
        return true;
    const char *macros = rp_npu_macros(run->arena, &run->package);
    const struct rp_c_array array = {
        .name = run->package.model.c_name,
        .image_path = rp_path_join(run->arena, run->outputs.stage, named(run, "_rel.bin")),
        .c_path = rp_outputs_add(&run->outputs, source),
        .h_path = rp_outputs_add(&run->outputs, header),
        .h_name = header,
        .ram_xip = rp_parts_ram_xip(&run->package.placed.layout.parts),
        .ram_copy = rp_parts_ram_copy(&run->package.placed.layout.parts),
        .acts_size = run->report.image.acts_size,
        .weights_size = run->report.image.weights_size,
        .macros = macros,
        .as_number = macros != NULL,
    };
    return rp_image_write_c(&array, err) && note_file(run, source, err) &&
           note_file(run, header, err);
}

static bool is_made_by_us(struct generation *run, const char *path) {
    struct rp_bytes head;
    return rp_file_head(run->arena, path, 64, &head, NULL) &&
           rp_has_prefix((const char *)head.data, RP_MADE_BY);
}

/* Our own files of an earlier run with other options would look as if they belonged to this one. */
static void drop_stale(struct generation *run) {
    bool c_made = run->choice.c_files && !run->options->no_c_files;
    for (unsigned names = 0; names < 2; names++) {
        bool these = names == (unsigned)run->options->vendor_names;
        for (unsigned which = 0; which < 3; which++) {
            const char *name = named(run, suffixes[names][which]);
            const char *path = rp_outputs_final(&run->outputs, name);
            const char *input = run->package.model.weights.file;
            bool made = these && (which == 0 ? run->report.split : c_made);
            bool ours = which == 0 ? rp_is_weights_file(path) : is_made_by_us(run, path);
            if (!made && ours && (input == NULL || !rp_path_same(input, path)))
                rp_outputs_drop(&run->outputs, name);
        }
    }
}

static bool write_loader(struct generation *run, struct rp_error *err) {
    struct rp_strings names = {0};
    const struct rp_loader *loader = rp_package_format(&run->package) == RP_FORMAT_NEURAL_ART
                                         ? &rp_loader_neural_art
                                         : &rp_loader_cortex_m;
    if (run->options->no_c_files)
        return true;
    if (!(run->options->loader_sources ? rp_loader_write_parts : rp_loader_write)(
            loader, run->package.data_dir, &run->outputs, &names, err))
        return false;
    for (size_t i = 0; i < names.count; i++)
        if (!note_file(run, names.items[i], err))
            return false;
    return true;
}

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) * 1e-9;
}

static void note_time(struct generation *run) {
    time_t now = time(NULL);
    struct tm utc;
    char text[32] = "";
    if (gmtime_r(&now, &utc) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    run->report.run.started = rp_strdup(run->arena, text);
    run->report.run.wall_s = seconds_since(&run->start);
}

static bool write_json(struct generation *run, struct rp_error *err) {
    note_time(run);
    struct rp_json *root = rp_report_json(&run->report, err);
    if (root == NULL)
        return false;
    char *text = rp_json_print(root);
    bool ok = rp_file_write(rp_outputs_add(&run->outputs, named(run, "_generate_rel.json")), text,
                            strlen(text), err);
    run->json = rp_strdup(run->arena, text);
    free(text);
    rp_json_free(root);
    return ok;
}

/* An empty header may be taken for a file of diagnostics. Then none are written. */
static bool spare_inputs(struct generation *run, struct rp_diagnosed *diagnosed,
                         struct rp_error *err) {
    struct rp_strings inputs = {0};
    const char *path = diagnosed->path;
    if (path == NULL || !rp_path_is_file(path))
        return true;
    rp_files_read_list(&run->inputs, &run->package, &inputs);
    for (size_t i = 0; i < inputs.count; i++)
        if (rp_path_same(path, inputs.items[i])) {
            diagnosed->path = NULL;
            rp_fail(err, RP_E_USAGE, "--diagnostics '%s' is an input: nothing is written to it",
                    path);
            return rp_fail_in(err, path, 0);
        }
    return true;
}

/* The files that the user named, and what no output may replace. */
static bool write_named(struct generation *run, struct rp_error *err) {
    const struct options *options = run->options;
    struct rp_strings inputs = {0}, others = {0};
    struct rp_buf rule = {.arena = run->arena};
    rp_files_read_list(&run->inputs, &run->package, &inputs);
    rp_files_read_depfile(&rule, rp_outputs_final(&run->outputs, named(run, "_rel.bin")), &inputs,
                          &run->package);
    bool ok =
        rp_outputs_add_named(&run->outputs, options->json, run->json, strlen(run->json), err) &&
        rp_outputs_add_named(&run->outputs, options->depfile, rule.data, rule.len, err);
    if (options->source.console.log != NULL)
        rp_strings_push(run->arena, &others, options->source.console.log);
    if (options->diagnosed.path != NULL)
        rp_strings_push(run->arena, &others, options->diagnosed.path);
    return ok && rp_outputs_check(&run->outputs, err) &&
           rp_outputs_spare(&run->outputs, &inputs, "an input", err) &&
           rp_outputs_spare(&run->outputs, &others, "an output of its own", err);
}

static bool write_text(struct generation *run, struct rp_buf *text, struct rp_error *err) {
    const char *name = named(run, "_generate_report.txt");
    rp_report_text(&run->report, text);
    return rp_file_write(rp_outputs_add(&run->outputs, name), text->data, text->len, err);
}

/* ---- the command ---- */

static bool compile_and_link(struct generation *run, struct rp_error *err) {
    bool quiet = run->options->source.console.quiet;
    rp_progress(quiet, "compiling");
    if (!rp_package_compile(&run->package, false, err))
        return false;
    rp_progress(quiet, "linking");
    return rp_package_link(&run->package, err);
}

/* Packages once more with another choice; what that does not change is not compiled again. */
static bool again(struct generation *run, const struct rp_choice *choice, struct rp_error *err) {
    return rp_package_again(&run->package, choice, err) && compile_and_link(run, err);
}

/* A compact table that saves nothing, its boot code paid for, is not used. */
static bool settle_compact(struct generation *run, struct rp_error *err) {
    const struct rp_layout *layout = &run->package.placed.layout;
    struct rp_choice choice = run->package.choice;
    if (layout->words.compact.count == 0)
        return true;
    run->report.compact = (struct rp_report_compact){
        .tried = true,
        .words = layout->words.rel.count - layout->words.listed.count,
        .table_bytes = 4 * layout->words.compact.count,
        .code_bytes = layout->tables.compact_code,
        .saved_bytes = rp_layout_compact_saves(layout),
    };
    if (run->report.compact.saved_bytes > 0)
        return true;
    choice.compact = false;
    choice.plain = run->package.compiled.plain;
    return again(run, &choice, err);
}

/* Code that is position-independent after all needs no boot code that patches it. */
static bool settle_copy_only(struct generation *run, struct rp_error *err) {
    struct rp_choice choice = run->package.choice;
    if (!run->options->source.input.copy_only || run->options->source.build.dry_run ||
        run->package.placed.layout.words.text_patches != 0)
        return true;
    choice.copy_only = false;
    if (!again(run, &choice, err))
        return false;
    rp_report_say(&run->report, "note", "RP1064",
                  "-r copy-only was not needed: all code is position-independent, so the image has "
                  "nothing to patch and works in both modes");
    return true;
}

/* --compare-static and --compare-toolchains. */
static bool compare(struct generation *run, struct rp_error *err) {
    const struct rp_source_options *source = &run->options->source;
    struct rp_package other;
    struct rp_image_result image;
    if (run->options->compare_static &&
        !rp_compare_static(run->arena, source, &run->report.static_sizes, err))
        return false;
    if (!run->options->compare_toolchains || run->options->source.build.dry_run)
        return true;
    bool ok = rp_compare_toolchains(&other, run->arena, source, &image, err);
    if (ok)
        run->report.other = rp_figures_of(&other, &image);
    rp_package_close(&other);
    return ok;
}

static bool build(struct generation *run, struct rp_error *err) {
    return compile_and_link(run, err) && settle_copy_only(run, err) && settle_compact(run, err) &&
           compare(run, err);
}

static bool write_all(struct generation *run, struct rp_buf *text, struct rp_error *err) {
    rp_progress(run->options->source.console.quiet, "packing");
    if (!rp_outputs_begin(&run->outputs, run->arena, run->options->output, err) ||
        !write_image(run, err) || !write_c_array(run, err) || !write_loader(run, err))
        return false;
    rp_files_read_end(&run->inputs);
    drop_stale(run);
    rp_report_notes(&run->report);
    for (size_t i = 0; i < run->report.budgets.count; i++)
        rp_report_metric(&run->report, run->report.budgets.items[i].metric,
                         &run->report.budgets.items[i].value);
    return write_json(run, err) && rp_files_read_unchanged(&run->inputs, err) &&
           write_text(run, text, err) && write_named(run, err) && !rp_process_interrupted(err) &&
           rp_outputs_commit(&run->outputs, err);
}

static void describe(struct rp_arena *arena, const struct rp_model *model) {
    printf("model     %s\ndialect   %s\n", rp_printable(arena, model->name), model->dialect->name);
    if (model->generator != NULL)
        printf("generator %s\n", rp_printable(arena, model->generator));
    const struct rp_tensors *lists[] = {&model->inputs, &model->outputs};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < lists[k]->count; i++) {
            const struct rp_tensor *tensor = &lists[k]->items[i];
            printf("%s    %s %s", k == 0 ? "input " : "output", rp_printable(arena, tensor->name),
                   tensor->dtype->name);
            for (unsigned d = 0; d < tensor->rank; d++)
                printf("[%u]", tensor->shape[d]);
            printf("\n");
        }
    if (model->weights.size != 0)
        printf("weights   %llu bytes\nacts      %llu bytes\n",
               (unsigned long long)model->weights.size, (unsigned long long)model->acts_size);
}

/* Describing plain C needs its preprocessed text, but nothing has to be compiled. */
static bool parse_only(struct generation *run, struct rp_error *err) {
    struct rp_package *package = &run->package;
    if (rp_npu_describe(&package->model, stdout))
        return true;
    if (!rp_build_begin(&package->build, run->arena, &package->build_options, err))
        return false;
    rp_plan_flags(&package->compiled.flags, &package->build, &package->model, &package->input);
    if (!package->model.dialect->plan(&package->model, &package->build, &package->compiled.flags,
                                      err))
        return false;
    describe(run->arena, &package->model);
    return true;
}

static bool check_arguments(const struct rp_strings *arguments, struct rp_error *err) {
    return arguments->count == 0 ||
           rp_fail(err, RP_E_USAGE, "'%s' is not expected: inputs are named with -i",
                   arguments->items[0]);
}

static bool check_comparisons(const struct generation *run, struct rp_error *err) {
    const struct rp_dialect *dialect = run->package.model.dialect;
    if ((dialect->takes & RP_TAKES_USUAL) != 0)
        return true;
    if (run->options->compare_toolchains)
        return rp_fail(err, RP_E_USAGE, "--compare-toolchains is not for %s", dialect->models);
    return !run->options->compare_static ||
           rp_fail(err, RP_E_USAGE,
                   "--compare-static is not for %s: in a static build, what they need of the "
                   "runtime is the firmware's",
                   dialect->models);
}

static bool generate(struct generation *run, struct options *given, struct rp_error *err) {
    struct rp_buf text = {.arena = run->arena};
    bool ok = read_choice(given, &run->choice, err) &&
              rp_budgets_read(&run->report, run->arena, &given->budgets, given->budget_file, err) &&
              rp_package_open(&run->package, run->arena, &run->options->source, err);
    rp_package_take_notes(&run->package, run->report.diagnostics);
    ok = ok && check_comparisons(run, err);
    if (ok && run->options->parse_only)
        return parse_only(run, err);
    ok = ok && rp_files_read_spare_log(&run->inputs, &run->package, err);
    given->diagnosed.log_spares_inputs = ok;
    ok = ok && rp_files_read_stamp(&run->inputs, &run->package, err) && build(run, err);
    if (err->id == RP_E_USAGE) /* the log may be a header, which the build found out */
        given->diagnosed.log_spares_inputs = false;
    rp_package_take_notes(&run->package, run->report.diagnostics);
    if (!ok || run->options->source.build.dry_run)
        return ok;
    ok = spare_inputs(run, &given->diagnosed, err) && write_all(run, &text, err);
    rp_progress(run->options->source.console.quiet, "");
    if (ok && !run->options->source.console.quiet && !rp_stream_is_stdout(run->options->json) &&
        !rp_stream_is_stdout(run->options->depfile)) /* what is asked for there stands alone */
        fputs(text.data, stdout);
    return ok && rp_budgets_check(&run->report, err);
}

static int run_generate(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                        struct rp_error *err) {
    struct options *options = given;
    struct generation *run = rp_alloc(arena, 1, sizeof *run);
    run->options = given;
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
    bool ok = check_arguments(arguments, err) && generate(run, given, err);
    if (!ok)
        (void)spare_inputs(run, &options->diagnosed, err);
    rp_files_read_end(&run->inputs);
    if (!ok) {
        rp_progress(run->options->source.console.quiet, "");
        rp_outputs_abort(&run->outputs);
    }
    if (run->options->source.build.keep && run->package.build.dir != NULL)
        fprintf(stderr, "relocpack: workspace kept in %s\n",
                rp_printable(arena, run->package.build.dir));
    rp_package_close(&run->package);
    return ok ? 0 : -1;
}

const struct rp_command rp_command_generate = {
    "generate",
    "[options] -i PATH --target SERIES",
    "Turns generated model code into a relocatable image",
    rows,
    sizeof(struct options),
    defaults,
    run_generate};
