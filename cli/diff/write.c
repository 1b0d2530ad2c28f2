/* SPDX-License-Identifier: Apache-2.0 */
/* Differences as text, Markdown, JSON and CSV: see write.h. */
#include "cli/diff/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/printable.h"
#include "base/grid.h"
#include "base/path.h"
#include "cli/document.h"
#include "cli/figures.h"
#include "cli/version.h"

/* What a comment on a merge request can hold; the rest is counted. */
enum { MARKDOWN_ROWS = 100, SCHEMA = 1 };

static const struct rp_fact *any_of(const struct rp_change *change) {
    return change->new != NULL ? change->new : change->old;
}

static int64_t growth_of(const struct rp_change *change) {
    return rp_number_of(change->new) - rp_number_of(change->old);
}

static const char *renamed_from(const struct rp_change *change) {
    return change->old != NULL &&
                   change->new != NULL &&strcmp(change->old->name, change->new->name) != 0
               ? change->old->name
               : NULL;
}

const char *rp_diffs_label(const struct rp_diffs *diffs, const struct rp_diff *diff) {
    size_t same = 0;
    for (size_t i = 0; i < diffs->count && same < 2; i++)
        same += strcmp(diffs->items[i].new->model, diff->new->model) == 0;
    return same < 2 ? diff->new->model
                    : rp_format(diff->arena, "%s (%s)", diff->new->model,
                                rp_path_dir(diff->arena, diff->new->path));
}

/* The changes of a group, which follow each other. */
struct slice {
    const struct rp_change *items;
    size_t count;
};

static struct slice group_of(const struct rp_diff *diff, enum rp_fact_group group) {
    struct slice slice = {NULL, 0};
    for (size_t i = 0; i < diff->count; i++)
        if (any_of(&diff->items[i])->group == group && slice.count++ == 0)
            slice.items = &diff->items[i];
    return slice;
}

/* ---- text and Markdown ---- */

static const char *percent(struct rp_arena *arena, const struct rp_change *change) {
    int64_t old = rp_number_of(change->old), growth = growth_of(change);
    return change->old == NULL   ? "new"
           : change->new == NULL ? "gone"
           : growth == 0         ? ""
           : old == 0            ? ""
                      : rp_format(arena, "%+.2f %%", 100.0 * (double)growth / (double)old);
}

static void number_cell(struct rp_grid *grid, const struct rp_fact *fact) {
    rp_grid_cell(grid, "%s",
                 fact == NULL       ? "-"
                 : fact->number < 0 ? rp_signed(grid->arena, fact->number)
                                    : rp_commas(grid->arena, (uint64_t)fact->number));
}

static void number_row(struct rp_grid *grid, const struct rp_change *change, bool has_places) {
    const struct rp_fact *any = any_of(change);
    const char *before = renamed_from(change);
    rp_grid_cell(grid, "%s%s%s", rp_printable(grid->arena, before != NULL ? before : any->name),
                 before != NULL ? " > " : "",
                 before != NULL ? rp_printable(grid->arena, any->name) : "");
    number_cell(grid, change->old);
    number_cell(grid, change->new);
    rp_grid_cell(grid, "%s", rp_signed(grid->arena, growth_of(change)));
    rp_grid_cell(grid, "%s", before != NULL ? "renamed" : percent(grid->arena, change));
    if (has_places)
        rp_grid_cell(grid, "%s", rp_printable(grid->arena, any->where));
}

static const char *short_text(struct rp_arena *arena, const struct rp_fact *fact) {
    if (fact == NULL)
        return "-";
    if (fact->text == NULL) /* the other side has a text */
        return rp_format(arena, "%" PRId64, fact->number);
    bool is_hash = fact->group == RP_FACT_INPUTS && strlen(fact->text) > 12;
    return rp_printable(arena, is_hash ? rp_strndup(arena, fact->text, 12) : fact->text);
}

static void text_row(struct rp_grid *grid, const struct rp_change *change) {
    rp_grid_cell(grid, "%s", rp_printable(grid->arena, any_of(change)->name));
    rp_grid_cell(grid, "%s", short_text(grid->arena, change->old));
    rp_grid_cell(grid, "%s", short_text(grid->arena, change->new));
}

