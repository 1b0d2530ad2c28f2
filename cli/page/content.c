/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a page: see content.h. */
#include "cli/page/content.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grid.h"
#include "cli/facts/compare.h"
#include "cli/page/maps.h"
#include "cli/page/markup.h"
#include "cli/page/treemap.h"

enum { CHANGES_MOST = 500, ROWS_SHOWN = 100, PAPER_ROWS = 60 };

static const char *yes_or(const char *text, const char *otherwise) {
    return text[0] != '\0' ? text : otherwise;
}

/* ---- memory ---- */

uint64_t rp_content_scale(const struct rp_page_model *model, enum rp_figure figure) {
    const struct rp_page_report *sides[] = {model->now, model->before};
    uint64_t scale = 0;
    for (unsigned side = 0; side < 2 && sides[side] != NULL; side++)
        for (unsigned i = 0; i < RP_FIGURES_MAIN; i++) {
            uint64_t bytes = sides[side]->glance.figures[i].bytes;
            bool is_alike = rp_figure_memory((enum rp_figure)i) == rp_figure_memory(figure);
            scale = is_alike && bytes > scale ? bytes : scale;
        }
    return scale;
}

const char *rp_content_figure(struct rp_arena *arena, const struct rp_page_model *model,
                              enum rp_figure figure) {
    const struct rp_page_glance *now = &model->now->glance;
    struct rp_buf text = {.arena = arena};
    uint64_t bytes = now->figures[figure].bytes;
    rp_buf_printf(&text, "%s bytes", rp_commas(arena, bytes));
    if (model->before != NULL && model->before->glance.figures[figure].known) {
        int64_t grown = (int64_t)bytes - (int64_t)model->before->glance.figures[figure].bytes;
        rp_buf_printf(&text, ", %s since the build before",
                      grown == 0 ? "unchanged" : rp_signed(arena, grown));
    }
    return text.data;
}

const char *rp_content_use_name(const struct rp_page_report *report,
                                const struct rp_page_use *use) {
    const bool is_ram = strcmp(use->region, "ram") == 0;
    const enum rp_figure figure = use->is_copy ? RP_FIGURE_RAM_COPY : RP_FIGURE_RAM_XIP;
    const bool has_acts = is_ram && use->used > report->glance.figures[figure].bytes;
    return strcmp(use->region, "flash") == 0 ? "Flash of the device"
           : !is_ram                         ? "External RAM of the device"
           : use->is_copy ? has_acts ? "RAM of the device, COPY mode with activations"
                                     : "RAM of the device, COPY mode"
           : has_acts     ? "RAM of the device, XIP mode with activations"
                          : "RAM of the device, XIP mode";
}

const char *rp_content_use(struct rp_arena *arena, const struct rp_page_use *use) {
    const bool fits = use->used <= use->size;
    const uint64_t per_mille = (use->used * 1000 + use->size - 1) / use->size;
    return rp_format(arena, "%s bytes of %s (%" PRIu64 ".%" PRIu64 " %%), %s %s",
                     rp_commas(arena, use->used), rp_commas(arena, use->size), per_mille / 10,
                     per_mille % 10,
                     rp_commas(arena, fits ? use->size - use->used : use->used - use->size),
                     fits ? "free" : "too many");
}

void rp_content_use_bar(struct rp_buf *out, const struct rp_page_report *report,
                        const struct rp_page_use *use) {
    const bool fits = use->used <= use->size;
    const uint64_t whole = fits ? use->size : use->used, end = fits ? use->used : use->size;
    struct rp_map map;
    rp_map_of_use(&map, out->arena, report, use);
    rp_buf_puts(out, "<rect class=\"free\" width=\"100%\" height=\"100%\"/>\n");
    rp_map_write(out, &map, whole);
    rp_buf_printf(out, "<rect class=\"%s\" x=\"%.3f%%\" width=\"%d\" height=\"100%%\"/>\n",
                  fits ? "used" : "limit", 100.0 * (double)end / (double)whole, fits ? 2 : 4);
}

