/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of builds as CSV and for Prometheus: see history.h. */
#include "cli/page/history.h"

#include <inttypes.h>
#include <string.h>

/* The value of a label, or NULL. */
static const char *value_of(const struct rp_strings *labels, const char *key) {
    const size_t len = strlen(key);
    for (size_t i = 0; i < labels->count; i++)
        if (strncmp(labels->items[i], key, len) == 0 && labels->items[i][len] == '=')
            return labels->items[i] + len + 1;
    return NULL;
}

/* ---- CSV ---- */

/* The keys of all builds, sorted. */
static void find_keys(struct rp_strings *keys, const struct rp_page *page) {
    for (size_t m = 0; m < page->models.count; m++)
        for (size_t i = 0; i < page->models.items[m].builds.count; i++) {
            const struct rp_strings *labels = &page->models.items[m].builds.items[i].labels;
            for (size_t k = 0; k < labels->count; k++)
                rp_strings_push(
                    page->arena, keys,
                    rp_strndup(page->arena, labels->items[k], strcspn(labels->items[k], "=")));
        }
    rp_strings_sort(keys);
}

static void put_row(struct rp_buf *out, const struct rp_page_build *build,
                    const struct rp_strings *keys) {
    const char *const names[] = {build->model, build->path, build->started};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        rp_buf_csv(out, names[i]);
        rp_buf_puts(out, ",");
    }
    for (size_t i = 0; i < keys->count; i++) {
        const char *value = value_of(&build->labels, keys->items[i]);
        rp_buf_csv(out, value != NULL ? value : "");
        rp_buf_puts(out, ",");
    }
    for (int i = 0; i < RP_FIGURES_MAIN; i++) {
        if (build->figures[i].known)
            rp_buf_printf(out, "%" PRIu64, build->figures[i].bytes);
        rp_buf_puts(out, i == RP_FIGURES_MAIN - 1 ? "\n" : ",");
    }
}

void rp_history_csv(struct rp_buf *out, const struct rp_page *page) {
    struct rp_strings keys = {0};
    find_keys(&keys, page);
    rp_buf_puts(out, "model,report,started");
    for (size_t i = 0; i < keys.count; i++)
        rp_buf_printf(out, ",%s", keys.items[i]);
    for (int i = 0; i < RP_FIGURES_MAIN; i++)
        rp_buf_printf(out, ",%s_bytes", rp_figure_key((enum rp_figure)i));
    rp_buf_puts(out, "\n");
    for (size_t m = 0; m < page->models.count; m++)
        for (size_t i = 0; i < page->models.items[m].builds.count; i++)
            put_row(out, &page->models.items[m].builds.items[i], &keys);
}

/* ---- Prometheus ---- */

/* As the text format has it: a backslash in front of backslash, quote and line end. */
static void put_label(struct rp_buf *out, const char *key, const char *value) {
    rp_buf_printf(out, "%s=\"", key);
    for (; *value != '\0'; value++)
        if (*value == '\n')
            rp_buf_puts(out, "\\n");
        else
            rp_buf_printf(out, "%s%c", *value == '\\' || *value == '"' ? "\\" : "", *value);
    rp_buf_puts(out, "\"");
}

static void put_sample(struct rp_buf *out, const struct rp_page_build *build,
                       enum rp_figure figure) {
    rp_buf_printf(out, "relocpack_%s_bytes{", rp_figure_key(figure));
    put_label(out, "model", build->model);
    for (size_t i = 0; i < build->labels.count; i++) {
        const char *label = build->labels.items[i];
        const size_t len = strcspn(label, "=");
        rp_buf_puts(out, ",");
        put_label(out, rp_strndup(out->arena, label, len), label + len + 1);
    }
    rp_buf_printf(out, "} %" PRIu64 "\n", build->figures[figure].bytes);
}

void rp_history_prometheus(struct rp_buf *out, const struct rp_page *page) {
    for (int i = 0; i < RP_FIGURES_MAIN; i++) {
        const char *key = rp_figure_key((enum rp_figure)i);
        rp_buf_printf(out,
                      "# HELP relocpack_%s_bytes %s\n"
                      "# TYPE relocpack_%s_bytes gauge\n",
                      key, rp_figure_label((enum rp_figure)i), key);
        for (size_t m = 0; m < page->models.count; m++) {
            const struct rp_page_builds *builds = &page->models.items[m].builds;
            const struct rp_page_build *last = &builds->items[builds->count - 1];
            if (last->figures[i].known)
                put_sample(out, last, (enum rp_figure)i);
        }
    }
}
