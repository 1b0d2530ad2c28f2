/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON report: see json.h. */
#include "cli/report/json.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/document.h"
#include "cli/report/bundle.h"
#include "cli/report/device.h"
#include "cli/report/ci/diagnostics.h"
#include "cli/report/figures.h"
#include "cli/report/imports.h"
#include "cli/report/notes.h"
#include "cli/report/members.h"
#include "cli/report/relocations.h"
#include "cli/report/run.h"
#include "cli/report/sections.h"
#include "cli/version.h"
#include "elfpack/image/reader.h"
#include "toolchain/compile/series.h"

static void put_hex(struct rp_json *object, const char *key, const uint8_t *bytes, size_t len) {
    char text[2 * RELOC_SHA256_BYTES + 1];
    rp_hex(text, bytes, len);
    rp_json_put_string(object, key, text);
}

/* ---- parts ---- */

static void put_toolchain(struct rp_json *root, const struct rp_report *report) {
    const struct rp_package *package = report->package;
    struct rp_json *chain = rp_json_new_object(root, "toolchain");
    RP_JSON_PUT(chain, RP_JSON_S("kind", rp_toolchain_kind(package)),
                RP_JSON_S("version", package->compiler_version),
                RP_JSON_S("target", "arm-none-eabi"));
    struct rp_json *flags = rp_json_new_array(chain, "flags");
    for (size_t i = 0; i < package->compiled.flags.model.count; i++)
        if (strncmp(package->compiled.flags.model.items[i], "-I", 2) != 0 &&
            !rp_has_prefix(package->compiled.flags.model.items[i], "-isystem") &&
            strstr(package->compiled.flags.model.items[i], "-prefix-map=") == NULL)
            rp_json_push_string(flags, package->compiled.flags.model.items[i]);
}

static void put_labels(struct rp_json *root, const struct rp_report *report) {
    const struct rp_strings *labels = &report->run.labels;
    struct rp_json *object = labels->count != 0 ? rp_json_new_object(root, "labels") : NULL;
    for (size_t i = 0; i < labels->count; i++) {
        const size_t len = strcspn(labels->items[i], "=");
        rp_json_put_string(object, rp_strndup(report->package->arena, labels->items[i], len),
                           labels->items[i] + len + 1);
    }
}

static bool put_input(struct rp_json *inputs, const char *path, struct rp_error *err) {
    struct rp_sum sum;
    if (!rp_sum_file(path, &sum, err))
        return false;
    struct rp_json *input =
        RP_JSON_NEW(RP_JSON_S("path", rp_path_base(path)), RP_JSON_N("size_bytes", sum.length));
    put_hex(input, "sha256", sum.sha256, sizeof sum.sha256);
    rp_json_push(inputs, input);
    return true;
}

static bool put_inputs(struct rp_json *root, const struct rp_package *package,
                       struct rp_error *err) {
    struct rp_json *inputs = rp_json_new_array(root, "inputs");
    const struct rp_strings files = rp_package_files(package);
    for (size_t i = 0; i < files.count; i++)
        if (!put_input(inputs, files.items[i], err))
            return false;
    return true;
}

static void put_tensors(struct rp_json *object, const char *key, const struct rp_tensors *tensors) {
    struct rp_json *list = rp_json_new_array(object, key);
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        struct rp_json *item =
            RP_JSON_NEW(RP_JSON_S("name", tensor->name), RP_JSON_S("dtype", tensor->dtype->name));
        struct rp_json *shape = rp_json_new_array(item, "shape");
        for (unsigned d = 0; d < tensor->rank; d++)
            rp_json_push_int(shape, tensor->shape[d]);
        rp_json_put_int(item, "size_bytes", (int64_t)rp_tensor_bytes(tensor));
        if (tensor->quantised) {
            rp_json_put_double(item, "scale", tensor->scale);
            rp_json_put_int(item, "zero_point", tensor->zero_point);
        }
        rp_json_push(list, item);
    }
}

void rp_report_target(struct rp_json *object, const struct rp_target *target) {
    char cpuid[8];
    snprintf(cpuid, sizeof cpuid, "%03X", target->core->part);
    RP_JSON_PUT(object, RP_JSON_S("series", target->series), RP_JSON_S("cpu", target->core->cpu),
                RP_JSON_S("cpuid", cpuid),
                RP_JSON_S("fpu", target->fpu != NULL ? target->fpu : "none"),
                RP_JSON_S("float_abi", target->float_abi == RELOC_FLOAT_HARD ? "hard" : "soft"));
}

