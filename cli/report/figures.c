/* SPDX-License-Identifier: Apache-2.0 */
/* What a finished pipeline measures: see figures.h. */
#include "cli/report/figures.h"

const char *rp_toolchain_kind(const struct rp_package *package) {
    static const char *const kinds[] = {"gcc", "llvm", "st-clang"};
    return kinds[package->options->input.npu.compiler];
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
        .ram_xip = rp_parts_ram_xip(&layout->parts),
        .ram_copy = rp_parts_ram_copy(&layout->parts),
        .rel_words = layout->words.rel.count,
        .got_words = layout->words.got_used,
        .fixup_words = rp_report_init_words(layout),
        .text_patches = layout->words.text_patches,
        .xip_ok = layout->words.text_patches == 0,
    };
}
