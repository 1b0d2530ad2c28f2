/* SPDX-License-Identifier: Apache-2.0 */
/* The picture of a model: see picture.h. */
#include "cli/page/picture.h"

#include <inttypes.h>
#include <string.h>

#include "base/grid.h"
#include "cli/page/markup.h"
#include "cli/page/text.h"
#include "cli/page/treemap.h"

enum { MARGIN = 24, INNER = RP_PICTURE_WIDTH - 2 * MARGIN };
/* Heights in pixels. */
enum { BAR_HEIGHT = 16, FLASH_HEIGHT = 420, RAM_HEIGHT = 110 };

/* The full length of a figure's bar: the largest of those alike. */
static uint64_t scale_of(const struct rp_page_report *report, enum rp_figure figure) {
    uint64_t scale = 0;
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++) {
        uint64_t bytes = report->figures[i].bytes;
        bool is_alike = rp_figure_memory((enum rp_figure)i) == rp_figure_memory(figure);
        scale = is_alike && bytes > scale ? bytes : scale;
    }
    return scale;
}

const char *rp_picture_figure(struct rp_arena *arena, const struct rp_page_model *model,
                              enum rp_figure figure) {
    const struct rp_page_builds *builds = &model->builds;
    const uint64_t bytes = model->now->figures[figure].bytes;
    if (builds->count < 2 || !builds->items[builds->count - 2].figures[figure].known)
        return rp_format(arena, "%s bytes", rp_commas(arena, bytes));
    const int64_t grown =
        (int64_t)bytes - (int64_t)builds->items[builds->count - 2].figures[figure].bytes;
    return rp_format(arena, "%s bytes, %s since the build before", rp_commas(arena, bytes),
                     grown == 0 ? "unchanged" : rp_signed(arena, grown));
}

const char *rp_picture_use_name(const struct rp_page_report *report,
                                const struct rp_page_use *use) {
    const bool is_ram = strcmp(use->region, "ram") == 0;
    const enum rp_figure figure = use->is_copy ? RP_FIGURE_RAM_COPY : RP_FIGURE_RAM_XIP;
    const bool has_acts = is_ram && use->used > report->figures[figure].bytes;
    return strcmp(use->region, "flash") == 0 ? "Flash of the device"
           : !is_ram                         ? "External RAM of the device"
           : use->is_copy ? has_acts ? "RAM of the device, COPY mode with activations"
                                     : "RAM of the device, COPY mode"
           : has_acts     ? "RAM of the device, XIP mode with activations"
                          : "RAM of the device, XIP mode";
}

const char *rp_picture_use(struct rp_arena *arena, const struct rp_page_use *use) {
    const bool fits = use->used <= use->size;
    const uint64_t per_mille = (use->used * 1000 + use->size - 1) / use->size;
    return rp_format(arena, "%s bytes of %s (%" PRIu64 ".%" PRIu64 " %%), %s %s",
                     rp_commas(arena, use->used), rp_commas(arena, use->size), per_mille / 10,
                     per_mille % 10,
                     rp_commas(arena, fits ? use->size - use->used : use->used - use->size),
                     fits ? "free" : "too many");
}

/* Where a bar is, for tests and readers of the file; and what is written above it. */
struct bar {
    const char *place, *name, *text;
    uint64_t bytes, whole; /* whole: of the full length; less than bytes: what does not fit */
};

static unsigned draw_bar(struct rp_buf *out, const struct bar *bar, unsigned top) {
    const bool fits = bar->bytes <= bar->whole;
    const double length = (double)(fits ? bar->whole : bar->bytes),
                 width = length > 0 ? 100 * (double)bar->bytes / length : 0,
                 end = fits ? width : 100 * (double)bar->whole / length;
    rp_buf_printf(out,
                  "<text x=\"%d\" y=\"%u\"><tspan class=\"h\">%s</tspan> %s</text>\n"
                  "<svg %s data-b=\"%" PRIu64 "\" x=\"%d\" y=\"%u\" width=\"%d\" "
                  "height=\"%d\"><rect class=\"free\" width=\"100%%\" height=\"100%%\"/>"
                  "<rect class=\"bar\" width=\"%.3f%%\" height=\"100%%\"/>"
                  "<rect class=\"%s\" x=\"%.3f%%\" width=\"%d\" height=\"100%%\"/></svg>\n",
                  MARGIN, top + 14, bar->name, bar->text, bar->place, bar->bytes, MARGIN, top + 20,
                  INNER, BAR_HEIGHT, width, fits ? "used" : "limit", end, fits ? 2 : 4);
    return top + 20 + BAR_HEIGHT + 12;
}