static void write_device(struct rp_buf *out, const struct rp_page_report *report) {
    for (size_t i = 0; i < report->uses.count; i++) {
        const struct rp_page_use *use = &report->uses.items[i];
        const char *name = rp_content_use_name(report, use),
                   *text = rp_content_use(out->arena, use);
        rp_buf_printf(out,
                      "<figure><figcaption><b>%s</b> %s</figcaption>\n<svg class=\"use-of\" "
                      "data-region=\"%s-%s\" data-b=\"%" PRIu64 "\" data-of=\"%" PRIu64
                      "\" width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"%s: %s\">",
                      name, text, rp_markup_cut(out->arena, use->region, 20),
                      use->is_copy ? "copy" : "xip", use->used, use->size, RP_BAR_HEIGHT, name,
                      text);
        rp_content_use_bar(out, report, use);
        rp_buf_puts(out, "</svg></figure>\n");
    }
    if (report->uses.count != 0)
        rp_buf_puts(out, "<p class=\"note\">The whole length is what the device has; what the "
                         "firmware takes of it is not counted. A line marks where the image ends, "
                         "or the device if the image does not fit.</p>\n");
}

static void write_bar(struct rp_buf *out, const struct rp_page_report *report,
                      enum rp_figure figure, uint64_t scale, const char *what) {
    struct rp_map map;
    if (!rp_map_make(&map, out->arena, report, figure))
        return;
    rp_buf_printf(out,
                  "<svg class=\"bar-of\" data-figure=\"%s%s\" data-b=\"%" PRIu64
                  "\" width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"%s%s, %s bytes\">"
                  "<rect class=\"free\" width=\"100%%\" height=\"100%%\"/>\n",
                  what, rp_figure_key(figure), map.bytes, RP_BAR_HEIGHT, what,
                  rp_figure_label(figure), rp_commas(out->arena, map.bytes));
    rp_map_write(out, &map, scale);
    rp_buf_puts(out, "</svg>\n");
}

static void write_legend(struct rp_buf *out, const struct rp_map *map) {
    rp_buf_puts(out, "<ul class=\"legend\">");
    for (size_t i = 0; i < map->count; i++)
        rp_buf_printf(out,
                      "<li><svg class=\"p %s\" width=\"14\" height=\"14\" aria-hidden=\"true\">"
                      "<rect width=\"100%%\" height=\"100%%\"/><rect class=\"pattern\" "
                      "width=\"100%%\" height=\"100%%\"/></svg>%s <b>%s</b></li>",
                      map->items[i].look, rp_markup_cut(out->arena, map->items[i].name, 40),
                      rp_commas(out->arena, map->items[i].bytes));
    rp_buf_puts(out, "</ul>\n");
}

void rp_content_memory(struct rp_buf *out, const struct rp_page_model *model) {
    rp_buf_puts(out, "<section><h2>Memory</h2>\n");
    write_device(out, model->now);
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++) {
        enum rp_figure figure = (enum rp_figure)i;
        uint64_t scale = rp_content_scale(model, figure);
        struct rp_map map;
        if (!rp_map_make(&map, out->arena, model->now, figure))
            continue;
        rp_buf_printf(out, "<figure><figcaption><b>%s</b> %s</figcaption>\n",
                      rp_figure_label(figure), rp_content_figure(out->arena, model, figure));
        write_bar(out, model->now, figure, scale, "");
        if (model->before != NULL) {
            rp_buf_puts(out, "<div class=\"before\">before</div>");
            write_bar(out, model->before, figure, scale, "before ");
        }
        write_legend(out, &map);
        rp_buf_puts(out, "</figure>\n");
    }
    rp_buf_puts(out, "<p class=\"note\">Bars of flash and weights have one scale, those of RAM and "
                     "activations another.</p>\n</section>\n");
}

/* ---- treemaps ---- */

