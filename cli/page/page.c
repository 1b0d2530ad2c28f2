/* SPDX-License-Identifier: Apache-2.0 */
/* The page and the picture: see page.h. */
#include "cli/page/page.h"

#include <stdint.h>
#include <string.h>

#include "base/grid.h"
#include "cli/page/content.h"
#include "cli/page/maps.h"
#include "cli/page/markup.h"
#include "cli/page/text.h"
#include "cli/page/treemap.h"
#include "cli/version.h"
#include "elfpack/image/integrity.h"

enum { MARGIN = 24, INNER = RP_PICTURE_WIDTH - 2 * MARGIN };

/* Patterns, so that parts differ without their colours. */
static const char patterns[] =
    "<defs>"
    "<pattern id=\"rp-a\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path d=\"M-1 7L7 -1\"/></pattern>"
    "<pattern id=\"rp-b\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path d=\"M-1 -1L7 7\"/></pattern>"
    "<pattern id=\"rp-c\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path d=\"M0 3H6\"/></pattern>"
    "<pattern id=\"rp-d\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path d=\"M3 0V6\"/></pattern>"
    "<pattern id=\"rp-e\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
    "<path d=\"M2 3H4\"/></pattern>"
    "<pattern id=\"rp-f\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
    "<path d=\"M-1 -1L9 9M-1 9L9 -1\"/></pattern>"
    "</defs>\n";

static const char *joined(struct rp_arena *arena, const char *const *lines) {
    struct rp_buf text = {.arena = arena};
    for (; *lines != NULL; lines++)
        rp_buf_puts(&text, *lines);
    return rp_buf_text(&text);
}

/* As a policy names a script or a style sheet: SHA-256 in base64. */
static const char *hash_of(struct rp_arena *arena, const char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const struct rp_sum sum = rp_sum_bytes(text, strlen(text));
    struct rp_buf out = {.arena = arena};
    for (size_t i = 0; i < sizeof sum.sha256; i += 3) {
        uint32_t word = 0;
        size_t left = sizeof sum.sha256 - i < 3 ? sizeof sum.sha256 - i : 3;
        for (size_t k = 0; k < 3; k++)
            word = word << 8 | (k < left ? sum.sha256[i + k] : 0u);
        for (size_t k = 0; k < 4; k++)
            rp_buf_append(&out, k <= left ? &digits[word >> (18 - 6 * k) & 63] : "=", 1);
    }
    return rp_buf_text(&out);
}

static void write_fact(struct rp_buf *out, const struct rp_facts *facts, const char *name,
                       const char *before) {
    for (size_t i = 0; i < facts->count; i++)
        if (facts->items[i].group == RP_FACT_TOOLS && facts->items[i].text != NULL &&
            strcmp(facts->items[i].name, name) == 0) {
            rp_buf_printf(out, "%s%s", before, rp_markup_cut(out->arena, facts->items[i].text, 80));
            return;
        }
}

static const char *subtitle(struct rp_arena *arena, const struct rp_page_report *report) {
    struct rp_buf text = {.arena = arena};
    write_fact(&text, &report->facts, "target.series", "");
    write_fact(&text, &report->facts, "toolchain.kind", " \xC2\xB7 ");
    write_fact(&text, &report->facts, "toolchain.version", " ");
    write_fact(&text, &report->facts, "model.generator", " \xC2\xB7 ");
    if (report->glance.started[0] != '\0')
        rp_buf_printf(&text, " \xC2\xB7 %s", rp_markup_cut(arena, report->glance.started, 40));
    return rp_buf_text(&text);
}

static void write_model(struct rp_buf *out, const struct rp_page_model *model, size_t number) {
    rp_buf_printf(out, "<article id=\"m%zu\"><header><h1>%s</h1><p>%s</p></header>\n", number,
                  rp_markup_cut(out->arena, model->name, 120), subtitle(out->arena, model->now));
    rp_content_memory(out, model);
    rp_content_changes(out, model);
    rp_content_history(out, model);
    rp_content_maps(out, model);
    rp_content_symbols(out, model->now);
    rp_content_pools(out, model->now);
    rp_content_tensors(out, model->now);
}

