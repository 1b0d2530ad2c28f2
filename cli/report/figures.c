/* SPDX-License-Identifier: Apache-2.0 */
/* What a finished pipeline measures: see figures.h. */
#include "cli/report/figures.h"

#include <elf.h>
#include <string.h>

#include "base/path.h"
#include "toolchain/build/compiler.h"

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

uint64_t rp_report_tables(const struct rp_layout *layout) {
    uint64_t fixups =
        layout->tables.fixups_at != 0 ? 4 + RELOC_FIXUP_BYTES * layout->words.fixups.count : 0;
    return rp_parts_header_bytes(&layout->parts) +
           4 * (layout->words.listed.count + layout->words.compact.count) + fixups;
}

bool rp_report_counts_acts(const struct rp_report *report) {
    return rp_package_format(report->package) != RP_FORMAT_NEURAL_ART;
}

bool rp_report_metric(const struct rp_report *report, const char *name, uint64_t *value) {
    const struct rp_layout *layout = &report->package->placed.layout;
    uint64_t acts = rp_report_counts_acts(report) ? report->image.acts_size : 0;
    const struct {
        const char *name;
        uint64_t value;
    } metrics[] = {
        {"flash", report->image.image.length + report->image.weights.length},
        {"ram_xip", rp_parts_ram_xip(&layout->parts)},
        {"ram_copy", rp_parts_ram_copy(&layout->parts)},
        {RP_TOTAL "ram_xip", rp_parts_ram_xip(&layout->parts) + acts},
        {RP_TOTAL "ram_copy", rp_parts_ram_copy(&layout->parts) + acts},
        {"params", report->image.weights_size},
        {"acts", report->image.acts_size},
        {"ext_ram", report->image.ext_ram_size},
        {"got", layout->parts.bounds.got_end - layout->parts.bounds.got_start},
        {"header_and_rel", rp_report_tables(layout)},
    };
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        if (strcmp(metrics[i].name, name) == 0) {
            *value = metrics[i].value;
            return true;
        }
    return false;
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