static void write_treemap(struct rp_buf *out, const struct rp_tree *tree, double height,
                          const char *what) {
    const char *bytes = rp_commas(out->arena, tree->bytes);
    if (tree->bytes == 0)
        return;
    rp_buf_printf(
        out,
        "<figure><figcaption><b>%s</b>%s %s bytes</figcaption><svg class=\"treemap\" "
        "data-b=\"%" PRIu64 "\" data-name=\"%s\" width=\"100%%\" height=\"%.0f\" "
        "role=\"img\" aria-label=\"%s%s by section, file and symbol, %s bytes; the tables "
        "have the same figures\">\n",
        tree->name, what, bytes, tree->bytes, tree->name, height, tree->name, what, bytes);
    rp_treemap_write(out, tree, RP_PICTURE_WIDTH, height);
    rp_buf_puts(out, "</svg></figure>\n");
}

static void write_nodes(struct rp_buf *out, const struct rp_tree *node, unsigned depth,
                        uint64_t whole) {
    for (size_t i = 0; i < node->count; i++) {
        const struct rp_tree *child = node->children[i];
        if (child->kind == RP_TREE_SYMBOL || child->kind == RP_TREE_SMALL)
            continue;
        rp_buf_puts(out, "<tr>");
        rp_markup_name(out, rp_format(out->arena, "td data-depth=\"%u\"", depth), child->name);
        rp_buf_printf(out, "<td class=\"r\">%s</td><td class=\"r\">%s</td></tr>\n",
                      rp_commas(out->arena, child->bytes),
                      rp_share(out->arena, child->bytes, whole));
        write_nodes(out, child, depth + 1, whole);
    }
}

static void write_tree_table(struct rp_buf *out, const struct rp_tree *tree) {
    if (tree->bytes == 0)
        return;
    rp_buf_printf(out,
                  "<details><summary>%s as a table</summary><div class=\"wide\"><table "
                  "class=\"tree\"><thead><tr><th scope=\"col\">section, archive, file</th>"
                  "<th scope=\"col\" class=\"r\">bytes</th><th scope=\"col\" "
                  "class=\"r\">share</th></tr></thead>"
                  "<tbody>\n",
                  tree->name);
    write_nodes(out, tree, 0, tree->bytes);
    rp_buf_puts(out, "</tbody></table></div></details>\n");
}

void rp_content_maps(struct rp_buf *out, const struct rp_page_model *model) {
    struct rp_tree *flash = rp_tree_flash(out->arena, model->now);
    struct rp_tree *ram = rp_tree_ram(out->arena, model->now);
    if (flash->bytes == 0 && ram->bytes == 0)
        return;
    rp_buf_puts(out, "<section><h2>Where the bytes are</h2>\n<div class=\"pair\">");
    if (model->before != NULL)
        write_treemap(out, rp_tree_flash(out->arena, model->before), RP_FLASH_HEIGHT,
                      ", the build before:");
    write_treemap(out, flash, RP_FLASH_HEIGHT, model->before != NULL ? ", this build:" : "");
    rp_buf_puts(out, "</div>\n");
    write_treemap(out, ram, RP_RAM_HEIGHT, ", XIP mode, with activations:");
    write_tree_table(out, flash);
    write_tree_table(out, ram);
    rp_buf_puts(out, "</section>\n");
}

/* ---- tables ---- */

static int larger_first(const void *one, const void *other) {
    const struct rp_page_symbol *const *a = one, *const *b = other;
    if ((*a)->size != (*b)->size)
        return (*a)->size > (*b)->size ? -1 : 1;
    return (*a)->order < (*b)->order ? -1 : (*a)->order > (*b)->order;
}

static void write_symbol(struct rp_buf *out, const struct rp_page_symbol *symbol) {
    rp_buf_printf(out, "<tr data-b=\"%" PRIu64 "\">", symbol->size);
    rp_markup_name(out, "th scope=\"row\"", symbol->name);
    rp_buf_printf(out, "<td class=\"r\">%s</td><td>%s</td><td>%s</td>",
                  rp_commas(out->arena, symbol->size), symbol->is_function ? "function" : "object",
                  rp_markup_cut(out->arena, symbol->place, 40));
    rp_markup_name(out, "td",
                   symbol->archive != NULL
                       ? rp_format(out->arena, "%s(%s)", symbol->archive, symbol->file)
                       : symbol->file);
    rp_buf_puts(out, "</tr>\n");
}