/* Several models: a table that leads to each. */
static void write_overview(struct rp_buf *out, const struct rp_page *page) {
    rp_buf_puts(out, "<section><h1>Models</h1><div class=\"wide\"><table><thead><tr>"
                     "<th scope=\"col\">model</th>");
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
        rp_buf_printf(out, "<th scope=\"col\" class=\"r\">%s</th>",
                      rp_figure_label((enum rp_figure)i));
    rp_buf_puts(out, "</tr></thead><tbody>\n");
    for (size_t k = 0; k < page->models.count; k++) {
        const struct rp_page_model *model = &page->models.items[k];
        rp_buf_printf(out, "<tr><th scope=\"row\" class=\"name\"><a href=\"#m%zu\">%s</a></th>", k,
                      rp_markup_cut(out->arena, model->name, 80));
        for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
            rp_buf_printf(out, "<td class=\"r\">%s</td>",
                          model->now->glance.figures[i].known
                              ? rp_commas(out->arena, model->now->glance.figures[i].bytes)
                              : "-");
        rp_buf_puts(out, "</tr>\n");
    }
    rp_buf_puts(out, "</tbody></table></div></section>\n");
}

/* The model whose images a file is about; the number of models if there is no such, or no one. */
static size_t owner_of(const struct rp_page *page, const struct rp_page_measured *measured) {
    size_t found = page->models.count;
    for (size_t i = 0; i < page->models.count; i++) {
        const struct rp_page_model *model = &page->models.items[i];
        if (!rp_page_is_measured(measured, &model->now->glance) &&
            (model->before == NULL || !rp_page_is_measured(measured, &model->before->glance)))
            continue;
        if (found != page->models.count)
            return page->models.count;
        found = i;
    }
    return found;
}

static void write_left_out(struct rp_buf *out, const struct rp_strings *names) {
    if (names->count == 0)
        return;
    rp_buf_puts(out, "<p class=\"note\">Files of the folder that are no reports:");
    for (size_t i = 0; i < names->count; i++)
        rp_buf_printf(out, " %s", rp_markup_cut(out->arena, names->items[i], 100));
    rp_buf_puts(out, "</p>\n");
}

void rp_page_html(struct rp_buf *out, const struct rp_page *page) {
    const char *style = rp_format(out->arena, "%s%s", joined(out->arena, rp_text_picture_css),
                                  joined(out->arena, rp_text_page_css));
    const char *script = joined(out->arena, rp_text_page_js);
    const char *title = page->models.count == 1
                            ? rp_markup_cut(out->arena, page->models.items[0].name, 120)
                            : "Models";
    rp_buf_printf(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; form-action 'none'\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta name=\"generator\" content=\"relocpack %s\">\n<title>%s - relocpack</title>\n"
        "<style>",
        hash_of(out->arena, style), hash_of(out->arena, script), RP_VERSION, title);
    rp_buf_puts(out, style);
    rp_buf_puts(out, "</style></head><body>\n<svg width=\"0\" height=\"0\" class=\"defs\" "
                     "aria-hidden=\"true\">");
    rp_buf_puts(out, patterns);
    rp_buf_puts(out, "</svg>\n<main>\n");
    if (page->models.count > 1)
        write_overview(out, page);
    for (size_t i = 0; i < page->models.count; i++) {
        write_model(out, &page->models.items[i], i);
        for (size_t k = 0; k < page->measured.count; k++)
            if (owner_of(page, &page->measured.items[k]) == i)
                rp_page_measured_write(out, &page->measured.items[k], true);
        rp_content_build(out, page->models.items[i].now);
        rp_buf_puts(out, "</article>\n");
    }
    for (size_t k = 0; k < page->measured.count; k++)
        if (owner_of(page, &page->measured.items[k]) == page->models.count)
            rp_page_measured_write(out, &page->measured.items[k], false);
    write_left_out(out, &page->left_out);
    rp_buf_puts(out, "</main>\n<script>");
    rp_buf_puts(out, script);
    rp_buf_puts(out, "</script>\n</body></html>\n");
}

/* ---- the picture ---- */

static unsigned write_picture_map(struct rp_buf *out, const struct rp_page_model *model,
                                  enum rp_figure figure, unsigned top) {
    struct rp_map map;
    if (!rp_map_make(&map, out->arena, model->now, figure))
        return top;
    rp_buf_printf(out, "<text x=\"%d\" y=\"%u\"><tspan class=\"h\">%s</tspan> %s</text>\n", MARGIN,
                  top + 14, rp_figure_label(figure), rp_content_figure(out->arena, model, figure));
    rp_buf_printf(out,
                  "<svg class=\"bar-of\" data-figure=\"%s\" data-b=\"%ju\" x=\"%d\" y=\"%u\" "
                  "width=\"%d\" height=\"%d\"><rect class=\"free\" width=\"100%%\" "
                  "height=\"100%%\"/>\n",
                  rp_figure_key(figure), (uintmax_t)map.bytes, MARGIN, top + 20, INNER,
                  RP_BAR_HEIGHT);
    rp_map_write(out, &map, rp_content_scale(model, figure));
    rp_buf_puts(out, "</svg>\n");
    return top + 20 + RP_BAR_HEIGHT + 12;
}

