/* SPDX-License-Identifier: Apache-2.0 */
/* The same model built otherwise: see compare.h. */
#include "cli/pipeline/compare.h"

#include "base/path.h"

const char *rp_toolchain_kind(const struct rp_package *package) {
    static const char *const kinds[] = {"gcc", "llvm", "st-clang"};
    return kinds[package->options->npu.compiler];
}

/* A workspace of its own, inside the one that was asked for. */
static struct rp_source_options options_for(const struct rp_report *report, const char *folder) {
    struct rp_source_options options = report->options->source;
    if (options.workspace != NULL)
        options.workspace = rp_path_join(report->package->arena, options.workspace, folder);
    return options;
}

static uint64_t section_size(const struct rp_package *package, const char *name) {
    const struct rp_section *section = rp_elf_section(&package->elf, name);
    return section != NULL ? section->size : 0;
}

bool rp_compare_static(struct rp_report *report, struct rp_error *err) {
    struct rp_package package;
    struct rp_source_options options = options_for(report, "static");
    if (!report->options->compare_static)
        return true;
    bool ok = rp_package_open(&package, report->package->arena, &options, err) &&
              rp_package_link_static(&package, err);
    if (ok) {
        uint64_t loaded = section_size(&package, ".data");
        report->static_sizes =
            (struct rp_static_sizes){true, section_size(&package, ".flash") + loaded,
                                     loaded + section_size(&package, ".bss")};
    }
    rp_package_close(&package);
    return ok;
}

struct rp_figures rp_figures_of(const struct rp_package *package,
                                const struct rp_image_result *image) {
    const struct rp_layout *layout = &package->layout;
    return (struct rp_figures){
        .kind = rp_toolchain_kind(package),
        .version = package->compiler_version,
        .flash = image->image.length + image->weights.length,
        .weights = image->weights_size,
        .acts = image->acts_size,
        .ram_xip = rp_layout_ram_xip(layout),
        .ram_copy = rp_layout_ram_copy(layout),
        .rel_words = layout->rel.count,
        .got_words = layout->got_used,
        .fixup_words = rp_report_init_words(layout),
        .text_patches = layout->text_patches,
        .xip_ok = layout->text_patches == 0,
    };
}

bool rp_compare_toolchains(struct rp_report *report, struct rp_error *err) {
    struct rp_package package;
    struct rp_image_result image;
    bool clang = report->options->source.npu.compiler != RP_COMPILER_GCC;
    struct rp_source_options options = options_for(report, clang ? "gcc" : "llvm");
    if (!report->options->compare_toolchains || options.dry_run)
        return true;
    options.npu.compiler = clang ? RP_COMPILER_GCC : RP_COMPILER_LLVM;
    bool ok = rp_package_open(&package, report->package->arena, &options, err) &&
              rp_package_compile(&package, false, err) && rp_package_link(&package, err) &&
              rp_package_write(&package, rp_build_path(&package.build, "compared_rel.bin"), NULL,
                               &image, err);
    if (ok)
        report->other = rp_figures_of(&package, &image);
    rp_package_close(&package);
    return ok;
}
