/* SPDX-License-Identifier: Apache-2.0 */
/* The page: see page.h. */
#include "cli/page/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grid.h"
#include "base/path.h"
#include "cli/page/markup.h"
#include "cli/page/picture.h"
#include "cli/page/text.h"
#include "cli/version.h"
#include "elfpack/image/integrity.h"

enum { SYMBOLS_MOST = 100 }; /* in the plain table */

static const char *const *const style[] = {rp_text_picture_css, rp_text_page_css, NULL};
static const char *const *const script[] = {rp_text_data_js,  rp_text_map_js,  rp_text_table_js,
                                            rp_text_parts_js, rp_text_page_js, NULL};

static const char *joined(struct rp_arena *arena, const char *const *const *files) {
    struct rp_buf text = {.arena = arena};
    for (; *files != NULL; files++)
        for (const char *const *line = *files; *line != NULL; line++)
            rp_buf_puts(&text, *line);
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

/* ---- for readers without the script ---- */

static void put_row(struct rp_buf *out, const char *name, const char *value) {
    rp_buf_printf(out, "<tr><th scope=\"row\">%s</th><td class=\"r\">%s</td></tr>\n",
                  rp_markup_cut(out->arena, name, 160), value);
}

static int larger_first(const void *one, const void *other) {
    const struct rp_page_symbol *const *a = one, *const *b = other;
    if ((*a)->size != (*b)->size)
        return (*a)->size > (*b)->size ? -1 : 1;
    return (*a)->order < (*b)->order ? -1 : (*a)->order > (*b)->order;
}

static void put_symbols(struct rp_buf *out, const struct rp_page_report *report) {
    const size_t count = report->symbols.count;
    const struct rp_page_symbol **sorted = rp_alloc(out->arena, count + 1, sizeof(*sorted));
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &report->symbols.items[i];
    qsort((void *)sorted, count, sizeof(*sorted), larger_first);
    rp_buf_printf(out, "<h2>Symbols <small>the largest of %s</small></h2>\n<table><tbody>\n",
                  rp_commas(out->arena, count));
    for (size_t i = 0; i < count && i < SYMBOLS_MOST; i++)
        put_row(out, sorted[i]->name, rp_commas(out->arena, sorted[i]->size));
    rp_buf_puts(out, "</tbody></table>\n");
}

/* What has a name and bytes. */
static void put_model(struct rp_buf *out, const struct rp_page_model *model) {
    const struct rp_page_report *report = model->now;
    rp_buf_printf(out, "<h1>%s</h1>\n<p class=\"note\">%s</p>\n<table><tbody>\n",
                  rp_markup_cut(out->arena, model->name, 120),
                  rp_markup_cut(out->arena, report->subtitle, 200));
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
        if (report->figures[i].known)
            put_row(out, rp_figure_label((enum rp_figure)i),
                    rp_picture_figure(out->arena, model, (enum rp_figure)i));
    for (size_t i = 0; i < report->uses.count; i++)
        put_row(out, rp_picture_use_name(report, &report->uses.items[i]),
                rp_picture_use(out->arena, &report->uses.items[i]));
    rp_buf_puts(out, "</tbody></table>\n<h2>Sections</h2>\n<table><tbody>\n");
    for (size_t i = 0; i < report->sections.count; i++)
        put_row(out, report->sections.items[i].name,
                rp_commas(out->arena, report->sections.items[i].size));
    rp_buf_puts(out, "</tbody></table>\n");
    put_symbols(out, report);
}

static void put_models(struct rp_buf *out, const struct rp_page *page) {
    rp_buf_puts(out, "<h1>Models</h1>\n<table><thead><tr><th scope=\"col\">model</th>");
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++)
        rp_buf_printf(out, "<th scope=\"col\" class=\"r\">%s</th>",
                      rp_figure_label((enum rp_figure)i));
    rp_buf_puts(out, "</tr></thead><tbody>\n");
    for (size_t k = 0; k < page->models.count; k++) {
        rp_buf_printf(out, "<tr><th scope=\"row\">%s</th>",
                      rp_markup_cut(out->arena, page->models.items[k].name, 80));
        for (unsigned i = 0; i < RP_FIGURES_MAIN; i++) {
            const struct rp_page_number *figure = &page->models.items[k].now->figures[i];
            rp_buf_printf(out, "<td class=\"r\">%s</td>",
                          figure->known ? rp_commas(out->arena, figure->bytes) : "-");
        }
        rp_buf_puts(out, "</tr>\n");
    }
    rp_buf_puts(out, "</tbody></table>\n");
}

/* ---- for the script ---- */

