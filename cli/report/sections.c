/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an image and its files, and the symbols in them: see sections.h. */
#include "cli/report/sections.h"

#include <elf.h>
#include <string.h>

#include "base/grid.h"
#include "base/path.h"
#include "cli/report/table.h"

/* ---- rows ---- */

/* The rows of a file are added in order. What lies between two of them is padding. */
struct walk {
    struct rp_arena *arena;
    struct rp_report_parts *out;
    const char *file;
    uint64_t at; /* end of the previous row */
};

static uint32_t align_of(const struct rp_section *section) {
    return section != NULL && section->align != 0 ? section->align : 1;
}

static void add(struct walk *walk, struct rp_report_part part) {
    *RP_PUSH(walk->arena, walk->out) = part;
}

static void add_in_file(struct walk *walk, struct rp_report_part part) {
    bool is_image = strcmp(part.segment, "file") != 0;
    if (part.file_offset > walk->at)
        add(walk, (struct rp_report_part){.name = "padding",
                                          .segment = is_image ? "flash" : "file",
                                          .file = walk->file,
                                          .offset = (int64_t)walk->at,
                                          .file_offset = walk->at,
                                          .size = part.file_offset - walk->at,
                                          .align = 1});
    part.file = walk->file;
    walk->at = part.file_offset + part.size;
    add(walk, part);
}

static void add_flash(struct walk *walk, const char *name, uint64_t start, uint64_t end,
                      uint32_t align) {
    add_in_file(walk, (struct rp_report_part){.name = name,
                                              .segment = "flash",
                                              .offset = (int64_t)start,
                                              .file_offset = start,
                                              .size = end - start,
                                              .align = align});
}

static void add_trailer(struct walk *walk, const char *segment, uint64_t at) {
    add_in_file(walk, (struct rp_report_part){.name = "trailer",
                                              .segment = segment,
                                              .offset = (int64_t)at,
                                              .file_offset = at,
                                              .size = RELOC_TRL_BYTES,
                                              .align = 4});
}

/* Header, code and the tables behind it, all of which COPY mode copies. */
static void add_code(struct walk *walk, const struct rp_layout *layout) {
    uint32_t header = rp_parts_header_bytes(&layout->parts);
    uint32_t table = layout->tables.fixups_at;
    uint32_t code_end = table != 0 ? table : layout->parts.flash->size;
    add_flash(walk, "header", 0, header, 4);
    add_flash(walk, "text+rodata", header, code_end, align_of(layout->parts.flash));
    if (table == 0)
        return;
    uint32_t fixups_end =
        table + 4 + (uint32_t)RELOC_FIXUP_BYTES * (uint32_t)layout->words.fixups.count;
    add_flash(walk, "fixups", table, fixups_end, 4);
    if (layout->words.compact.count != 0)
        add_flash(walk, "compact", fixups_end,
                  fixups_end + 4 * (uint64_t)layout->words.compact.count, 4);
}

/* The RAM segment: what is loaded there from the file, bss, and the padding of its size. */
static void add_ram(struct walk *walk, const struct rp_layout *layout) {
    uint32_t xip = rp_parts_ram_xip(&layout->parts);
    const struct rp_report_part parts[] = {
        {"data", "ram", NULL, 0, layout->parts.bounds.ro_size, layout->parts.bounds.data_end,
         align_of(layout->parts.data)},
        {"padding", "ram", NULL, layout->parts.bounds.data_end,
         (uint64_t)layout->parts.bounds.ro_size + layout->parts.bounds.data_end,
         layout->parts.bounds.got_start - layout->parts.bounds.data_end, 1},
        {"got", "ram", NULL, layout->parts.bounds.got_start,
         (uint64_t)layout->parts.bounds.ro_size + layout->parts.bounds.got_start,
         layout->parts.bounds.got_end - layout->parts.bounds.got_start, 4},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].size != 0 || strcmp(parts[i].name, "padding") != 0)
            add_in_file(walk, parts[i]);
    add(walk, (struct rp_report_part){"bss", "ram", NULL, layout->parts.bounds.bss_start, 0,
                                      layout->parts.bounds.bss_end - layout->parts.bounds.bss_start,
                                      align_of(layout->parts.bss)});
    if (xip != layout->parts.bounds.bss_end)
        add(walk, (struct rp_report_part){"padding", "ram", NULL, layout->parts.bounds.bss_end, 0,
                                          xip - layout->parts.bounds.bss_end, 1});
}