static void put_model(struct rp_json *root, const struct rp_report *report) {
    const struct rp_model *model = &report->package->model;
    const struct rp_target *target = report->package->target;
    struct rp_json *object = rp_json_new_object(root, "model");
    RP_JSON_PUT(object, RP_JSON_S("name", model->name), RP_JSON_S("c_name", model->c_name),
                RP_JSON_S("dialect", model->dialect->name),
                RP_JSON_S("generator", model->generator));
    put_tensors(object, "inputs", &model->inputs);
    put_tensors(object, "outputs", &model->outputs);
    rp_report_target(rp_json_new_object(root, "target"), target);
}

/* With --generator: what ran, so that the code can be had again. */
static void put_generator(struct rp_json *root, const struct rp_package *package) {
    const struct rp_generated *generated = &package->generated;
    if (generated->name == NULL)
        return;
    struct rp_json *object = rp_json_new_object(root, "generator");
    RP_JSON_PUT(object, RP_JSON_S("name", generated->name),
                RP_JSON_S("version", generated->version));
    struct rp_json *words = rp_json_new_array(object, "command");
    for (size_t i = 0; i < generated->words.count; i++)
        rp_json_push_string(words, generated->words.items[i]);
}

static void put_entries(struct rp_json *image, const struct rp_layout *layout) {
    struct rp_json *entries = rp_json_new_object(image, "entries");
    for (uint32_t i = 0; i < layout->parts.header.entry_count; i++)
        rp_json_put_word(entries,
                         layout->parts.format->entry_name(layout->parts.header.entry_count, i),
                         layout->parts.header.entries[i]);
}

static void put_image(struct rp_json *root, const struct rp_report *report) {
    const struct rp_layout *layout = &report->package->placed.layout;
    struct rp_json *image = rp_json_new_object(root, "image");
    const struct rp_format *format = report->package->format;
    RP_JSON_PUT(image, RP_JSON_S("format", format->image->name),
                RP_JSON_S("version", format->image->version),
                RP_JSON_W("flags", layout->parts.header.flags), RP_JSON_B("split", report->split),
                RP_JSON_B("xip_ok", layout->words.text_patches == 0),
                RP_JSON_N("code_bytes", report->package->placed.code_bytes));
    struct rp_json *reasons = rp_json_new_array(image, "reasons");
    if (layout->words.text_patches != 0)
        rp_json_push_string(reasons, format->report->copy_reason);
    struct rp_strings tables = {0};
    rp_clang_tables(report->package, &tables);
    for (size_t i = 0; i < tables.count; i++)
        rp_json_push_string(reasons,
                            rp_format(report->package->arena, "constant table '%s' holds addresses",
                                      tables.items[i]));
    rp_sections_json(image, report);
    put_entries(image, layout);
    struct rp_json *integrity = rp_json_new_object(image, "integrity");
    rp_json_put_int(integrity, "trailer_offset", report->image.trailer);
    put_hex(integrity, "build_id", report->image.build_id, sizeof report->image.build_id);
}

static void put_memory(struct rp_json *root, const struct rp_report *report) {
    const struct rp_layout *layout = &report->package->placed.layout;
    struct rp_json *memory = rp_json_new_object(root, "memory");
    for (int i = 0; i < RP_FIGURES_REPORTED; i++)
        if (i != RP_FIGURE_EXT_RAM || !report->package->format->image->counts_acts)
            rp_json_put_int(memory, rp_figure_key((enum rp_figure)i),
                            (int64_t)rp_report_figure(report, (enum rp_figure)i));
    if (!report->static_sizes.known)
        return;
    int64_t flash = (int64_t)report->image.rel_end, ram = (int64_t)rp_parts_ram_xip(&layout->parts);
    rp_json_put(memory, "static",
                RP_JSON_NEW(RP_JSON_N("flash", report->static_sizes.flash),
                            RP_JSON_N("ram", report->static_sizes.ram),
                            RP_JSON_N("reloc_flash", flash), RP_JSON_N("reloc_ram", ram),
                            RP_JSON_N("delta_flash", flash - (int64_t)report->static_sizes.flash),
                            RP_JSON_N("delta_ram", ram - (int64_t)report->static_sizes.ram)));
}

