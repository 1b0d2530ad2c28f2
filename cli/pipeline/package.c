/* SPDX-License-Identifier: Apache-2.0 */
/* What the stages of the pipeline ask a package: see package.h. */
#include "cli/pipeline/package.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "toolchain/compile/compiler.h"

enum rp_convention rp_package_convention(const struct rp_package *package) {
    if (!package->input.compiler->is_clang)
        return RP_CONV_GOT;
    return package->model.dialect->image->clang_links ? RP_CONV_NPU_BASE : RP_CONV_STATIC_BASE;
}

size_t rp_package_model_units(const struct rp_package *package) {
    return package->build.model_units != 0 ? package->build.model_units
                                           : package->model.code.sources.count;
}

const char *rp_package_source_of(const struct rp_package *package, const char *object) {
    const char *base = rp_path_base(object);
    unsigned long number = strtoul(base, NULL, 10);
    bool ours =
        rp_has_prefix(object, "obj/") && number != 0 && number <= package->build.units.count;
    if (!ours)
        return object;
    const char *source = package->build.units.items[number - 1].source;
    if (!rp_has_prefix(source, package->data_dir))
        return source;
    const char *below = source + strlen(package->data_dir); /* a model may be there as well */
    return rp_has_prefix(below, "/templates/") || rp_has_prefix(below, "/runtime/")
               ? rp_path_base(source)
               : source;
}

struct rp_strings rp_package_files(const struct rp_package *package) {
    const struct rp_model_code *code = &package->model.code;
    struct rp_strings files = {0};
    rp_strings_append(package->arena, &files, &code->used_files);
    if (package->linked.weights.path != NULL)
        rp_strings_push(package->arena, &files, package->linked.weights.path);
    for (size_t i = 0; i < code->sources.count; i++)
        if (!rp_strings_have_sorted(&package->build.waiting, code->sources.items[i]))
            rp_strings_push(package->arena, &files, code->sources.items[i]);
    rp_strings_append(package->arena, &files, &code->libraries);
    return files;
}

void rp_package_take_notes(struct rp_package *package, struct rp_diagnostics *notes) {
    struct rp_diagnostics *found = &package->model.notes;
    for (size_t i = 0; i < found->count; i++)
        *RP_PUSH(package->arena, notes) = found->items[i];
    found->count = 0;
}

void rp_package_close_stages(struct rp_package *package) {
    rp_link_close(&package->placed.link);
    rp_elf_close(&package->linked.elf);
}

void rp_package_close(struct rp_package *package) {
    rp_package_close_stages(package);
    rp_build_end(&package->build);
}