static bool is_text(const struct rp_change *change) {
    return (change->old != NULL && change->old->text != NULL) ||
           (change->new != NULL && change->new->text != NULL);
}

/* A group mixes numbers and texts when it records options. */
static void print_rows(struct rp_grid *grid, const struct slice *slice, bool texts, bool markdown,
                       struct rp_buf *out) {
    enum rp_fact_group group = any_of(&slice->items[0])->group;
    bool has_places = group == RP_FACT_SYMBOLS;
    size_t rows = 0;
    rp_grid_column(grid, rp_fact_group_name(group), true);
    rp_grid_column(grid, "old", texts);
    rp_grid_column(grid, "new", texts);
    if (!texts) {
        rp_grid_column(grid, "change", false);
        rp_grid_column(grid, "%", false);
        if (has_places)
            rp_grid_column(grid, "where", true);
    }
    for (size_t i = 0; i < slice->count; i++) {
        const struct rp_change *change = &slice->items[i];
        if (is_text(change) != texts || (markdown && ++rows > MARKDOWN_ROWS))
            continue;
        if (texts)
            text_row(grid, change);
        else
            number_row(grid, change, has_places);
    }
    if (grid->cells.count == 0)
        return;
    rp_buf_puts(out, "\n");
    rp_grid_print(grid, markdown, out);
    if (rows > MARKDOWN_ROWS)
        rp_buf_printf(out, "\nand %zu more\n", rows - MARKDOWN_ROWS);
}

/* Text of a report, safe where it is printed. */
static const char *safe(struct rp_arena *arena, bool markdown, const char *text) {
    const char *printable = rp_printable(arena, text);
    return markdown ? rp_escaped(arena, printable) : printable;
}

/* " (was kws_v1)" when two reports of different models are compared. */
static const char *other_model(const struct rp_diff *diff, bool markdown) {
    return diff->old->source != RP_DOCUMENT_REPORT || diff->new->source != RP_DOCUMENT_REPORT ||
                   strcmp(diff->old->model, diff->new->model) == 0 ||
                   strcmp(diff->old->model, rp_path_base(diff->old->path)) == 0
               ? ""
               : rp_format(diff->arena, " (was %s)", safe(diff->arena, markdown, diff->old->model));
}

/* What the line that sums up has: all of a model's memory, and how long it runs. */
static bool is_main(const struct rp_fact *fact) {
    if (fact->group == RP_FACT_MEMORY)
        return (int)rp_figure_find(fact->name) < RP_FIGURES_MAIN;
    return fact->group == RP_FACT_TIME
               ? rp_has_suffix(fact->name, ".run") && !rp_has_prefix(fact->name, "static.") &&
                     !rp_has_prefix(fact->name, "profile.")
               : rp_has_suffix(fact->name, ".ram");
}

/* "**kws**: flash 42,960 (+256, +0.60 %), ram_xip 308" */
static void print_summary(const struct rp_diffs *diffs, const struct rp_diff *diff,
                          struct rp_buf *out) {
    const char *between = ":";
    rp_buf_printf(out, "**%s**%s", safe(diff->arena, true, rp_diffs_label(diffs, diff)),
                  other_model(diff, true));
    for (size_t i = 0; i < diff->count && any_of(&diff->items[i])->group <= RP_FACT_TIME; i++) {
        const struct rp_change *change = &diff->items[i];
        const char *ratio = percent(diff->arena, change);
        if (!is_main(any_of(change)))
            continue;
        rp_buf_printf(out, "%s %s %s", between, safe(diff->arena, true, any_of(change)->name),
                      rp_commas(diff->arena, (uint64_t)rp_number_of(change->new)));
        if (rp_is_changed(change))
            rp_buf_printf(out, " (%s%s%s)", rp_signed(diff->arena, growth_of(change)),
                          ratio[0] != '\0' ? ", " : "", ratio);
        between = ",";
    }
    rp_buf_puts(out, "\n");
}