static void write_symbols_head(struct rp_buf *out, const char *what) {
    rp_buf_printf(out,
                  "<table class=\"symbols\"><caption>%s</caption><thead><tr>"
                  "<th scope=\"col\">name</th><th scope=\"col\" class=\"r\">bytes</th>"
                  "<th scope=\"col\">kind</th><th scope=\"col\">section</th>"
                  "<th scope=\"col\">file</th></tr></thead><tbody>\n",
                  what);
}

/* Rows that are folded cost a browser almost nothing until somebody opens them. */
void rp_content_symbols(struct rp_buf *out, const struct rp_page_report *report) {
    size_t count = report->symbols.count, small = 0;
    uint64_t least = rp_tree_least(out->arena, report), bytes = 0;
    const struct rp_page_symbol **sorted = rp_alloc(out->arena, count + 1, sizeof(*sorted));
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &report->symbols.items[i];
    qsort((void *)sorted, count, sizeof(*sorted), larger_first);
    rp_buf_printf(out,
                  "<section><h2>Symbols <small>%s</small></h2>\n<div class=\"wide tall\" "
                  "tabindex=\"0\" role=\"region\" aria-label=\"Symbols\">",
                  rp_commas(out->arena, count));
    write_symbols_head(out, "Functions and objects of the image, the largest first");
    for (size_t i = 0; i < count; i++) {
        if (i == ROWS_SHOWN) {
            rp_buf_printf(
                out,
                "</tbody></table></div>\n<details class=\"rest\"><summary>%s more</summary>"
                "<div class=\"wide\">",
                rp_commas(out->arena, count - i));
            write_symbols_head(out, "The rest, the largest first");
        }
        if (sorted[i]->size >= least) {
            write_symbol(out, sorted[i]);
        } else {
            small++;
            bytes += sorted[i]->size;
        }
    }
    if (small != 0)
        rp_buf_printf(out,
                      "<tr data-b=\"%" PRIu64 "\"><th scope=\"row\">%s smaller symbols</th>"
                      "<td class=\"r\">%s</td><td></td><td></td><td></td></tr>\n",
                      bytes, rp_commas(out->arena, small), rp_commas(out->arena, bytes));
    rp_buf_printf(out, "</tbody></table></div>%s", count > ROWS_SHOWN ? "</details>" : "");
    if (count > PAPER_ROWS)
        rp_buf_printf(out, "<p class=\"note paper\">Paper has the first %d of %s rows.</p>",
                      PAPER_ROWS, rp_commas(out->arena, count));
    rp_buf_puts(out, "</section>\n");
}

void rp_content_pools(struct rp_buf *out, const struct rp_page_report *report) {
    if (report->pools.count == 0)
        return;
    rp_buf_puts(out, "<section><h2>Memory pools</h2>\n<div class=\"wide\"><table class=\"pools\">"
                     "<thead><tr><th scope=\"col\">name</th><th scope=\"col\" class=\"r\">bytes"
                     "</th><th scope=\"col\">holds</th><th scope=\"col\">address</th></tr>"
                     "</thead><tbody>\n");
    for (size_t i = 0; i < report->pools.count; i++) {
        const struct rp_page_pool *pool = &report->pools.items[i];
        rp_buf_printf(out, "<tr data-b=\"%" PRIu64 "\">", pool->size);
        rp_markup_name(out, "th scope=\"row\"", pool->name);
        rp_buf_printf(out, "<td class=\"r\">%s</td><td>%s</td><td>%s</td></tr>\n",
                      rp_commas(out->arena, pool->size), rp_markup_cut(out->arena, pool->data, 40),
                      pool->address[0] != '\0' ? rp_markup_cut(out->arena, pool->address, 40)
                                               : "where the firmware puts it");
    }
    rp_buf_puts(out, "</tbody></table></div></section>\n");
}