static struct rp_report_part weights_part(const struct rp_report *report) {
    const struct rp_layout *layout = &report->package->placed.layout;
    const struct rp_report_format *format = report->package->format->report;
    const struct rp_parts *parts = &layout->parts;
    uint32_t align = align_of(parts->ec_blobs != NULL ? parts->ec_blobs : parts->weights);
    return (struct rp_report_part){
        .name = format->weights_part,
        .segment = report->split ? "file" : "flash",
        .offset = report->split                      ? 0
                  : report->image.weights_start != 0 ? (int64_t)report->image.weights_start
                                                     : -1,
        .file_offset = report->split ? 0 : report->image.weights_start,
        .size = rp_weights_size(&report->package->placed.weights),
        .align = align > format->weights_align ? align : format->weights_align,
    };
}

static bool covers(const struct walk *walk, const struct rp_sum *file, struct rp_error *err) {
    return walk->at == file->length ||
           rp_fail(err, RP_E_INTERNAL, "the parts of '%s' are %llu bytes, the file has %llu",
                   walk->file, (unsigned long long)walk->at, (unsigned long long)file->length);
}

bool rp_report_parts(struct rp_report *report, struct rp_error *err) {
    const struct rp_layout *layout = &report->package->placed.layout;
    const struct rp_image_result *at = &report->image;
    struct rp_arena *arena = report->package->arena;
    struct walk image = {arena, &report->parts, report->image_name, 0};
    struct walk weights = {arena, &report->parts, report->weights_name, 0};
    struct rp_report_part part = weights_part(report);
    add_code(&image, layout);
    add_ram(&image, layout);
    add_flash(&image, "rel", at->rel_start, at->rel_end, 4);
    if (report->split)
        add_in_file(&weights, part);
    else if (part.offset >= 0)
        add_in_file(&image, part);
    else
        add(&image, part);
    if (report->split)
        add_trailer(&weights, "file", at->weights.length - RELOC_TRL_BYTES);
    add_trailer(&image, "flash", at->trailer);
    add(&image,
        (struct rp_report_part){"activations", report->package->format->report->acts_segment, NULL,
                                -1, 0, at->acts_size, align_of(layout->parts.acts)});
    return covers(&image, &at->image, err) &&
           (!report->split || covers(&weights, &at->weights, err));
}

/* ---- symbols ---- */

/* The row that holds an address of the linked file, and the offset in it; NULL when none does. */
static const struct rp_report_part *part_of(const struct rp_report_parts *parts,
                                            const char *section, uint32_t address,
                                            uint64_t *offset) {
    static const struct {
        const char *section; /* of the linked file */
        const char *segment; /* whose rows are searched; NULL: only the row of that name */
        const char *row;
    } rules[] = {{".flash", "flash", NULL},     {".data", "ram", NULL},
                 {".bss", "ram", NULL},         {".weights", NULL, "weights"},
                 {".ec_blobs", NULL, "params"}, {".acts", NULL, "activations"}};
    uint64_t at = address & RELOC_OFFSET_MASK;
    for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++)
        for (size_t i = 0; i < parts->count && strcmp(rules[r].section, section) == 0; i++) {
            const struct rp_report_part *part = &parts->items[i];
            uint64_t start = rules[r].segment != NULL ? (uint64_t)part->offset : 0;
            bool candidate = rules[r].segment != NULL ? strcmp(part->segment, rules[r].segment) == 0
                                                      : strcmp(part->name, rules[r].row) == 0;
            if (!candidate || at < start || at - start >= part->size)
                continue;
            *offset = at - start;
            return part;
        }
    return NULL;
}

