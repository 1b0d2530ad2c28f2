/* SPDX-License-Identifier: Apache-2.0 */
/* The text report: see text.h. */
#include "cli/report/text.h"

#include <stdio.h>
#include <string.h>

#include "base/grid.h"
#include "base/path.h"
#include "cli/pipeline/r9.h"
#include "cli/report/bundle.h"
#include "cli/report/device.h"
#include "cli/report/figures.h"
#include "cli/report/imports.h"
#include "cli/report/npu_names.h"
#include "cli/report/relocations.h"
#include "cli/report/sections.h"
#include "cli/report/table.h"
#include "cli/version.h"
#include "toolchain/compile/series.h"

enum { SHOWN_MOVED = 8 };

static void put_size(struct rp_buf *out, const char *label, uint64_t value, const char *more) {
    struct rp_arena arena = {0};
    rp_buf_printf(out, more[0] != '\0' ? " %-20s = %-10s %s\n" : " %-20s = %s%s\n", label,
                  rp_commas(&arena, value), more);
    rp_arena_release(&arena);
}

static double percent(uint64_t part, uint64_t whole) {
    return whole != 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

static void put_rule(struct rp_buf *out, const char *title) {
    rp_buf_printf(
        out, "\n %s\n %.80s\n", title,
        "--------------------------------------------------------------------------------");
}

static void put_sizes(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_layout *layout = &report->package->placed.layout;
    struct rp_arena *arena = report->package->arena;
    uint64_t got = layout->parts.bounds.got_end - layout->parts.bounds.got_start;
    uint64_t bss = rp_parts_ram_xip(&layout->parts) - layout->parts.bounds.got_end;
    uint64_t xip = rp_parts_ram_xip(&layout->parts), copy = rp_parts_ram_copy(&layout->parts);
    uint64_t extra = rp_report_tables(layout);
    const char *(*figure)(struct rp_arena *, uint64_t) = report->package->format->report->detail;
    put_size(out, "XIP size", xip,
             rp_format(arena, "data(%s)+got(%s)+bss(%s) sections%s",
                       figure(arena, layout->parts.bounds.got_start), figure(arena, got),
                       figure(arena, bss),
                       layout->words.text_patches == 0 ? "" : "; for COPY mode only"));
    put_size(out, "COPY size", copy,
             rp_format(arena, "+ro(%s) sections", figure(arena, copy - xip)));
    put_size(out, "extra sections", got + extra,
             rp_format(arena, "got:%s(%.1f%%) header+rel:%s(%.1f%%)", figure(arena, got),
                       percent(got, xip), figure(arena, extra), percent(extra, copy - xip)));
    put_size(out, "params size", report->image.weights_size,
             report->image.weights_size == 0 ? ""
             : report->split                 ? "in a file of their own"
                                             : "included in the binary file");
    put_size(out, "acts size", report->image.acts_size, "");
    put_size(out, "binary file size", report->image.image.length, "");
    put_size(out, "params file size", report->image.weights.length, "");
}

static void put_patched(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_layout *layout = &report->package->placed.layout;
    struct rp_patched_list patched = {0};
    if (layout->words.text_patches == 0)
        return;
    rp_buf_printf(out, " words and instructions patched in a copy %u: COPY mode only\n",
                  layout->words.text_patches);
    rp_report_patched(report->package, &patched);
    for (size_t i = 0; i < patched.count && i < SHOWN_MOVED; i++) {
        const struct rp_patched *from = &patched.items[i];
        rp_buf_printf(out, from->member != NULL ? "   %-32s %6u  %s(%s)\n" : "   %-32s %6u  %s\n",
                      from->symbol, from->count, from->file, from->member);
    }
    if (patched.count > SHOWN_MOVED)
        rp_buf_printf(out, "   ... and %zu more\n", patched.count - SHOWN_MOVED);
}

static void put_compact(const struct rp_compact_tried *compact, struct rp_buf *out) {
    if (!compact->tried)
        return;
    rp_buf_printf(out, " compact: %zu words in %zu bytes", compact->words, compact->table_bytes);
    if (compact->saved_bytes > 0)
        rp_buf_printf(out,
                      ", %lld bytes saved (%u bytes of boot code paid for); in COPY mode they cost "
                      "%zu bytes of RAM\n",
                      (long long)compact->saved_bytes, compact->code_bytes,
                      compact->table_bytes + compact->code_bytes);
    else
        rp_buf_printf(out, " and %u of boot code would be %lld more than the list: not used\n",
                      compact->code_bytes, -(long long)compact->saved_bytes);
}

/* Loops of these sources have a register less. */
static void put_r9(const struct rp_package *package, struct rp_buf *out) {
    struct rp_strings sources = {0};
    rp_package_r9_sources(package, &sources);
    if (sources.count == 0)
        return;
    rp_buf_puts(out, " r9 is reserved in");
    for (size_t i = 0; i < sources.count && i < SHOWN_MOVED; i++)
        rp_buf_printf(out, "%s %s", i == 0 ? "" : ",", sources.items[i]);
    if (sources.count > SHOWN_MOVED)
        rp_buf_printf(out, " and %zu more", sources.count - SHOWN_MOVED);
    rp_buf_puts(out, "\n");
}

static void put_relocations(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_layout *layout = &report->package->placed.layout;
    put_rule(out, "Relocations");
    rp_buf_printf(out, " GOT words %u, REL words %zu, words set at init %zu\n",
                  layout->words.got_used, layout->words.listed.count, rp_report_init_words(layout));
    put_compact(&report->package->settled.compact, out);
    put_patched(report, out);
    put_r9(report->package, out);
    for (size_t i = 0; i < report->package->settled.rounds.count; i++)
        rp_buf_printf(out, " built again: %s\n", report->package->settled.rounds.items[i]);
    for (size_t i = 0; i < layout->by_type.count; i++)
        rp_buf_printf(out, "   %-24s %6u in code, %6u in data\n", layout->by_type.items[i].type,
                      layout->by_type.items[i].flash, layout->by_type.items[i].ram);
}

static void put_moved(const struct rp_report *report, struct rp_buf *out) {
    struct rp_arena *arena = report->package->arena;
    struct rp_moved_list moved = {0};
    uint64_t total = 0;
    rp_report_moved(report->package, &moved);
    if (moved.count == 0)
        return;
    for (size_t i = 0; i < moved.count; i++)
        total += moved.items[i].size;
    put_rule(out, rp_format(report->package->arena,
                            "Constant tables with pointers, hence in RAM: %s bytes",
                            rp_commas(arena, total)));
    for (size_t i = 0; i < moved.count && i < SHOWN_MOVED; i++)
        rp_buf_printf(out, "   %-40s %8u  %s\n", moved.items[i].symbol, moved.items[i].size,
                      moved.items[i].file);
    if (moved.count > SHOWN_MOVED)
        rp_buf_printf(out, "   ... and %zu more\n", moved.count - SHOWN_MOVED);
}

static void put_imports(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_package *package = report->package;
    if (package->linked.map.included.count == 0 && package->linked.math.count == 0)
        return;
    put_rule(out, "Taken from libraries");
    for (size_t i = 0; i < package->linked.math.count; i++)
        if (rp_elf_symbol(&package->linked.elf, package->linked.math.items[i]) != NULL)
            rp_buf_printf(out, "   %-24s relocpack\n", package->linked.math.items[i]);
    for (size_t i = 0; i < package->linked.map.included.count; i++) {
        const struct rp_included *included = &package->linked.map.included.items[i];
        if (included->member != NULL)
            rp_buf_printf(out, "   %-24s %s(%s)\n", included->symbol,
                          rp_path_base(included->archive), included->member);
    }
}

static void put_host_imports(const struct rp_report *report, struct rp_buf *out) {
    if (report->package->linked.imports.count == 0)
        return;
    put_rule(out, "Imported from the firmware");
    rp_host_imports_text(report->package, out);
}

static void put_static(const struct rp_report *report, struct rp_buf *out) {
    struct rp_arena *arena = report->package->arena;
    const struct rp_layout *layout = &report->package->placed.layout;
    if (!report->static_sizes.known)
        return;
    uint64_t flash = report->image.rel_end, ram = rp_parts_ram_xip(&layout->parts);
    uint64_t sflash = report->static_sizes.flash, sram = report->static_sizes.ram;
    put_rule(out, "Against a static link of the model alone (weights and activations aside)");
    rp_buf_printf(out, " %-20s   %10s %10s\n", "", "static", "reloc");
    rp_buf_printf(out, " %-20s = %10s %10s   %+.1f%%\n", "flash", rp_commas(arena, sflash),
                  rp_commas(arena, flash), percent(flash, sflash) - 100.0);
    rp_buf_printf(out, " %-20s = %10s %10s   %+lld\n", "ram", rp_commas(arena, sram),
                  rp_commas(arena, ram), (long long)ram - (long long)sram);
}

static void put_comparison(const struct rp_report *report, struct rp_buf *out) {
    struct rp_arena *arena = report->package->arena;
    const struct rp_figures *other = &report->other;
    if (other->kind == NULL)
        return;
    const struct rp_figures own = rp_figures_of(report->package, &report->image);
    const struct {
        const char *label;
        uint64_t own, other;
    } rows[] = {{"REL words", own.rel_words, other->rel_words},
                {"GOT words", own.got_words, other->got_words},
                {"words set at init", own.fixup_words, other->fixup_words},
                {"patches in a copy", own.text_patches, other->text_patches}};
    put_rule(out, "By compiler");
    rp_buf_printf(out, " %-22s   %10s %10s\n", "", own.kind, other->kind);
    for (int i = 0; i < RP_FIGURES_MAIN; i++)
        rp_buf_printf(out, " %-22s = %10s %10s\n", rp_figure_label((enum rp_figure)i),
                      rp_commas(arena, own.main[i]), rp_commas(arena, other->main[i]));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        rp_buf_printf(out, " %-22s = %10s %10s\n", rows[i].label, rp_commas(arena, rows[i].own),
                      rp_commas(arena, rows[i].other));
    rp_buf_printf(out, " %-22s = %10s %10s\n", "can run in place", own.xip_ok ? "yes" : "no",
                  other->xip_ok ? "yes" : "no");
}

static void put_budgets(const struct rp_report *report, struct rp_buf *out) {
    struct rp_arena *arena = report->package->arena;
    if (report->budgets.count == 0)
        return;
    put_rule(out, "Budgets");
    for (size_t i = 0; i < report->budgets.count; i++) {
        const struct rp_budget *budget = &report->budgets.items[i];
        bool is_plain = !budget->amount.is_growth && !budget->amount.in_percent;
        rp_buf_printf(out, "   %-16s %12s of %12s  %s%s%s\n", rp_figure_key(budget->figure),
                      rp_commas(arena, budget->value), rp_commas(arena, budget->limit),
                      rp_budget_status(budget, "OVER"), is_plain ? "" : "  ",
                      is_plain ? "" : budget->given);
    }
}

static void put_files(const struct rp_report *report, struct rp_buf *out) {
    const char *name = report->package->model.name;
    const char *dir = report->run.reproducible
                          ? ""
                          : rp_format(report->package->arena, "%s/", report->run.output);
    put_rule(out,
             rp_format(report->package->arena, "Generated files (%zu)", report->files.count + 2));
    for (size_t i = 0; i < report->files.count; i++)
        rp_buf_printf(out, " %s%s\n", dir, report->files.items[i].name);
    rp_buf_printf(out, " %s%s_generate_rel.json\n %s%s_generate_report.txt\n", dir, name, dir,
                  name);
}

static void put_generator(const struct rp_generated *generated, struct rp_buf *out) {
    if (generated->name != NULL)
        rp_buf_printf(out, " code by %s%s%s\n\n", generated->name,
                      generated->version != NULL ? ", " : "",
                      generated->version != NULL ? generated->version : "");
}

void rp_report_text(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_package *package = report->package;
    const struct rp_report_format *format = package->format->report;
    uint32_t flags = package->placed.layout.parts.header.flags;
    rp_buf_printf(out, "relocpack %s\n", RP_VERSION);
    put_rule(out,
             rp_format(package->arena, "Runtime Loadable Model - Memory Layout (series=\"%s%s\")",
                       package->target->series, format->series_mark));
    rp_buf_printf(out, "\n %s\n\n", rp_flags_text(package->arena, flags));
    put_generator(&package->generated, out);
    put_sizes(report, out);
    rp_device_text(report, out);
    if (format->text != NULL)
        format->text(report, out);
    rp_bundle_text(report, out);
    put_rule(out, "What the files consist of");
    rp_sections_text(report, out);
    put_relocations(report, out);
    put_moved(report, out);
    put_imports(report, out);
    put_host_imports(report, out);
    put_static(report, out);
    put_comparison(report, out);
    put_budgets(report, out);
    for (size_t i = 0; i < report->diagnostics->count; i++) {
        const struct rp_diagnostic *note = &report->diagnostics->items[i];
        rp_buf_printf(out, "\n %s %s: %s\n", note->severity, note->id, note->message);
        if (note->hint != NULL)
            rp_buf_printf(out, " hint: %s\n", note->hint);
    }
    put_files(report, out);
}
