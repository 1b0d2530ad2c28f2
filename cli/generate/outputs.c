/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a run writes: see outputs.h. */
#include "cli/generate/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/file.h"
#include "base/path.h"
#include "cli/generate/budget.h"
#include "cli/generate/c_files.h"
#include "cli/generate/debug.h"
#include "cli/generate/loader.h"
#include "cli/generate/stamp.h"
#include "cli/page/gather.h"
#include "cli/pipeline/write.h"
#include "cli/report/figures.h"
#include "cli/report/json.h"
#include "cli/report/notes.h"
#include "cli/report/run.h"
#include "cli/report/sections.h"
#include "cli/report/text.h"
#include "cli/terminal.h"
#include "elfpack/image/c_array.h"
#include "toolchain/compile/process.h"

static const char IMAGE[] = "_rel.bin", HEADER[] = "_rel.h";
/* Our names, and those of the vendor's scripts (--vendor-names); there, HEADER is all. */
struct suffixes {
    const char *weights, *c_image, *c_weights, *c_image_header;
};
static const struct suffixes own = {"_data.bin", "_img_rel.c", "_img_data.c", "_img_rel.h"},
                             vendors = {"_rel_params.bin", "_rel.c", "_rel_params.c", NULL};

static const char *named(struct rp_generation *run, const char *suffix) {
    return rp_format(run->arena, "%s%s", run->package.model.name, suffix);
}

static bool note_file(struct rp_generation *run, const char *name, struct rp_error *err) {
    struct rp_report_file *file = RP_PUSH(run->arena, &run->report.files);
    file->name = name;
    return rp_sum_file(rp_path_join(run->arena, run->outputs.stage, name), &file->sum, err);
}

static const struct suffixes *suffixes(const struct rp_generation *run) {
    return run->options->files.vendor_names ? &vendors : &own;
}

/* ---- the image ---- */

static bool write_image(struct rp_generation *run, struct rp_error *err) {
    bool split = run->options->files.split && rp_weights_size(&run->package.placed.weights) != 0;
    const char *image = named(run, IMAGE), *weights = named(run, suffixes(run)->weights);
    if (!rp_package_write(&run->package, rp_outputs_add(&run->outputs, image),
                          split ? rp_outputs_add(&run->outputs, weights) : NULL, &run->report.image,
                          err))
        return false;
    *RP_PUSH(run->arena, &run->report.files) =
        (struct rp_report_file){image, run->report.image.image};
    if (split)
        *RP_PUSH(run->arena, &run->report.files) =
            (struct rp_report_file){weights, run->report.image.weights};
    run->report.split = split;
    run->report.image_name = image;
    run->report.weights_name = weights;
    return rp_report_parts(&run->report, err);
}

static bool write_c_files(struct rp_generation *run, struct rp_error *err) {
    const struct suffixes *suffix = suffixes(run);
    struct rp_c_files names = {.header = named(run, HEADER)};
    if (run->options->files.no_c)
        return true;
    if (run->options->files.c_array)
        names.image = named(run, suffix->c_image);
    if (run->options->files.c_array && suffix->c_image_header != NULL)
        names.image_header = named(run, suffix->c_image_header);
    if (run->options->files.c_weights && run->report.split)
        names.weights = named(run, suffix->c_weights);
    const char *const written[] = {names.header, names.image, names.image_header, names.weights};
    bool ok = rp_c_files_write(run, &names, err);
    for (size_t i = 0; ok && i < sizeof written / sizeof written[0]; i++)
        ok = written[i] == NULL || note_file(run, written[i], err);
    return ok;
}

static struct rp_debug_names debug_names(struct rp_generation *run) {
    return (struct rp_debug_names){named(run, IMAGE), named(run, "_rel.elf"),
                                   named(run, "_rel.gdb")};
}

static bool write_debug(struct rp_generation *run, struct rp_error *err) {
    const struct rp_debug_names names = debug_names(run);
    return !run->options->source.input.debug ||
           (rp_generation_write_debug(run, &names, err) && note_file(run, names.elf, err) &&
            note_file(run, names.script, err));
}

static bool begins(struct rp_generation *run, const char *path, const char *text) {
    struct rp_bytes head;
    return rp_file_head(run->arena, path, 64, &head, NULL) &&
           rp_has_prefix((const char *)head.data, text);
}

/* A file that an earlier run with other options left would look as if it belonged to this one. */
static void drop_stale_file(struct rp_generation *run, const char *suffix) {
    const char *name = named(run, suffix), *input = run->package.model.weights.file;
    const char *path = rp_outputs_final(&run->outputs, name);
    bool ours =
        rp_has_suffix(suffix, ".bin") ? rp_is_weights_file(path) : begins(run, path, RP_MADE_BY);
    if (ours && !rp_outputs_have(&run->outputs, name) &&
        (input == NULL || !rp_path_same(input, path)))
        rp_outputs_drop(&run->outputs, name);
}

static void drop_stale(struct rp_generation *run) {
    const char *const stale[] = {HEADER,          own.weights,        own.c_image,
                                 own.c_weights,   own.c_image_header, vendors.weights,
                                 vendors.c_image, vendors.c_weights};
    for (size_t i = 0; i < sizeof stale / sizeof stale[0]; i++)
        drop_stale_file(run, stale[i]);
    const struct rp_debug_names debug = debug_names(run);
    if (!run->options->source.input.debug &&
        begins(run, rp_outputs_final(&run->outputs, debug.script), RP_GDB_MADE_BY)) {
        rp_outputs_drop(&run->outputs, debug.script);
        rp_outputs_drop(&run->outputs, debug.elf);
    }
}