void rp_content_tensors(struct rp_buf *out, const struct rp_page_report *report) {
    if (report->tensors.count == 0)
        return;
    rp_buf_puts(
        out, "<section><h2>Tensors</h2>\n<div class=\"wide\"><table><thead><tr>"
             "<th scope=\"col\">name</th><th scope=\"col\" class=\"r\">bytes</th><th scope=\"col\">"
             "kind</th><th scope=\"col\">type</th><th scope=\"col\">shape</th>"
             "<th scope=\"col\">scale</th></tr></thead><tbody>\n");
    for (size_t i = 0; i < report->tensors.count; i++) {
        const struct rp_page_tensor *tensor = &report->tensors.items[i];
        rp_buf_puts(out, "<tr>");
        rp_markup_name(out, "th scope=\"row\"", tensor->name);
        rp_buf_printf(
            out, "<td class=\"r\">%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n",
            rp_commas(out->arena, tensor->size), tensor->what,
            rp_markup_cut(out->arena, tensor->type, 40),
            rp_markup_cut(out->arena, tensor->shape, 100), rp_markup(out->arena, tensor->scale));
    }
    rp_buf_puts(out, "</tbody></table></div></section>\n");
}

void rp_content_facts(struct rp_buf *out, const struct rp_facts *facts, enum rp_fact_group group,
                      const char *heading) {
    bool any = false;
    for (size_t i = 0; i < facts->count; i++) {
        const struct rp_fact *fact = &facts->items[i];
        if (fact->group != group)
            continue;
        if (!any)
            rp_buf_printf(out, "<h3>%s</h3><div class=\"wide\"><table><tbody>\n", heading);
        any = true;
        rp_buf_puts(out, "<tr>");
        rp_markup_name(out, "th scope=\"row\"", fact->name);
        if (fact->text != NULL)
            rp_markup_name(out, "td", fact->text);
        else
            rp_buf_printf(out, "<td class=\"r\">%s</td>",
                          fact->number < 0 ? rp_signed(out->arena, fact->number)
                                           : rp_commas(out->arena, (uint64_t)fact->number));
        rp_buf_puts(out, "</tr>\n");
    }
    if (any)
        rp_buf_puts(out, "</tbody></table></div>\n");
}

void rp_content_build(struct rp_buf *out, const struct rp_page_report *report) {
    rp_buf_puts(out, "<section><h2>Build</h2>\n");
    rp_content_facts(out, &report->facts, RP_FACT_WARNINGS, "Warnings");
    rp_buf_puts(out, "<details><summary>Tools, flags and inputs</summary>\n");
    rp_content_facts(out, &report->facts, RP_FACT_TOOLS, "Tools and flags");
    rp_content_facts(out, &report->facts, RP_FACT_INPUTS, "Inputs and their SHA-256");
    rp_content_facts(out, &report->facts, RP_FACT_RELOCATIONS, "Relocations");
    rp_buf_puts(out, "</details></section>\n");
}

/* ---- two builds, and more ---- */

static void write_value(struct rp_buf *out, const struct rp_fact *fact) {
    if (fact == NULL)
        rp_buf_puts(out, "<td class=\"r\">-</td>");
    else if (fact->text != NULL)
        rp_markup_name(out, "td", fact->text);
    else
        rp_buf_printf(out, "<td class=\"r\">%s</td>",
                      fact->number < 0 ? rp_signed(out->arena, fact->number)
                                       : rp_commas(out->arena, (uint64_t)fact->number));
}

static void write_change(struct rp_buf *out, const struct rp_change *change) {
    const struct rp_fact *any = change->new != NULL ? change->new : change->old;
    if (any == NULL)
        return;
    bool renamed = change->old != NULL &&
                   change->new != NULL &&strcmp(change->old->name, change->new->name) != 0;
    rp_buf_printf(out, "<tr><td>%s</td>", rp_fact_group_name(any->group));
    rp_markup_name(out, "th scope=\"row\"",
                   renamed ? rp_format(out->arena, "%s > %s", change->old->name, any->name)
                           : any->name);
    write_value(out, change->old);
    write_value(out, change->new);
    if (any->text != NULL)
        rp_buf_puts(out, "<td class=\"r\">changed</td></tr>\n");
    else
        rp_buf_printf(out, "<td class=\"r\">%s</td></tr>\n",
                      rp_signed(out->arena, rp_number_of(change->new) - rp_number_of(change->old)));
}

