/* SPDX-License-Identifier: Apache-2.0 */
/* What a finished pipeline has to tell the user: see notes.h. */
#include "cli/report/notes.h"

#include <elf.h>

#include "base/buf.h"
#include "base/path.h"
#include "elfpack/elf/abi.h"
#include "elfpack/elf/elf.h"

/* ---- clang ---- */

void rp_clang_tables(const struct rp_package *package, struct rp_strings *out) {
    const struct rp_fixups *fixups = &package->placed.layout.words.fixups;
    for (size_t i = 0; i < fixups->count; i++) {
        uint32_t where = fixups->items[i].where;
        if ((where & RELOC_SEG_MASK) != RELOC_FIXUP_CODE_WORD)
            continue;
        where = RELOC_SEG_FLASH | (where & RELOC_OFFSET_MASK);
        const struct rp_symbol *symbol = rp_elf_symbol_at(&package->linked.elf, where);
        const struct rp_contribution *from = rp_linkmap_find(&package->linked.map, where);
        if (symbol == NULL || symbol->type != STT_OBJECT || from == NULL)
            continue;
        const char *name = rp_format(package->arena, "%s (%s)", symbol->name,
                                     rp_path_base(rp_contribution_origin(package->arena, from)));
        if (!rp_strings_have(out, name))
            rp_strings_push(package->arena, out, name);
    }
}

static void add_clang(struct rp_report *report) {
    const struct rp_package *package = report->package;
    struct rp_arena *arena = package->arena;
    struct rp_strings tables = {0};
    if (rp_package_convention(package) != RP_CONV_STATIC_BASE)
        return;
    if (package->linked.kept_arrays != 0)
        rp_report_say(report, "RP1014",
                      rp_format(arena,
                                "%llu bytes of large zeroed arrays are in the RAM: clang's code "
                                "cannot find them in the activations",
                                (unsigned long long)package->linked.kept_arrays));
    if (package->linked.kept_constants != 0)
        rp_report_say(report, "RP1015",
                      rp_format(arena,
                                "%llu bytes of large constants stay with the code, because it "
                                "refers to them in ways that are not understood",
                                (unsigned long long)package->linked.kept_constants));
    rp_clang_tables(package, &tables);
    for (size_t i = 0; i < tables.count; i++)
        rp_report_say(report, "RP1016",
                      rp_format(arena,
                                "COPY mode only, because a constant table holds addresses: %s",
                                tables.items[i]));
}

/* ---- imports and interfaces ---- */

static void add_unused_imports(struct rp_report *report) {
    const struct rp_package *package = report->package;
    for (size_t i = 0; i < package->model.imports.count; i++)
        if (!package->model.imports.items[i].wanted && !package->model.imports.items[i].offered)
            rp_report_say(report, "RP1017",
                          rp_format(package->arena,
                                    "nothing refers to the import '%s': it is left out",
                                    package->model.imports.items[i].name));
}

/* The firmware's functions may have something else in r9 when they call back. */
static void add_callbacks(struct rp_report *report) {
    const struct rp_package *package = report->package;
    bool called = false;
    for (size_t i = 0; i < package->model.imports.count; i++)
        called = called || package->model.imports.items[i].called;
    if (called && package->placed.r9.pointed != NULL)
        rp_report_say(report, "RP1018",
                      rp_format(package->arena,
                                "functions of the firmware that call '%s', or another whose "
                                "address they are given, have to be compiled with -ffixed-r9",
                                package->placed.r9.pointed));
}

/* An author's section says which memory was meant, and the image is somewhere else. */
static void add_authored(struct rp_report *report) {
    const struct rp_authored *authored = &report->package->linked.scan.authored;
    struct rp_buf names = {.arena = report->package->arena};
    for (size_t i = 0; i < authored->names.count; i++)
        rp_buf_printf(&names, "%s'%s'", names.len != 0 ? ", " : "", authored->names.items[i].name);
    if (names.len != 0)
        rp_report_say(
            report, "RP1073",
            rp_format(report->package->arena,
                      "the names of these sections have no effect, what they hold decides "
                      "where it is placed: %s",
                      names.data));
}

static void add_interfaces(struct rp_report *report) {
    const struct rp_package *package = report->package;
    rp_abi_compare(report->diagnostics, package->arena, &package->linked.scan.objects,
                   &package->linked.map);
}

/* ---- the image ---- */

/* In COPY mode the data lie behind the code, so an aligned RAM address may not suit them. */
static const char *copied_text(const struct rp_report *report, const struct rp_section *part,
                               uint32_t code_align) {
    const struct rp_layout *layout = &report->package->placed.layout;
    bool in_ram = part == layout->parts.data || part == layout->parts.bss;
    if (!in_ram || layout->parts.bounds.ro_size % part->align == 0)
        return "";
    if (code_align > 4)
        return ". In COPY mode no address of the RAM suits both code and data";
    return rp_format(report->package->arena,
                     ". In COPY mode: the RAM's address + %u has to be a multiple of %u",
                     layout->parts.bounds.ro_size, part->align);
}

static void add_alignments(struct rp_report *report) {
    const struct rp_layout *layout = &report->package->placed.layout;
    uint32_t code_align = layout->parts.flash->align;
    const struct {
        const struct rp_section *part;
        uint32_t usual;
        const char *placed;
    } parts[] = {{layout->parts.flash, 8, "the image"},
                 {layout->parts.data, 8, "the RAM"},
                 {layout->parts.bss, 8, "the RAM"},
                 {layout->parts.acts, 8, "the activations"},
                 {layout->parts.weights, 16, report->split ? "the weights file" : "the image"},
                 {layout->parts.ec_blobs, 8, "it"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].part != NULL && parts[i].part->align > parts[i].usual)
            rp_report_say(report, "RP1001",
                          rp_format(report->package->arena,
                                    "section '%s' wants an alignment of %u bytes: place %s at a "
                                    "multiple of that%s",
                                    parts[i].part == layout->parts.flash ? "text+rodata"
                                                                         : parts[i].part->name + 1,
                                    parts[i].part->align, parts[i].placed,
                                    copied_text(report, parts[i].part, code_align)));
    if (report->package->model.calls.parts_align > 8)
        rp_report_say(
            report, "RP1001",
            rp_format(report->package->arena,
                      "weights and activations want an alignment of %u bytes: place them so",
                      report->package->model.calls.parts_align));
}

void rp_report_notes(struct rp_report *report) {
    const struct rp_layout *layout = &report->package->placed.layout;
    add_alignments(report);
    add_unused_imports(report);
    add_callbacks(report);
    add_authored(report);
    add_interfaces(report);
    if (report->package->format->report->notes != NULL)
        report->package->format->report->notes(report);
    add_clang(report);
    if (layout->words.nulled.count != 0)
        rp_report_say(report, "RP1002",
                      rp_format(report->package->arena,
                                "%zu words that point into the weights are 0 until init, when the "
                                "runtime sets them",
                                layout->words.nulled.count));
}
