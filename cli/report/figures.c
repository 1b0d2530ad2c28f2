/* SPDX-License-Identifier: Apache-2.0 */
/* What a finished pipeline measures: see figures.h. */
#include "cli/report/figures.h"

const char *rp_toolchain_kind(const struct rp_package *package) {
    static const char *const kinds[] = {"gcc", "llvm", "st-clang"};
    return kinds[package->options->npu.compiler];
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