static void print_diff(const struct rp_diffs *diffs, const struct rp_diff *diff, bool markdown,
                       struct rp_buf *out) {
    bool changed = false;
    if (markdown)
        print_summary(diffs, diff, out);
    else
        rp_buf_printf(out, "%s%s: %s > %s\n", safe(diff->arena, false, diff->new->model),
                      other_model(diff, false), safe(diff->arena, false, diff->old->path),
                      safe(diff->arena, false, diff->new->path));
    for (size_t i = 0; i < diff->count; i++)
        changed = changed || rp_is_changed(&diff->items[i]);
    for (int group = 0; group < RP_FACT_GROUPS; group++) {
        struct slice slice = group_of(diff, (enum rp_fact_group)group);
        bool folded = markdown && group > RP_FACT_TIME;
        if (slice.count == 0)
            continue;
        if (folded)
            rp_buf_printf(out, "\n<details><summary>%s: %zu changed</summary>\n",
                          rp_fact_group_name((enum rp_fact_group)group), slice.count);
        for (int texts = 0; texts < 2; texts++) {
            struct rp_grid grid = {.arena = diff->arena};
            print_rows(&grid, &slice, texts != 0, markdown, out);
        }
        if (folded)
            rp_buf_puts(out, "\n</details>\n");
    }
    if (!changed)
        rp_buf_printf(out, "\nnothing has changed%s\n",
                      diff->old->source != diff->new->source ? " of what both have" : "");
}

static void print_excesses(const struct rp_diffs *diffs, struct rp_arena *arena, bool markdown,
                           struct rp_buf *out) {
    for (size_t i = 0; i < diffs->excesses.count; i++) {
        const struct rp_excess *excess = &diffs->excesses.items[i];
        rp_buf_printf(
            out, "%s%s%s%s grew by %s, the limit is %s%s\n", i == 0 || markdown ? "\n" : "",
            diffs->count > 1 ? safe(arena, markdown, rp_diffs_label(diffs, excess->diff)) : "",
            diffs->count > 1 ? ": " : "", safe(arena, markdown, excess->limit->name),
            rp_signed(arena, growth_of(excess->change)), excess->limit->text,
            markdown ? " :warning:" : "");
    }
}

static void print_all(const struct rp_diffs *diffs, struct rp_arena *arena, bool markdown,
                      struct rp_buf *out) {
    for (size_t i = 0; i < diffs->count; i++) {
        if (i != 0)
            rp_buf_puts(out, "\n");
        print_diff(diffs, &diffs->items[i], markdown, out);
    }
    for (size_t i = 0; i < diffs->gone.count; i++)
        rp_buf_printf(out, "\nonly in the old folder: %s\n",
                      safe(arena, markdown, diffs->gone.items[i]));
    for (size_t i = 0; i < diffs->added.count; i++)
        rp_buf_printf(out, "\nonly in the new folder: %s\n",
                      safe(arena, markdown, diffs->added.items[i]));
    print_excesses(diffs, arena, markdown, out);
}

/* ---- JSON ---- */

static void put_value(struct rp_json *row, const char *key, const struct rp_fact *fact) {
    if (fact != NULL && fact->text != NULL)
        rp_json_put_string(row, key, fact->text);
    else if (fact != NULL)
        rp_json_put_int(row, key, fact->number);
}

static struct rp_json *change_json(const struct rp_change *change) {
    const struct rp_fact *any = any_of(change);
    struct rp_json *row =
        RP_JSON_NEW(RP_JSON_S("name", any->name), RP_JSON_S("old_name", renamed_from(change)));
    if (any->group == RP_FACT_SYMBOLS)
        rp_json_put_string(row, "where", any->where);
    put_value(row, "old", change->old);
    put_value(row, "new", change->new);
    if (!is_text(change))
        rp_json_put_int(row, "change", growth_of(change));
    return row;
}

static struct rp_json *diff_json(const struct rp_diff *diff) {
    struct rp_json *object =
        RP_JSON_NEW(RP_JSON_S("old", diff->old->path), RP_JSON_S("new", diff->new->path),
                    RP_JSON_S("model", diff->new->model));
    for (int group = 0; group < RP_FACT_GROUPS; group++) {
        struct slice slice = group_of(diff, (enum rp_fact_group)group);
        struct rp_json *rows =
            rp_json_new_array(object, rp_fact_group_name((enum rp_fact_group)group));
        for (size_t i = 0; i < slice.count; i++)
            rp_json_push(rows, change_json(&slice.items[i]));
    }
    return object;
}

