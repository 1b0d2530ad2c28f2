/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clang -fropi -frwpi reaches constants by their distance from the code and variables by their
 * distance from r9. toolchain/compile/clang_asm.c separates constants from the code. Those that it
 * cannot move stay in the read-only part; if one of them is a table of addresses, the image has to
 * fill it in, in a copy of itself. Large arrays cannot become activations, because nothing tells
 * what a distance from r9 is used for.
 */
#include "cli/pipeline/clang.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "toolchain/calls/declared.h"
#include "toolchain/compile/make.h"

enum { ASSEMBLY_MAX = 1 << 30 };

/* ---- constants ---- */

static bool read_assembly(struct rp_package *package, const char **texts, size_t count,
                          struct rp_error *err) {
    for (size_t i = 0; i < count; i++) {
        texts[i] = "";
        if (package->build.units.items[i].assembly.count == 0 ||
            package->build.units.items[i].waits)
            continue;
        const char *name =
            rp_format(package->arena, "obj/%03u.s", package->build.units.items[i].number);
        struct rp_bytes text;
        if (!rp_file_read(package->arena, rp_build_path(&package->build, name), ASSEMBLY_MAX, &text,
                          err))
            return false;
        texts[i] = (const char *)text.data;
    }
    return true;
}

/* Code may walk a section from its start to its end, where constants have to stay together. */
static void part_constants(struct rp_package *package, const char **texts, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strstr(texts[i], "__start_") != NULL || strstr(texts[i], "__stop_") != NULL)
            return;
    for (size_t i = 0; i < count; i++) {
        struct rp_buf out = {.arena = package->arena};
        rp_asm_part(&out, texts[i]);
        texts[i] = rp_buf_text(&out);
    }
}

static bool write_assembly(struct rp_package *package, const char *const *texts, size_t count,
                           struct rp_error *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++) {
        struct rp_unit *unit = &package->build.units.items[i];
        struct rp_buf out = {.arena = package->arena};
        if (unit->assembly.count == 0 || unit->waits)
            continue;
        rp_asm_rewrite(&out, &package->compiled.constants, package->arena, texts[i], i);
        ok = rp_build_write(&package->build,
                            rp_format(package->arena, "obj/%03u.moved.s", unit->number), out.data,
                            out.len, err);
    }
    return ok;
}

static void find_constants(struct rp_package *package, const char *const *texts, size_t count) {
    const struct rp_model *model = &package->model;
    struct rp_asm_choice choice = {.weights_prefix = model->weights.symbol};
    for (size_t i = 0; i < count; i++) {
        choice.weights_threshold = rp_weights_threshold(model, package->build.units.items[i].source,
                                                        package->options->thresholds.weights);
        rp_asm_collect(&package->compiled.constants, package->arena, texts[i], i, &choice);
    }
    for (size_t i = 0; i < model->imports.count; i++)
        rp_asm_import(&package->compiled.constants, package->arena, model->imports.items[i].name);
    rp_asm_sort(&package->compiled.constants);
    for (size_t i = 0; i < count; i++)
        rp_asm_check(&package->compiled.constants, texts[i], i);
}

/* Leaves the weights with the code. Tables do not change the size of the code. */
static bool fix_weights(struct rp_asm_constants *constants) {
    bool any = false;
    for (size_t i = 0; i < constants->count; i++) {
        any = any || (!constants->items[i].table && !constants->items[i].fixed);
        constants->items[i].fixed = constants->items[i].fixed || !constants->items[i].table;
    }
    return any;
}

bool rp_clang_takes_sources(const struct rp_package *package, struct rp_error *err) {
    const struct rp_strings *sources = &package->model.code.sources;
    if (rp_package_convention(package) != RP_CONV_STATIC_BASE)
        return true;
    for (size_t i = 0; i < sources->count; i++) {
        const char *path = sources->items[i];
        bool plain = rp_has_suffix(path, ".c") || rp_has_suffix(path, ".h");
        if (plain && !(i == 0 && package->model.code.is_cplusplus))
            continue;
        rp_fail(err, RP_E_COMPILE,
                "'%s': clang does not compile C++ position-independent for Cortex-M", path);
        return rp_hint(err, "build without -r llvm, -r st-clang and --compare-toolchains");
    }
    return true;
}

bool rp_clang_move_constants(struct rp_package *package, struct rp_error *err) {
    struct rp_build *build = &package->build;
    size_t count = rp_package_model_units(package);
    if (rp_package_convention(package) != RP_CONV_STATIC_BASE)
        return true;
    const char **texts = rp_alloc(package->arena, count + 1, sizeof *texts);
    rp_declared_ask_compiler(&package->model, build);
    for (size_t i = 0; i < count; i++)
        rp_build_by_assembly(build, &build->units.items[i]);
    if (!rp_build_make(build, "assembly", err))
        return false;
    if (build->options->dry_run)
        return true;
    if (!read_assembly(package, texts, count, err))
        return false;
    part_constants(package, texts, count);
    find_constants(package, texts, count);
    if (!write_assembly(package, texts, count, err))
        return false;
    /* code that grew may no longer reach what it refers to over short distances */
    return rp_build_make(build, "objects", NULL) || !fix_weights(&package->compiled.constants) ||
           write_assembly(package, texts, count, err);
}

static bool is_moved(const struct rp_package *package, const struct rp_large *large) {
    const struct rp_units *units = &package->build.units;
    static const char own[] = ".rodata.";
    if (large->zero || !rp_has_prefix(large->section, own))
        return false;
    const char *name = large->section + strlen(own);
    for (size_t i = 0; i < rp_package_model_units(package); i++) {
        struct rp_build build = package->build;
        if (strcmp(large->object, rp_build_object(&build, &units->items[i])) != 0)
            continue;
        const struct rp_asm_constant *constant =
            rp_asm_find(&package->compiled.constants, name, strlen(name), i);
        return constant != NULL && !constant->fixed;
    }
    return false;
}

void rp_clang_keep_large(struct rp_package *package) {
    size_t moved = 0;
    package->linked.kept_constants = package->linked.kept_arrays = 0;
    for (size_t i = 0; i < package->linked.scan.large.count; i++) {
        const struct rp_large *large = &package->linked.scan.large.items[i];
        /* a static build, which is only measured, separates them as the image does */
        if (package->compiled.flags.is_static ? !large->zero : is_moved(package, large))
            package->linked.scan.large.items[moved++] = *large;
        else
            *(large->zero ? &package->linked.kept_arrays : &package->linked.kept_constants) +=
                large->size;
    }
    package->linked.scan.large.count = moved;
}

/* ---- tables that could not be moved ---- */

bool rp_clang_has_tables(struct rp_package *package, bool *found, struct rp_error *err) {
    struct rp_build *build = &package->build;
    struct rp_scan scan = {0};
    const struct rp_scan_options options = {
        .culprits = true, .constructors_ok = true, .convention = rp_package_convention(package)};
    size_t sources = rp_package_model_units(package);
    *found = false;
    if (options.convention != RP_CONV_STATIC_BASE || package->input.copy_only)
        return true;
    for (size_t i = 0; i < sources && i < build->units.count; i++)
        if (!build->units.items[i].waits &&
            !rp_scan_file(&scan, package->arena, rp_build_object(build, &build->units.items[i]),
                          &options, err))
            return false;
    *found = scan.culprits.count != 0;
    return true;
}