static unsigned write_picture_tree(struct rp_buf *out, const struct rp_tree *tree, double height,
                                   unsigned top) {
    if (tree->bytes == 0)
        return top;
    rp_buf_printf(out,
                  "<text x=\"%d\" y=\"%u\"><tspan class=\"h\">%s</tspan> by section, file and "
                  "symbol</text>\n<svg class=\"treemap\" data-name=\"%s\" data-b=\"%ju\" "
                  "x=\"%d\" y=\"%u\" width=\"%d\" height=\"%.0f\">\n",
                  MARGIN, top + 14, tree->name, tree->name, (uintmax_t)tree->bytes, MARGIN,
                  top + 20, INNER, height);
    rp_treemap_write(out, tree, INNER, height);
    rp_buf_puts(out, "</svg>\n");
    return top + 20 + (unsigned)height + 16;
}

void rp_page_svg(struct rp_buf *out, const struct rp_page_model *model) {
    struct rp_buf body = {.arena = out->arena};
    const struct rp_page_report *report = model->now;
    const char *name = rp_markup_cut(out->arena, model->name, 80);
    unsigned top = 66;
    for (size_t i = 0; i < report->uses.count; i++) {
        const struct rp_page_use *use = &report->uses.items[i];
        const struct bar bar = {rp_format(out->arena, "class=\"use-of\" data-region=\"%s-%s\"",
                                          rp_markup_cut(out->arena, use->region, 20),
                                          use->is_copy ? "copy" : "xip"),
                                rp_picture_use_name(report, use), rp_picture_use(out->arena, use),
                                use->used, use->size};
        top = draw_bar(&body, &bar, top);
    }
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++) {
        const enum rp_figure figure = (enum rp_figure)i;
        const struct bar bar = {
            rp_format(out->arena, "class=\"bar-of\" data-figure=\"%s\"", rp_figure_key(figure)),
            rp_figure_label(figure), rp_picture_figure(out->arena, model, figure),
            report->figures[i].bytes, scale_of(report, figure)};
        if (report->figures[i].known)
            top = draw_bar(&body, &bar, top);
    }
    top = write_picture_tree(&body, rp_tree_flash(out->arena, report), FLASH_HEIGHT, top);
    top = write_picture_tree(&body, rp_tree_ram(out->arena, report), RAM_HEIGHT, top);
    rp_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 %d "
                  "%u\" width=\"%d\" "
                  "height=\"%u\" role=\"img\" aria-labelledby=\"rp-title rp-desc\">\n"
                  "<title id=\"rp-title\">Memory of %s</title>\n<desc id=\"rp-desc\">",
                  RP_PICTURE_WIDTH, top + 8, RP_PICTURE_WIDTH, top + 8, name);
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
        if (report->figures[i].known)
            rp_buf_printf(out, "%s: %s. ", rp_figure_label((enum rp_figure)i),
                          rp_picture_figure(out->arena, model, (enum rp_figure)i));
    for (size_t i = 0; i < report->uses.count; i++)
        rp_buf_printf(out, "%s: %s. ", rp_picture_use_name(report, &report->uses.items[i]),
                      rp_picture_use(out->arena, &report->uses.items[i]));
    rp_buf_puts(out, "</desc>\n<style>");
    for (size_t i = 0; rp_text_picture_css[i] != NULL; i++)
        rp_buf_puts(out, rp_text_picture_css[i]);
    rp_buf_puts(out, "</style>\n");
    rp_buf_printf(out,
                  "<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n"
                  "<text class=\"h1\" x=\"%d\" y=\"34\">%s</text><text class=\"t-b\" x=\"%d\" "
                  "y=\"53\">%s</text>\n",
                  MARGIN, name, MARGIN, rp_markup_cut(out->arena, report->subtitle, 140));
    rp_buf_append(out, body.data, body.len);
    rp_buf_puts(out, "</svg>\n");
}