static void put_strings(struct rp_json *root, const char *key, const struct rp_strings *list) {
    struct rp_json *array = rp_json_new_array(root, key);
    for (size_t i = 0; i < list->count; i++)
        rp_json_push_string(array, list->items[i]);
}

static void print_json(const struct rp_diffs *diffs, struct rp_buf *out) {
    struct rp_json *root = rp_document("diff", SCHEMA, "diff");
    struct rp_json *list = rp_json_new_array(root, "comparisons");
    for (size_t i = 0; i < diffs->count; i++)
        rp_json_push(list, diff_json(&diffs->items[i]));
    put_strings(root, "only_old", &diffs->gone);
    put_strings(root, "only_new", &diffs->added);
    struct rp_json *exceeded = rp_json_new_array(root, "exceeded");
    for (size_t i = 0; i < diffs->excesses.count; i++) {
        const struct rp_excess *excess = &diffs->excesses.items[i];
        struct rp_json *row = change_json(excess->change);
        rp_json_put_string(row, "model", excess->diff->new->model);
        rp_json_put_string(row, "report", excess->diff->new->path);
        rp_json_put_string(row, "limit", excess->limit->text);
        rp_json_push(exceeded, row);
    }
    char *text = rp_json_print(root);
    rp_buf_puts(out, text);
    free(text);
    rp_json_free(root);
}

/* ---- CSV ---- */

/* Names come from reports that anybody may have written, and a terminal obeys control characters.
 */
static void put_cell(struct rp_buf *out, const char *name, bool last) {
    rp_buf_csv(out, rp_printable(out->arena, name));
    rp_buf_puts(out, last ? "\n" : ",");
}

static void put_csv_value(struct rp_buf *out, const struct rp_fact *fact) {
    if (fact != NULL && fact->text != NULL)
        put_cell(out, fact->text, false);
    else
        rp_buf_printf(out, fact != NULL ? "%" PRId64 "," : ",", rp_number_of(fact));
}

/* Reports that only one folder has. */
static void put_csv_others(struct rp_buf *out, const struct rp_strings *paths, const char *rest) {
    for (size_t i = 0; i < paths->count; i++) {
        rp_buf_puts(out, ",reports,");
        put_cell(out, paths->items[i], false);
        rp_buf_printf(out, ",%s\n", rest);
    }
}

static void print_csv(const struct rp_diffs *diffs, struct rp_buf *out) {
    rp_buf_puts(out, "model,group,name,old_name,old,new,change,where\n");
    for (size_t i = 0; i < diffs->count; i++) {
        const char *label = rp_diffs_label(diffs, &diffs->items[i]);
        for (size_t k = 0; k < diffs->items[i].count; k++) {
            const struct rp_change *change = &diffs->items[i].items[k];
            const struct rp_fact *any = any_of(change);
            const char *before = renamed_from(change);
            put_cell(out, label, false);
            rp_buf_printf(out, "%s,", rp_fact_group_name(any->group));
            put_cell(out, any->name, false);
            put_cell(out, before != NULL ? before : "", false);
            put_csv_value(out, change->old);
            put_csv_value(out, change->new);
            if (!is_text(change))
                rp_buf_printf(out, "%" PRId64, growth_of(change));
            rp_buf_puts(out, ",");
            put_cell(out, any->group == RP_FACT_SYMBOLS ? any->where : "", true);
        }
    }
    put_csv_others(out, &diffs->gone, "yes,,,");
    put_csv_others(out, &diffs->added, ",yes,,");
}

void rp_diffs_write(const struct rp_diffs *diffs, struct rp_arena *arena,
                    enum rp_diff_format format, struct rp_buf *out) {
    switch (format) {
    case RP_DIFF_TEXT:
    case RP_DIFF_MARKDOWN:
        print_all(diffs, arena, format == RP_DIFF_MARKDOWN, out);
        break;
    case RP_DIFF_JSON:
        print_json(diffs, out);
        break;
    case RP_DIFF_CSV:
        print_csv(diffs, out);
        break;
    }
}
