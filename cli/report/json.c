/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON report: see json.h. */
#include "cli/report/json.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/report/bundle.h"
#include "cli/report/diagnostics.h"
#include "cli/report/figures.h"
#include "cli/report/imports.h"
#include "cli/report/notes.h"
#include "cli/report/npu.h"
#include "cli/report/relocations.h"
#include "cli/report/run.h"
#include "cli/report/sections.h"
#include "cli/version.h"
#include "elfpack/reader.h"
#include "toolchain/build/series.h"

static void put_hex(struct rp_json *object, const char *key, const uint8_t *bytes, size_t len) {
    char text[2 * RELOC_SHA256_BYTES + 1];
    rp_hex(text, bytes, len);
    rp_json_put_string(object, key, text);
}

/* ---- parts ---- */

static void put_tool(struct rp_json *root, const struct rp_report *report) {
    const struct rp_package *package = report->package;
    struct rp_json *tool = rp_json_new_object(root, "tool");
    rp_json_put_string(tool, "name", "relocpack");
    rp_json_put_string(tool, "version", RP_VERSION);
    struct rp_json *chain = rp_json_new_object(root, "toolchain");
    rp_json_put_string(chain, "kind", rp_toolchain_kind(package));
    rp_json_put_string(chain, "version", package->compiler_version);
    rp_json_put_string(chain, "target", "arm-none-eabi");
    struct rp_json *flags = rp_json_new_array(chain, "flags");
    for (size_t i = 0; i < package->flags.model.count; i++)
        if (strncmp(package->flags.model.items[i], "-I", 2) != 0 &&
            !rp_has_prefix(package->flags.model.items[i], "-isystem") &&
            !rp_has_prefix(package->flags.model.items[i], "-ffile-prefix-map"))
            rp_json_push_string(flags, package->flags.model.items[i]);
}

static bool put_input(struct rp_json *inputs, const char *path, struct rp_error *err) {
    struct rp_sum sum;
    if (!rp_sum_file(path, &sum, err))
        return false;
    struct rp_json *input = rp_json_object();
    rp_json_put_string(input, "path", rp_path_base(path));
    rp_json_put_int(input, "size_bytes", (int64_t)sum.length);
    put_hex(input, "sha256", sum.sha256, sizeof sum.sha256);
    rp_json_push(inputs, input);
    return true;
}

static bool put_inputs(struct rp_json *root, const struct rp_model *model, struct rp_error *err) {
    struct rp_json *inputs = rp_json_new_array(root, "inputs");
    const struct rp_strings *lists[] = {&model->code.used_files, &model->code.sources,
                                        &model->code.libraries};
    for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            if (!put_input(inputs, lists[k]->items[i], err))
                return false;
    return true;
}

