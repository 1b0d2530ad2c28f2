/* SPDX-License-Identifier: Apache-2.0 */
/* Bars of memories: see maps.h. */
#include "cli/page/maps.h"

#include <inttypes.h>
#include <string.h>

#include "base/grid.h"
#include "cli/page/markup.h"
#include "cli/page/treemap.h"

enum { LETTER = 7 }; /* pixels */

static bool is_in(const struct rp_page_section *section, enum rp_figure figure) {
    static const char *const copied[] = {"header", "text+rodata", "fixups", "compact"};
    if (figure == RP_FIGURE_FLASH)
        return section->in_file;
    if (figure == RP_FIGURE_PARAMS)
        return strcmp(section->name, "weights") == 0 || strcmp(section->name, "params") == 0;
    if (figure == RP_FIGURE_ACTS)
        return strcmp(section->name, "activations") == 0;
    for (size_t i = 0; figure == RP_FIGURE_RAM_COPY && i < sizeof copied / sizeof copied[0]; i++)
        if (strcmp(section->name, copied[i]) == 0)
            return true;
    return figure != RP_FIGURE_EXT_RAM && strcmp(section->segment, "ram") == 0;
}

/* Parts until all bytes are in one. with_acts: activations, too. */
static void fill(struct rp_map *map, struct rp_arena *arena, const struct rp_page_report *report,
                 bool with_acts) {
    uint64_t left = map->bytes;
    for (size_t i = 0; i < report->sections.count; i++) {
        const struct rp_page_section *section = &report->sections.items[i];
        uint64_t bytes = section->size < left ? section->size : left;
        if (bytes == 0 || !(is_in(section, map->figure) ||
                            (with_acts && strcmp(section->name, "activations") == 0)))
            continue;
        *RP_PUSH(arena, map) =
            (struct rp_map_part){section->name, rp_section_look(section->name), bytes};
        left -= bytes;
    }
    if (left != 0)
        *RP_PUSH(arena, map) = map->figure == RP_FIGURE_EXT_RAM
                                   ? (struct rp_map_part){"memory pools", "s-acts", left}
                                   : (struct rp_map_part){"in no section", "s-rest", left};
}

bool rp_map_make(struct rp_map *map, struct rp_arena *arena, const struct rp_page_report *report,
                 enum rp_figure figure) {
    *map = (struct rp_map){.figure = figure, .bytes = report->glance.figures[figure].bytes};
    fill(map, arena, report, false);
    return report->glance.figures[figure].known;
}

void rp_map_of_use(struct rp_map *map, struct rp_arena *arena, const struct rp_page_report *report,
                   const struct rp_page_use *use) {
    bool flash = strcmp(use->region, "flash") == 0, ram = strcmp(use->region, "ram") == 0;
    *map = (struct rp_map){.figure = flash          ? RP_FIGURE_FLASH
                                     : !ram         ? RP_FIGURE_EXT_RAM
                                     : use->is_copy ? RP_FIGURE_RAM_COPY
                                                    : RP_FIGURE_RAM_XIP,
                           .bytes = use->used};
    fill(map, arena, report, ram && use->used > report->glance.figures[map->figure].bytes);
}

void rp_map_write(struct rp_buf *out, const struct rp_map *map, uint64_t whole) {
    double at = 0, percent = whole != 0 ? 100.0 / (double)whole : 0;
    for (size_t i = 0; i < map->count; i++) {
        const struct rp_map_part *part = &map->items[i];
        double width = (double)part->bytes * percent;
        const char *name = rp_markup(out->arena, part->name);
        rp_buf_printf(out,
                      "<svg class=\"p %s\" data-b=\"%" PRIu64
                      "\" x=\"%.3f%%\" width=\"%.3f%%\" height=\"30\"><title>%s\n%s bytes, %s"
                      "</title><rect width=\"100%%\" height=\"100%%\"/>"
                      "<rect class=\"pattern\" width=\"100%%\" height=\"100%%\"/>",
                      part->look, part->bytes, at, width, name, rp_commas(out->arena, part->bytes),
                      rp_share(out->arena, part->bytes, map->bytes));
        double room = width * RP_PICTURE_WIDTH / 100 - 10,
               letters = LETTER * (double)strlen(part->name);
        if (letters < room) /* on a narrow screen only what fits there */
            rp_buf_printf(out, "<text x=\"6\" y=\"19\"%s>%s</text>",
                          letters * 3 < room ? "" : " class=\"t-s\"", name);
        rp_buf_puts(out, "</svg>\n");
        at += width;
    }
}