static void put_figures(struct rp_json *list, const struct rp_figures *of) {
    struct rp_json *item =
        RP_JSON_NEW(RP_JSON_S("kind", of->kind), RP_JSON_S("version", of->version));
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {{"rel_words", of->rel_words},
                   {"got_entries", of->got_words},
                   {"fixup_words", of->fixup_words},
                   {"text_patches", of->text_patches}};
    for (int i = 0; i < RP_FIGURES_MAIN; i++)
        rp_json_put_int(item, rp_figure_key((enum rp_figure)i), (int64_t)of->main[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        rp_json_put_int(item, numbers[i].key, (int64_t)numbers[i].value);
    rp_json_put_bool(item, "xip_ok", of->xip_ok);
    rp_json_push(list, item);
}

static void put_comparison(struct rp_json *root, const struct rp_report *report) {
    if (report->other.kind == NULL)
        return;
    struct rp_json *list = rp_json_new_array(root, "toolchains");
    const struct rp_figures own = rp_figures_of(report->package, &report->image);
    put_figures(list, &own);
    put_figures(list, &report->other);
}

static void put_moved(struct rp_json *root, const struct rp_package *package) {
    struct rp_moved_list moved = {0};
    struct rp_json *list = rp_json_new_array(root, "moved_to_ram");
    rp_report_moved(package, &moved);
    for (size_t i = 0; i < moved.count; i++)
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("symbol", moved.items[i].symbol),
                                       RP_JSON_N("size_bytes", moved.items[i].size),
                                       RP_JSON_S("file", moved.items[i].file)));
}

static void put_budgets(struct rp_json *root, const struct rp_report *report) {
    struct rp_json *list = rp_json_new_array(root, "budgets");
    for (size_t i = 0; i < report->budgets.count; i++) {
        const struct rp_budget *budget = &report->budgets.items[i];
        rp_json_push(list, RP_JSON_NEW(RP_JSON_S("metric", rp_figure_key(budget->figure)),
                                       RP_JSON_S("level", budget->is_warning ? "warn" : "fail"),
                                       RP_JSON_S("given", budget->given),
                                       RP_JSON_N("limit", budget->limit),
                                       RP_JSON_N("value", budget->value),
                                       RP_JSON_S("status", rp_budget_status(budget, "over"))));
    }
}

static void put_files(struct rp_json *root, const struct rp_report *report) {
    struct rp_json *list = rp_json_new_array(root, "files");
    for (size_t i = 0; i < report->files.count; i++) {
        const struct rp_report_file *file = &report->files.items[i];
        struct rp_json *item =
            RP_JSON_NEW(RP_JSON_S("path", file->name), RP_JSON_N("size_bytes", file->sum.length));
        put_hex(item, "sha256", file->sum.sha256, sizeof file->sum.sha256);
        rp_json_put_word(item, "crc32", file->sum.crc32);
        rp_json_push(list, item);
    }
}

static void put_diagnostics(struct rp_json *root, const struct rp_report *report) {
    struct rp_json *list = rp_json_new_array(root, "diagnostics");
    for (size_t i = 0; i < report->diagnostics->count; i++)
        rp_json_push(list, rp_diagnostic_json(&report->diagnostics->items[i], true));
}

/* ---- all of it ---- */

struct rp_json *rp_report_json(const struct rp_report *report, struct rp_error *err) {
    const struct rp_package *package = report->package;
    struct rp_json *root = rp_document("report", RP_REPORT_SCHEMA, "generate");
    put_toolchain(root, report);
    put_labels(root, report);
    put_generator(root, report->package);
    if (!put_inputs(root, package, err)) {
        rp_json_free(root);
        return NULL;
    }
    put_model(root, report);
    put_image(root, report);
    put_memory(root, report);
    rp_device_json(root, report);
    if (package->format->report->json != NULL)
        package->format->report->json(root, report);
    rp_bundle_json(root, report);
    put_comparison(root, report);
    rp_relocations_json(root, report);
    put_moved(root, package);
    rp_symbols_json(root, report);
    rp_members_json(root, package);
    rp_host_imports_json(root, package);
    put_budgets(root, report);
    put_files(root, report);
    put_diagnostics(root, report);
    rp_choices_json(root, report);
    if (!report->run.reproducible)
        rp_run_json(root, report);
    return root;
}
