/* SPDX-License-Identifier: Apache-2.0 */
/* The text report: the block of the vendor's tools, line for line, then what it lacks. */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/report.h"
#include "cli/version.h"

enum { SHOWN_MOVED = 8 };

/* 1234567 → "1,234,567" */
static const char *commas(char text[32], uint64_t value) {
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
    char *at = text;
    for (int i = 0; i < len; i++) {
        if (i != 0 && (len - i) % 3 == 0)
            *at++ = ',';
        *at++ = digits[i];
    }
    *at = '\0';
    return text;
}

static void put_size(struct rp_buf *out, const char *label, uint64_t value, const char *more) {
    char text[32];
    rp_buf_printf(out, more[0] != '\0' ? " %-20s = %-10s %s\n" : " %-20s = %s%s\n", label,
                  commas(text, value), more);
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
    const struct rp_layout *layout = &report->package->layout;
    struct rp_arena *arena = report->package->arena;
    char a[32], b[32], c[32];
    uint64_t got = layout->got_end - layout->got_start;
    uint64_t bss = rp_layout_ram_xip(layout) - layout->got_end;
    uint64_t xip = rp_layout_ram_xip(layout), copy = rp_layout_ram_copy(layout);
    uint64_t extra = rp_report_tables(layout);
    put_size(out, "XIP size", xip,
             rp_format(arena, "data(%s)+got(%s)+bss(%s) sections", commas(a, layout->got_start),
                       commas(b, got), commas(c, bss)));
    put_size(out, "COPY size", copy, rp_format(arena, "+ro(%s) sections", commas(a, copy - xip)));
    put_size(out, "extra sections", got + extra,
             rp_format(arena, "got:%s(%.1f%%) header+rel:%s(%.1f%%)", commas(a, got),
                       percent(got, xip), commas(b, extra), percent(extra, copy - xip)));
    put_size(out, "params size", report->image.weights_size,
             report->image.weights_size == 0 ? ""
             : report->choice.split          ? "in a file of their own"
                                             : "included in the binary file");
    put_size(out, "acts size", report->image.acts_size, "");
    put_size(out, "binary file size", report->image.image.length, "");
    put_size(out, "params file size", report->image.weights.length, "");
}

static void put_relocations(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_layout *layout = &report->package->layout;
    put_rule(out, "Relocations");
    rp_buf_printf(out, " GOT words %u, REL words %zu, words set at init %zu\n", layout->got_used,
                  layout->rel.count, layout->fixups.count);
    for (size_t i = 0; i < layout->by_type.count; i++)
        rp_buf_printf(out, "   %-24s %6u in code, %6u in data\n", layout->by_type.items[i].type,
                      layout->by_type.items[i].flash, layout->by_type.items[i].ram);
}

static void put_moved(const struct rp_report *report, struct rp_buf *out) {
    struct rp_moved_list moved = {0};
    uint64_t total = 0;
    char text[32];
    rp_report_moved(report->package, &moved);
    if (moved.count == 0)
        return;
    for (size_t i = 0; i < moved.count; i++)
        total += moved.items[i].size;
    put_rule(out, rp_format(report->package->arena,
                            "Constant tables with pointers, hence in RAM: %s bytes",
                            commas(text, total)));
    for (size_t i = 0; i < moved.count && i < SHOWN_MOVED; i++)
        rp_buf_printf(out, "   %-40s %8u  %s\n", moved.items[i].symbol, moved.items[i].size,
                      moved.items[i].file);
    if (moved.count > SHOWN_MOVED)
        rp_buf_printf(out, "   ... and %zu more\n", moved.count - SHOWN_MOVED);
}

static void put_imports(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_package *package = report->package;
    if (package->map.imports.count == 0 && package->math.count == 0)
        return;
    put_rule(out, "Taken from libraries");
    for (size_t i = 0; i < package->math.count; i++)
        if (rp_elf_symbol(&package->elf, package->math.items[i]) != NULL)
            rp_buf_printf(out, "   %-24s relocpack\n", package->math.items[i]);
    for (size_t i = 0; i < package->map.imports.count; i++) {
        const struct rp_import *import = &package->map.imports.items[i];
        if (import->member != NULL)
            rp_buf_printf(out, "   %-24s %s(%s)\n", import->symbol, rp_path_base(import->archive),
                          import->member);
    }
}

static void put_static(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_layout *layout = &report->package->layout;
    if (!report->static_sizes.known)
        return;
    uint64_t flash = report->image.rel_end, ram = rp_layout_ram_xip(layout);
    uint64_t sflash = report->static_sizes.flash, sram = report->static_sizes.ram;
    char a[32], b[32];
    put_rule(out, "Against a static link of the model alone (weights and activations aside)");
    rp_buf_printf(out, " %-20s   %10s %10s\n", "", "static", "reloc");
    rp_buf_printf(out, " %-20s = %10s %10s   %+.1f%%\n", "flash", commas(a, sflash),
                  commas(b, flash), percent(flash, sflash) - 100.0);
    rp_buf_printf(out, " %-20s = %10s %10s   %+lld\n", "ram", commas(a, sram), commas(b, ram),
                  (long long)ram - (long long)sram);
}

static void put_budgets(const struct rp_report *report, struct rp_buf *out) {
    if (report->budgets.count == 0)
        return;
    put_rule(out, "Budgets");
    for (size_t i = 0; i < report->budgets.count; i++) {
        const struct rp_budget *budget = &report->budgets.items[i];
        char a[32], b[32];
        rp_buf_printf(out, "   %-16s %12s of %12s  %s\n", budget->metric, commas(a, budget->value),
                      commas(b, budget->limit), budget->value <= budget->limit ? "ok" : "OVER");
    }
}

static void put_files(const struct rp_report *report, struct rp_buf *out) {
    const char *dir = report->options->output, *name = report->package->model.name;
    put_rule(out,
             rp_format(report->package->arena, "Generated files (%zu)", report->files.count + 2));
    for (size_t i = 0; i < report->files.count; i++)
        rp_buf_printf(out, " %s/%s\n", dir, report->files.items[i].name);
    rp_buf_printf(out, " %s/%s_generate_rel.json\n %s/%s_generate_report.txt\n", dir, name, dir,
                  name);
}

void rp_report_text(const struct rp_report *report, struct rp_buf *out) {
    const struct rp_package *package = report->package;
    uint32_t flags = package->layout.flags;
    rp_buf_printf(out, "relocpack %s\n", RP_VERSION);
    put_rule(out,
             rp_format(package->arena, "Runtime Loadable Model - Memory Layout (series=\"%s\")",
                       package->target->series));
    rp_buf_printf(out, "\n v%u.%u 'Embedded ARM GCC' cpuid=%03X fpu=%s float-abi=%u\n\n",
                  RELOC_FLAGS_MAJOR(flags), RELOC_FLAGS_MINOR(flags), RELOC_FLAGS_CPUID(flags),
                  RELOC_FLAGS_FPU(flags) != 0 ? "True" : "False", RELOC_FLAGS_FLOAT_ABI(flags));
    put_sizes(report, out);
    put_relocations(report, out);
    put_moved(report, out);
    put_imports(report, out);
    put_static(report, out);
    put_budgets(report, out);
    for (size_t i = 0; i < report->diagnostics.count; i++)
        rp_buf_printf(out, "\n %s %s: %s\n", report->diagnostics.items[i].severity,
                      report->diagnostics.items[i].id, report->diagnostics.items[i].message);
    put_files(report, out);
}