/* The length of the folder that all reports are in: pages are passed on without it. */
static size_t common_folder(const struct rp_page *page) {
    const char *first = page->models.items[0].builds.items[0].path;
    size_t len = (size_t)(rp_path_base(first) - first);
    for (size_t m = 0; m < page->models.count; m++)
        for (size_t i = 0; i < page->models.items[m].builds.count; i++) {
            const char *path = page->models.items[m].builds.items[i].path;
            while (len != 0 && (strncmp(path, first, len) != 0 || first[len - 1] != '/'))
                len--;
        }
    return len;
}

static void put_data(struct rp_buf *out, const struct rp_page *page) {
    const size_t folder = common_folder(page);
    rp_buf_puts(out, "{\"figures\":[");
    for (int i = 0; i < RP_FIGURES; i++)
        rp_buf_printf(out, "%s\n{\"key\":\"%s\",\"label\":\"%s\",\"main\":%s}", i != 0 ? "," : "",
                      rp_figure_key((enum rp_figure)i), rp_figure_label((enum rp_figure)i),
                      i < RP_FIGURES_MAIN ? "true" : "false");
    rp_buf_puts(out, "],\n\"models\":[");
    for (size_t m = 0; m < page->models.count; m++) {
        const struct rp_page_model *model = &page->models.items[m];
        rp_buf_puts(out, m != 0 ? ",\n{\"name\":" : "\n{\"name\":");
        rp_markup_json(out, model->name);
        rp_buf_puts(out, ",\"builds\":[");
        for (size_t i = 0; i < model->builds.count; i++) {
            rp_buf_puts(out, i != 0 ? ",\n{\"path\":" : "\n{\"path\":");
            rp_markup_json(out, model->builds.items[i].path + folder);
            rp_buf_printf(out, ",\"report\":");
            rp_buf_puts(out, model->builds.items[i].embedded);
            rp_buf_puts(out, "}");
        }
        rp_buf_puts(out, "]}");
    }
    rp_buf_puts(out, "],\n\"measured\":[");
    for (size_t i = 0; i < page->measured.count; i++) {
        rp_buf_puts(out, i != 0 ? ",\n{\"path\":" : "\n{\"path\":");
        rp_markup_json(out, rp_path_base(page->measured.items[i].path));
        rp_buf_puts(out, ",\"document\":");
        rp_buf_puts(out, page->measured.items[i].embedded);
        rp_buf_puts(out, "}");
    }
    rp_buf_puts(out, "],\n\"left_out\":[");
    for (size_t i = 0; i < page->left_out.count; i++) {
        rp_buf_puts(out, i != 0 ? "," : "");
        rp_markup_json(out, page->left_out.items[i]);
    }
    rp_buf_puts(out, "]}\n");
}

/* ---- all of it ---- */

/* A line of page.html that begins with '@' says what stands there. */
static void put_part(struct rp_buf *out, const struct rp_page *page, const char *name) {
    struct rp_arena *arena = out->arena;
    const bool one = page->models.count == 1;
    if (strcmp(name, "@policy\n") == 0) {
        rp_buf_printf(out,
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                      "style-src 'sha256-%s'; script-src 'sha256-%s'; base-uri 'none'; "
                      "form-action 'none'\">\n<meta name=\"generator\" content=\"relocpack %s\">\n",
                      hash_of(arena, joined(arena, style)), hash_of(arena, joined(arena, script)),
                      RP_VERSION);
    } else if (strcmp(name, "@title\n") == 0) {
        rp_buf_printf(out, "<title>%s - relocpack</title>\n",
                      one ? rp_markup_cut(arena, page->models.items[0].name, 120) : "Models");
    } else if (strcmp(name, "@style\n") == 0) {
        rp_buf_printf(out, "<style>%s</style>\n", joined(arena, style));
    } else if (strcmp(name, "@plain\n") == 0) {
        if (one)
            put_model(out, &page->models.items[0]);
        else
            put_models(out, page);
    } else if (strcmp(name, "@data\n") == 0) {
        rp_buf_puts(out, "<script type=\"application/json\" id=\"data\">");
        put_data(out, page);
        rp_buf_puts(out, "</script>\n");
    } else if (strcmp(name, "@script\n") == 0) {
        rp_buf_printf(out, "<script>%s</script>\n", joined(arena, script));
    }
}

void rp_page_html(struct rp_buf *out, const struct rp_page *page) {
    for (const char *const *line = rp_text_page_html; *line != NULL; line++)
        if (**line == '@')
            put_part(out, page, *line);
        else
            rp_buf_puts(out, *line);
}