void rp_content_changes(struct rp_buf *out, const struct rp_page_model *model) {
    struct rp_diff diff = {0};
    struct rp_buf rows = {.arena = out->arena};
    size_t changed = 0;
    if (model->before == NULL)
        return;
    rp_diff_make(&diff, &model->before->facts, &model->now->facts);
    for (size_t i = 0; i < diff.count; i++)
        if (rp_is_changed(&diff.items[i]) && changed++ < CHANGES_MOST)
            write_change(&rows, &diff.items[i]);
    rp_buf_printf(out, "<section><h2>Changes <small>since %s</small></h2>\n",
                  rp_markup_cut(out->arena, model->before->glance.path, 100));
    if (changed == 0) {
        rp_buf_puts(out, "<p>Nothing has changed.</p></section>\n");
        return;
    }
    rp_buf_puts(out, "<div class=\"wide tall\" tabindex=\"0\" role=\"region\" "
                     "aria-label=\"Changes\"><table class=\"changes\"><thead><tr>"
                     "<th scope=\"col\">part</th><th scope=\"col\">name</th>"
                     "<th scope=\"col\" class=\"r\">before</th>"
                     "<th scope=\"col\" class=\"r\">now</th>"
                     "<th scope=\"col\" class=\"r\">change</th></tr></thead><tbody>\n");
    rp_buf_append(out, rows.data, rows.len);
    rp_buf_puts(out, "</tbody></table></div>");
    if (changed > CHANGES_MOST)
        rp_buf_printf(out, "<p class=\"note\">and %s more; relocpack diff shows them all.</p>",
                      rp_commas(out->arena, changed - CHANGES_MOST));
    rp_buf_puts(out, "</section>\n");
}

static void write_history_table(struct rp_buf *out, const struct rp_history *builds) {
    rp_buf_puts(out, "<details><summary>History as a table</summary><div class=\"wide\"><table>"
                     "<thead><tr><th scope=\"col\">report</th><th scope=\"col\">time</th>");
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
        rp_buf_printf(out, "<th scope=\"col\" class=\"r\">%s</th>",
                      rp_figure_label((enum rp_figure)i));
    rp_buf_puts(out, "</tr></thead><tbody>\n");
    for (size_t k = 0; k < builds->count; k++) {
        const struct rp_page_glance *build = &builds->items[k];
        rp_buf_puts(out, "<tr>");
        rp_markup_name(out, "th scope=\"row\"", build->path);
        rp_markup_name(out, "td", yes_or(build->started, "-"));
        for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
            rp_buf_printf(out, "<td class=\"r\">%s</td>",
                          build->figures[i].known ? rp_commas(out->arena, build->figures[i].bytes)
                                                  : "-");
        rp_buf_puts(out, "</tr>\n");
    }
    rp_buf_puts(out, "</tbody></table></div></details>\n");
}

void rp_content_history(struct rp_buf *out, const struct rp_page_model *model) {
    if (model->builds.count < 3)
        return;
    rp_buf_printf(out, "<section><h2>History <small>%s builds</small></h2>\n<div class=\"pair\">",
                  rp_commas(out->arena, model->builds.count));
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++) {
        struct rp_buf lines = {.arena = out->arena};
        uint64_t range[2];
        const char *name = rp_figure_label((enum rp_figure)i);
        if (!rp_chart_lines(&lines, &model->builds, (enum rp_figure)i, range))
            continue;
        rp_buf_printf(out,
                      "<figure><figcaption><b>%s</b>, %s bytes</figcaption><svg class=\"lines\" "
                      "width=\"100%%\" height=\"%d\" role=\"img\" aria-label=\"%s of each build; "
                      "the table has the figures\">\n",
                      name,
                      range[0] == range[1]
                          ? rp_format(out->arena, "always %s", rp_commas(out->arena, range[0]))
                          : rp_format(out->arena, "%s to %s", rp_commas(out->arena, range[0]),
                                      rp_commas(out->arena, range[1])),
                      RP_LINES_HEIGHT, name);
        rp_buf_append(out, lines.data, lines.len);
        rp_buf_puts(out, "</svg></figure>\n");
    }
    rp_buf_puts(out, "</div>\n");
    write_history_table(out, &model->builds);
    rp_buf_puts(out, "</section>\n");
}
