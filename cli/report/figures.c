/* SPDX-License-Identifier: Apache-2.0 */
/* What a finished pipeline measures: see figures.h. */
#include "cli/report/figures.h"

#include <elf.h>
#include <string.h>

#include "base/path.h"
#include "toolchain/compile/compiler.h"

const char *rp_toolchain_kind(const struct rp_package *package) {
    return package->options->input.compiler->name;
}

size_t rp_report_init_words(const struct rp_layout *layout) {
    size_t words = 0;
    for (size_t i = 0; i < layout->words.fixups.count; i++)
        words += (layout->words.fixups.items[i].where & RELOC_SEG_MASK) == RELOC_SEG_RAM;
    return words;
}

struct rp_figures rp_figures_of(const struct rp_package *package,
                                const struct rp_image_result *image) {
    const struct rp_layout *layout = &package->placed.layout;
    return (struct rp_figures){
        .kind = rp_toolchain_kind(package),
        .version = package->compiler_version,
        .main = {[RP_FIGURE_FLASH] = image->image.length + image->weights.length,
                 [RP_FIGURE_RAM_XIP] = rp_parts_ram_xip(&layout->parts),
                 [RP_FIGURE_RAM_COPY] = rp_parts_ram_copy(&layout->parts),
                 [RP_FIGURE_PARAMS] = image->weights_size,
                 [RP_FIGURE_ACTS] = image->acts_size},
        .rel_words = layout->words.rel.count,
        .got_words = layout->words.got_used,
        .fixup_words = rp_report_init_words(layout),
        .text_patches = layout->words.text_patches,
        .xip_ok = layout->words.text_patches == 0,
    };
}

uint64_t rp_report_tables(const struct rp_layout *layout) {
    uint64_t fixups =
        layout->tables.fixups_at != 0 ? 4 + RELOC_FIXUP_BYTES * layout->words.fixups.count : 0;
    return rp_parts_header_bytes(&layout->parts) +
           4 * (layout->words.listed.count + layout->words.compact.count) + fixups;
}

uint64_t rp_report_figure(const struct rp_report *report, enum rp_figure figure) {
    const struct rp_layout *layout = &report->package->placed.layout;
    const uint64_t xip = rp_parts_ram_xip(&layout->parts);
    const uint64_t copy = rp_parts_ram_copy(&layout->parts);
    const uint64_t acts = report->package->format->image->counts_acts ? report->image.acts_size : 0;
    const uint64_t values[RP_FIGURES] = {
        [RP_FIGURE_FLASH] = report->image.image.length + report->image.weights.length,
        [RP_FIGURE_RAM_XIP] = xip,
        [RP_FIGURE_RAM_COPY] = copy,
        [RP_FIGURE_PARAMS] = report->image.weights_size,
        [RP_FIGURE_ACTS] = report->image.acts_size,
        [RP_FIGURE_GOT] = layout->parts.bounds.got_end - layout->parts.bounds.got_start,
        [RP_FIGURE_HEADER_AND_REL] = rp_report_tables(layout),
        [RP_FIGURE_EXT_RAM] = report->image.ext_ram_size,
        [RP_FIGURE_TOTAL_RAM_XIP] = xip + acts,
        [RP_FIGURE_TOTAL_RAM_COPY] = copy + acts,
    };
    return values[figure];
}

void rp_report_moved(const struct rp_package *package, struct rp_moved_list *out) {
    for (size_t i = 0; i < package->linked.elf.symbol_count; i++) {
        const struct rp_symbol *symbol = &package->linked.elf.symbols[i];
        if (symbol->type != STT_OBJECT || symbol->size == 0 || symbol->section == SHN_UNDEF ||
            symbol->section == RP_SECTION_ABS)
            continue;
        const struct rp_contribution *from = rp_linkmap_find(&package->linked.map, symbol->value);
        if (from == NULL || !rp_has_prefix(from->section, ".data.rel.ro"))
            continue;
        *RP_PUSH(package->arena, out) =
            (struct rp_moved){symbol->name, symbol->size, rp_path_base(from->file)};
    }
}