static struct rp_json *symbol_json(const struct rp_package *package, const struct rp_symbol *symbol,
                                   const struct rp_report_part *part, uint64_t offset) {
    uint64_t room =
        part->size - offset; /* an array of words may be longer than the part of it that counts */
    uint32_t address = symbol->type == STT_FUNC ? symbol->value & ~UINT32_C(1) : symbol->value;
    const struct rp_contribution *from = rp_linkmap_find(&package->linked.map, address);
    struct rp_json *item =
        RP_JSON_NEW(RP_JSON_S("name", symbol->name),
                    RP_JSON_S("kind", symbol->type == STT_FUNC ? "function" : "object"),
                    RP_JSON_S("section", part->name), RP_JSON_N("offset", offset),
                    RP_JSON_N("size_bytes", (symbol->size < room ? symbol->size : room)));
    if (from != NULL && from->member != NULL) {
        rp_json_put_string(item, "archive", rp_path_base(from->file));
        rp_json_put_string(item, "member", from->member);
    } else if (from != NULL) {
        rp_json_put_string(item, "file", rp_path_base(from->file));
    }
    return item;
}

void rp_symbols_json(struct rp_json *root, const struct rp_report *report) {
    const struct rp_package *package = report->package;
    struct rp_json *list = rp_json_new_array(root, "symbols");
    for (size_t i = 0; i < package->linked.elf.symbol_count; i++) {
        const struct rp_symbol *symbol = &package->linked.elf.symbols[i];
        const struct rp_section *section = rp_symbol_section(&package->linked.elf, symbol);
        uint64_t offset = 0;
        if ((symbol->type != STT_FUNC && symbol->type != STT_OBJECT) || section == NULL ||
            symbol->size == 0)
            continue;
        uint32_t thumb = symbol->type == STT_FUNC;
        const struct rp_report_part *part =
            part_of(&report->parts, section->name, symbol->value & ~thumb, &offset);
        if (part != NULL)
            rp_json_push(list, symbol_json(package, symbol, part, offset));
    }
}

/* ---- sections ---- */

void rp_sections_json(struct rp_json *image, const struct rp_report *report) {
    struct rp_json *list = rp_json_new_array(image, "sections");
    for (size_t i = 0; i < report->parts.count; i++) {
        const struct rp_report_part *part = &report->parts.items[i];
        struct rp_json *section =
            RP_JSON_NEW(RP_JSON_S("name", part->name), RP_JSON_S("segment", part->segment));
        if (part->offset >= 0)
            rp_json_put_int(section, "offset", part->offset);
        if (part->file != NULL) {
            rp_json_put_string(section, "file", part->file);
            rp_json_put_int(section, "file_offset", (int64_t)part->file_offset);
        }
        rp_json_put_int(section, "size_bytes", (int64_t)part->size);
        rp_json_put_int(section, "align", part->align);
        rp_json_push(list, section);
    }
}

static void put_file(const struct rp_report *report, const char *file, struct rp_buf *out) {
    struct rp_arena *arena = report->package->arena;
    uint64_t total = 0;
    rp_buf_printf(out, " %s\n", file);
    for (size_t i = 0; i < report->parts.count; i++) {
        const struct rp_report_part *part = &report->parts.items[i];
        if (part->file == NULL || strcmp(part->file, file) != 0)
            continue;
        total += part->size;
        rp_buf_printf(out, "   %-16s %12s at %s\n", part->name, rp_commas(arena, part->size),
                      rp_commas(arena, part->file_offset));
    }
    rp_buf_printf(out, "   %-16s %12s\n", "sum", rp_commas(arena, total));
}

void rp_sections_text(const struct rp_report *report, struct rp_buf *out) {
    put_file(report, report->image_name, out);
    if (report->split)
        put_file(report, report->weights_name, out);
}