static void put_tensors(struct rp_json *object, const char *key, const struct rp_tensors *tensors) {
    struct rp_json *list = rp_json_new_array(object, key);
    for (size_t i = 0; i < tensors->count; i++) {
        const struct rp_tensor *tensor = &tensors->items[i];
        struct rp_json *item = rp_json_object();
        rp_json_put_string(item, "name", tensor->name);
        rp_json_put_string(item, "dtype", tensor->dtype->name);
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
    snprintf(cpuid, sizeof cpuid, "%03X", target->cpuid);
    rp_json_put_string(object, "series", target->series);
    rp_json_put_string(object, "cpu", target->cpu);
    rp_json_put_string(object, "cpuid", cpuid);
    rp_json_put_string(object, "fpu", target->fpu != NULL ? target->fpu : "none");
    rp_json_put_string(object, "float_abi",
                       target->float_abi == RELOC_FLOAT_HARD ? "hard" : "soft");
}

static void put_model(struct rp_json *root, const struct rp_report *report) {
    const struct rp_model *model = &report->package->model;
    const struct rp_target *target = report->package->target;
    struct rp_json *object = rp_json_new_object(root, "model");
    rp_json_put_string(object, "name", model->name);
    rp_json_put_string(object, "c_name", model->c_name);
    rp_json_put_string(object, "dialect", model->dialect->name);
    if (model->generator != NULL)
        rp_json_put_string(object, "generator", model->generator);
    put_tensors(object, "inputs", &model->inputs);
    put_tensors(object, "outputs", &model->outputs);
    rp_report_target(rp_json_new_object(root, "target"), target);
}

static void put_entries(struct rp_json *image, const struct rp_layout *layout) {
    struct rp_json *entries = rp_json_new_object(image, "entries");
    for (uint32_t i = 0; i < layout->parts.header.entry_count; i++)
        rp_json_put_word(entries,
                         layout->parts.format == RP_FORMAT_NEURAL_ART
                             ? rp_npu_entry_name(layout->parts.header.entry_count, i)
                             : rp_entry_name(i),
                         layout->parts.header.entries[i]);
}

static void put_image(struct rp_json *root, const struct rp_report *report) {
    const struct rp_layout *layout = &report->package->layout;
    struct rp_json *image = rp_json_new_object(root, "image");
    bool npu = layout->parts.format == RP_FORMAT_NEURAL_ART;
    rp_json_put_string(image, "format", npu ? "neural-art" : "cortex-m");
    rp_json_put_string(image, "version", npu ? "8.0" : "2.0");
    rp_json_put_word(image, "flags", layout->parts.header.flags);
    rp_json_put_bool(image, "split", report->split);
    rp_json_put_bool(image, "xip_ok", layout->words.text_patches == 0);
    struct rp_json *reasons = rp_json_new_array(image, "reasons");
    if (layout->words.text_patches != 0)
        rp_json_push_string(reasons, npu ? "words of read-only memory are set at installation"
                                         : "code that is not position-independent is patched in a "
                                           "copy");
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

static void put_metric(struct rp_json *object, const struct rp_report *report, const char *name) {
    uint64_t value = 0;
    rp_report_metric(report, name, &value);
    rp_json_put_int(object, name, (int64_t)value);
}

static void put_memory(struct rp_json *root, const struct rp_report *report) {
    static const char *const names[] = {"flash", "ram_xip", "ram_copy",      "params",
                                        "acts",  "got",     "header_and_rel"};
    const struct rp_layout *layout = &report->package->layout;
    struct rp_json *memory = rp_json_new_object(root, "memory");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        put_metric(memory, report, names[i]);
    if (layout->parts.format == RP_FORMAT_NEURAL_ART)
        put_metric(memory, report, "ext_ram");
    if (!report->static_sizes.known)
        return;
    int64_t flash = (int64_t)report->image.rel_end, ram = (int64_t)rp_parts_ram_xip(&layout->parts);
    struct rp_json *sizes = rp_json_new_object(memory, "static");
    rp_json_put_int(sizes, "flash", (int64_t)report->static_sizes.flash);
    rp_json_put_int(sizes, "ram", (int64_t)report->static_sizes.ram);
    rp_json_put_int(sizes, "reloc_flash", flash);
    rp_json_put_int(sizes, "reloc_ram", ram);
    rp_json_put_int(sizes, "delta_flash", flash - (int64_t)report->static_sizes.flash);
    rp_json_put_int(sizes, "delta_ram", ram - (int64_t)report->static_sizes.ram);
}

static void put_figures(struct rp_json *list, const struct rp_figures *of) {
    struct rp_json *item = rp_json_object();
    rp_json_put_string(item, "kind", of->kind);
    rp_json_put_string(item, "version", of->version);
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {{"flash", of->flash},
                   {"params", of->weights},
                   {"acts", of->acts},
                   {"ram_xip", of->ram_xip},
                   {"ram_copy", of->ram_copy},
                   {"rel_words", of->rel_words},
                   {"got_entries", of->got_words},
                   {"fixup_words", of->fixup_words},
                   {"text_patches", of->text_patches}};
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
    for (size_t i = 0; i < moved.count; i++) {
        struct rp_json *item = rp_json_object();
        rp_json_put_string(item, "symbol", moved.items[i].symbol);
        rp_json_put_int(item, "size_bytes", moved.items[i].size);
        rp_json_put_string(item, "file", moved.items[i].file);
        rp_json_push(list, item);
    }
}

static void put_archive_members(struct rp_json *root, const struct rp_package *package) {
    struct rp_json *list = rp_json_new_array(root, "archive_members");
    for (size_t i = 0; i < package->map.imports.count; i++) {
        const struct rp_import *import = &package->map.imports.items[i];
        if (import->member == NULL)
            continue;
        struct rp_json *item = rp_json_object();
        rp_json_put_string(item, "symbol", import->symbol);
        rp_json_put_string(item, "archive", rp_path_base(import->archive));
        rp_json_put_string(item, "member", import->member);
        rp_json_push(list, item);
    }
}

static void put_budgets(struct rp_json *root, const struct rp_report *report) {
    struct rp_json *list = rp_json_new_array(root, "budgets");
    for (size_t i = 0; i < report->budgets.count; i++) {
        const struct rp_budget *budget = &report->budgets.items[i];
        struct rp_json *item = rp_json_object();
        rp_json_put_string(item, "metric", budget->metric);
        rp_json_put_int(item, "limit", (int64_t)budget->limit);
        rp_json_put_int(item, "value", (int64_t)budget->value);
        rp_json_put_string(item, "status", budget->value <= budget->limit ? "ok" : "over");
        rp_json_push(list, item);
    }
}

static void put_files(struct rp_json *root, const struct rp_report *report) {
    struct rp_json *list = rp_json_new_array(root, "files");
    for (size_t i = 0; i < report->files.count; i++) {
        const struct rp_report_file *file = &report->files.items[i];
        struct rp_json *item = rp_json_object();
        rp_json_put_string(item, "path", file->name);
        rp_json_put_int(item, "size_bytes", (int64_t)file->sum.length);
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
    struct rp_json *root = rp_json_object();
    rp_json_put_int(root, "schema_version", RP_REPORT_SCHEMA);
    put_tool(root, report);
    if (!put_inputs(root, &package->model, err)) {
        rp_json_free(root);
        return NULL;
    }
    put_model(root, report);
    put_image(root, report);
    put_memory(root, report);
    rp_npu_json(root, report);
    rp_bundle_json(root, report);
    put_comparison(root, report);
    rp_relocations_json(root, report);
    put_moved(root, package);
    rp_symbols_json(root, report);
    put_archive_members(root, package);
    rp_host_imports_json(root, package);
    put_budgets(root, report);
    put_files(root, report);
    put_diagnostics(root, report);
    rp_choices_json(root, report);
    if (!report->run.reproducible)
        rp_run_json(root, report);
    return root;
}