static unsigned write_picture_use(struct rp_buf *out, const struct rp_page_report *report,
                                  const struct rp_page_use *use, unsigned top) {
    rp_buf_printf(out,
                  "<text x=\"%d\" y=\"%u\"><tspan class=\"h\">%s</tspan> %s</text>\n"
                  "<svg class=\"use-of\" data-region=\"%s-%s\" data-b=\"%ju\" data-of=\"%ju\" "
                  "x=\"%d\" y=\"%u\" width=\"%d\" height=\"%d\">",
                  MARGIN, top + 14, rp_content_use_name(report, use),
                  rp_content_use(out->arena, use), rp_markup_cut(out->arena, use->region, 20),
                  use->is_copy ? "copy" : "xip", (uintmax_t)use->used, (uintmax_t)use->size, MARGIN,
                  top + 20, INNER, RP_BAR_HEIGHT);
    rp_content_use_bar(out, report, use);
    rp_buf_puts(out, "</svg>\n");
    return top + 20 + RP_BAR_HEIGHT + 12;
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
    const char *name = rp_markup_cut(out->arena, model->name, 80);
    unsigned top = 66;
    for (size_t i = 0; i < model->now->uses.count; i++)
        top = write_picture_use(&body, model->now, &model->now->uses.items[i], top);
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
        top = write_picture_map(&body, model, (enum rp_figure)i, top);
    top = write_picture_tree(&body, rp_tree_flash(out->arena, model->now), RP_FLASH_HEIGHT, top);
    top = write_picture_tree(&body, rp_tree_ram(out->arena, model->now), RP_RAM_HEIGHT / 2.0, top);
    rp_buf_printf(out,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"picture\" viewBox=\"0 0 %d "
                  "%u\" width=\"%d\" "
                  "height=\"%u\" role=\"img\" aria-labelledby=\"rp-title rp-desc\">\n"
                  "<title id=\"rp-title\">Memory of %s</title>\n<desc id=\"rp-desc\">",
                  RP_PICTURE_WIDTH, top + 8, RP_PICTURE_WIDTH, top + 8, name);
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
        if (model->now->glance.figures[i].known)
            rp_buf_printf(out, "%s: %s. ", rp_figure_label((enum rp_figure)i),
                          rp_content_figure(out->arena, model, (enum rp_figure)i));
    for (size_t i = 0; i < model->now->uses.count; i++)
        rp_buf_printf(out, "%s: %s. ", rp_content_use_name(model->now, &model->now->uses.items[i]),
                      rp_content_use(out->arena, &model->now->uses.items[i]));
    rp_buf_puts(out, "</desc>\n<style>");
    rp_buf_puts(out, joined(out->arena, rp_text_picture_css));
    rp_buf_puts(out, "</style>\n");
    rp_buf_puts(out, patterns);
    rp_buf_printf(out,
                  "<rect class=\"page\" width=\"100%%\" height=\"100%%\"/>\n"
                  "<text class=\"h1\" x=\"%d\" y=\"34\">%s</text><text class=\"t-b\" x=\"%d\" "
                  "y=\"53\">%s</text>\n",
                  MARGIN, name, MARGIN, subtitle(out->arena, model->now));
    rp_buf_append(out, body.data, body.len);
    rp_buf_puts(out, "</svg>\n");
}

bool rp_page_of(struct rp_page *page, struct rp_arena *arena, const char *name, const char *text,
                struct rp_error *err) {
    struct rp_json *root = rp_json_parse(text, strlen(text), name, err);
    struct rp_page_report *report = rp_alloc(arena, 1, sizeof *report);
    bool ok = root != NULL && rp_document_check(root, name, err) &&
              rp_page_read(report, arena, name, root, err);
    rp_json_free(root);
    if (ok) {
        *page = (struct rp_page){.arena = arena};
        *RP_PUSH(arena, &page->models) =
            (struct rp_page_model){.name = report->glance.model, .now = report};
    }
    return ok;
}