static bool write_loader(struct rp_generation *run, struct rp_error *err) {
    struct rp_strings names = {0};
    if (!(run->options->files.loader_sources ? rp_loader_write_parts : rp_loader_write)(
            run->package.format->loader, run->package.data_dir, &run->outputs, &names, err) ||
        (run->options->files.service &&
         !rp_loader_write(&rp_loader_service, run->package.data_dir, &run->outputs, &names, err)))
        return false;
    for (size_t i = 0; i < names.count; i++)
        if (!note_file(run, names.items[i], err))
            return false;
    return true;
}

/* ---- the reports ---- */

static void note_time(struct rp_generation *run) {
    time_t today = time(NULL);
    struct timespec now;
    struct tm utc, local;
    char text[32] = "";
    if (gmtime_r(&today, &utc) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    run->report.run.started = rp_strdup(run->arena, text);
    if (localtime_r(&today, &local) != NULL)
        strftime(text, sizeof text, "%a %b %e %H:%M:%S %Y", &local);
    run->report.run.created = rp_strdup(run->arena, text);
    clock_gettime(CLOCK_MONOTONIC, &now);
    run->report.run.wall_s = (double)(now.tv_sec - run->start.tv_sec) +
                             (double)(now.tv_nsec - run->start.tv_nsec) * 1e-9;
}

/* of_image: only what is the same for the same image. NULL: an error was set. */
static const char *json_text(struct rp_generation *run, bool of_image, struct rp_error *err) {
    struct rp_report report = run->report;
    if (of_image) {
        report.run.reproducible = true;
        report.run.labels = (struct rp_strings){0};
    }
    struct rp_json *root = rp_report_json(&report, err);
    if (root == NULL)
        return NULL;
    char *text = rp_json_print(root);
    const char *copy = rp_strdup(run->arena, text);
    free(text);
    rp_json_free(root);
    return copy;
}

/* The JSON report, and the part of it that is the same for the same image. */
struct json_texts {
    const char *report, *baseline;
};

static bool write_json(struct rp_generation *run, struct json_texts *texts, struct rp_error *err) {
    note_time(run);
    texts->report = json_text(run, false, err);
    texts->baseline = "";
    if (texts->report != NULL && run->options->limits.update != NULL)
        texts->baseline = json_text(run, true, err);
    if (texts->report == NULL || texts->baseline == NULL)
        return false;
    const char *path = rp_outputs_add(&run->outputs, named(run, "_generate_rel.json"));
    return rp_file_write(path, texts->report, strlen(texts->report), err);
}

static bool write_text(struct rp_generation *run, struct rp_buf *text, struct rp_error *err) {
    const char *path = rp_outputs_add(&run->outputs, named(run, "_generate_report.txt"));
    rp_report_text(&run->report, text);
    return rp_file_write(path, text->data, text->len, err);
}

/* Files that the user named; then all places are known, and none may be that of an input. */
static bool write_named(struct rp_generation *run, const struct json_texts *texts,
                        struct rp_error *err) {
    const struct rp_generate_options *options = run->options;
    struct rp_strings inputs = {0}, others = {0};
    struct rp_buf rule = {.arena = run->arena};
    rp_files_read_list(&run->inputs, &run->package, &inputs);
    rp_files_read_depfile(&rule, rp_outputs_final(&run->outputs, named(run, IMAGE)), &inputs,
                          &run->package);
    struct rp_buf html = {.arena = run->arena};
    struct rp_page page;
    bool ok = options->html == NULL ||
              rp_page_of(&page, run->arena, named(run, "_generate_rel.json"), texts->report, err);
    if (ok && options->html != NULL)
        rp_page_html(&html, &page);
    ok = ok &&
         rp_outputs_add_named(&run->outputs, options->json, texts->report, strlen(texts->report),
                              err) &&
         rp_outputs_add_named(&run->outputs, options->html, html.data, html.len, err) &&
         rp_outputs_add_named(&run->outputs, options->limits.update, texts->baseline,
                              strlen(texts->baseline), err) &&
         rp_outputs_add_named(&run->outputs, options->depfile, rule.data, rule.len, err) &&
         rp_stamp_add(run, &inputs, texts->report, err);
    if (options->source.console.log != NULL)
        rp_strings_push(run->arena, &others, options->source.console.log);
    const char *const *paths[RP_CI_FILES] = RP_CI_PATHS(&options->diagnosed);
    for (size_t i = 0; i < RP_CI_FILES; i++)
        if (*paths[i] != NULL)
            rp_strings_push(run->arena, &others, *paths[i]);
    return ok && rp_outputs_check(&run->outputs, err) &&
           rp_outputs_spare(&run->outputs, &inputs, "an input", err) &&
           rp_outputs_spare(&run->outputs, &others, "an output of its own", err);
}

/* ---- all of them ---- */

bool rp_generation_write(struct rp_generation *run, struct rp_buf *text, struct rp_error *err) {
    rp_progress(run->options->source.console.quiet, "packing");
    if (!rp_outputs_begin(&run->outputs, run->arena, run->options->output, err))
        return rp_hint(err, "name a folder that you can write to with -o");
    if (!write_image(run, err) || !write_c_files(run, err) || !write_debug(run, err) ||
        !write_loader(run, err))
        return false;
    rp_files_read_end(&run->inputs);
    drop_stale(run);
    rp_report_notes(&run->report);
    rp_budgets_measure(&run->report);
    struct json_texts texts;
    return write_json(run, &texts, err) && rp_files_read_unchanged(&run->inputs, err) &&
           write_text(run, text, err) && write_named(run, &texts, err) &&
           !rp_process_interrupted(err) && rp_outputs_commit(&run->outputs, err);
}
