/* SPDX-License-Identifier: Apache-2.0 */
/* What became of a batch: see summary.h. */
#include "cli/batch/summary.h"

#include <inttypes.h>
#include <string.h>

#include "base/file.h"
#include "base/grid.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/printable.h"
#include "cli/document.h"
#include "cli/report/figures.h"
#include "cli/version.h"

enum { REPORT_MAX = 256 << 20, SCHEMA = 1, NAMED = 20, SHOWN = 200 };
static const char WARN[] = "warn:", REPORT[] = "_generate_rel.json";
static const char *const states[RP_JOB_STATES] = {"current", "built", "failed", "waiting"};
static const char *const shown[RP_JOB_STATES] = {"up to date", "built", "failed", "not built"};

static size_t count_of(const struct rp_summary *summary, enum rp_job_state state) {
    size_t count = 0;
    for (size_t i = 0; i < summary->jobs->count; i++)
        count += summary->jobs->items[i].selected && summary->jobs->items[i].state == state;
    return count;
}

/* An error on one line: its first, with the next one if that says what is wrong. */
static const char *short_error(struct rp_arena *arena, const char *error) {
    size_t len = strcspn(error, "\n");
    const char *next = error + len + strspn(error + len, "\n ");
    bool goes_on = len != 0 && error[len - 1] == ':' && *next != '\0';
    const char *line = rp_format(arena, "%.*s%s%.*s", (int)len, error, goes_on ? " " : "",
                                 goes_on ? (int)strcspn(next, "\n") : 0, next);
    bool fits = strlen(line) <= SHOWN;
    return rp_printable(arena, rp_format(arena, "%.*s%s", SHOWN, line, fits ? "" : " ..."));
}

/* ---- figures ---- */

/* A stamp has those of the report that it is about. */
static void read_figures(struct rp_batch_figures *figures, struct rp_arena *arena,
                         const struct rp_job *job) {
    struct rp_arena own = {0};
    struct rp_bytes text;
    const char *name = rp_format(arena, "%s%s", job->cell->model, REPORT);
    figures->memory = job->memory;
    bool known =
        job->memory.count != 0 ||
        (rp_file_look(&own, rp_path_join(&own, job->folder, name), REPORT_MAX, &text, NULL) &&
         rp_memory_read(&figures->memory, arena, (const char *)text.data, text.size));
    if (known)
        figures->report = name;
    rp_arena_release(&own);
}

static bool find_reported(const struct rp_batch_figures *figures, enum rp_figure figure,
                          uint64_t *bytes) {
    for (size_t i = 0; i < figures->memory.count; i++)
        if (strcmp(figures->memory.items[i].name, rp_figure_key(figure)) == 0) {
            *bytes = figures->memory.items[i].bytes;
            return true;
        }
    return false;
}

/* The report leaves totals to its reader. */
static bool find_figure(const struct rp_batch_figures *figures, enum rp_figure figure,
                        uint64_t *bytes) {
    const enum rp_figure part = rp_figure_without_acts(figure);
    uint64_t acts = 0;
    const bool known =
        find_reported(figures, part, bytes) && (part == figure || figures->memory.acts_outside ||
                                                find_reported(figures, RP_FIGURE_ACTS, &acts));
    *bytes += acts;
    return known;
}

/* ---- budgets ---- */

bool rp_summary_budget(struct rp_summary *summary, const char *text, struct rp_error *err) {
    struct rp_arena *arena = summary->arena;
    struct rp_amount amount;
    size_t len = strcspn(text, "=");
    const char *left = rp_strndup(arena, text, len), *colon = strrchr(left, ':');
    struct rp_batch_budget budget = {.given = text};
    if (text[len] == '\0')
        return rp_fail(err, RP_E_USAGE, "the budget '%s' is not [CELLS:]KEY=SIZE", text);
    budget.pattern = colon != NULL ? rp_strndup(arena, left, (size_t)(colon - left)) : "*";
    const char *key = colon != NULL ? colon + 1 : left;
    budget.figure = rp_figure_find(key);
    budget.amount = text + len + 1;
    budget.is_warning = rp_has_prefix(budget.amount, WARN);
    budget.amount += budget.is_warning ? strlen(WARN) : 0;
    if (budget.figure == RP_FIGURES) {
        rp_fail(err, RP_E_USAGE, "unknown budget '%s'; there are: %s", key, rp_figure_keys());
        return rp_hint_nearest(err, key, "", rp_figure_keys());
    }
    if (!rp_amount_parse(budget.amount, &amount) || amount.is_growth || amount.in_percent) {
        rp_fail(err, RP_E_USAGE, "the budget '%s': '%s' is not a SIZE", text, budget.amount);
        return rp_hint(err, "a budget of the batch is a sum over cells; growth and shares of a "
                            "device are for the option budget of a model or target");
    }
    budget.limit = rp_amount_limit(&amount, 0);
    for (size_t i = 0; i < summary->jobs->count; i++)
        budget.cells += rp_cell_matches(summary->jobs->items[i].cell, arena, budget.pattern);
    if (budget.cells == 0)
        return rp_fail(err, RP_E_USAGE, "the budget '%s': no cell matches '%s'", text,
                       budget.pattern);
    *RP_PUSH(arena, &summary->budgets) = budget;
    return true;
}

void rp_summary_read(struct rp_summary *summary) {
    const struct rp_jobs *jobs = summary->jobs;
    summary->figures = rp_alloc(summary->arena, jobs->count, sizeof *summary->figures);
    for (size_t i = 0; i < jobs->count; i++)
        if (jobs->items[i].state == RP_JOB_CURRENT || jobs->items[i].state == RP_JOB_BUILT)
            read_figures(&summary->figures[i], summary->arena, &jobs->items[i]);
    for (size_t k = 0; k < summary->budgets.count; k++) {
        struct rp_batch_budget *budget = &summary->budgets.items[k];
        for (size_t i = 0; i < jobs->count; i++) {
            uint64_t bytes = 0;
            if (!rp_cell_matches(jobs->items[i].cell, summary->arena, budget->pattern))
                continue;
            budget->unknown += !find_figure(&summary->figures[i], budget->figure, &bytes);
            budget->value += bytes;
        }
    }
    rp_jobs_find_others(jobs, &summary->others);
}

static const char *status_of(const struct rp_batch_budget *budget) {
    return budget->value > budget->limit ? budget->is_warning ? "warn" : "over"
           : budget->unknown != 0        ? "unknown"
                                         : "ok";
}

/* ---- JSON ---- */

static struct rp_json *job_json(const struct rp_summary *summary, size_t index) {
    const struct rp_job *job = &summary->jobs->items[index];
    const struct rp_batch_figures *figures = &summary->figures[index];
    struct rp_json *cell =
        RP_JSON_NEW(RP_JSON_S("model", job->cell->model), RP_JSON_S("target", job->cell->target),
                    RP_JSON_S("variant", job->cell->variant), RP_JSON_S("folder", job->cell->name),
                    RP_JSON_S("state", states[job->state]), RP_JSON_B("selected", job->selected));
    struct rp_json *words = rp_json_new_array(cell, "options");
    for (size_t i = 0; i < job->cell->words.count; i++)
        rp_json_push_string(words, job->cell->words.items[i]);
    if (figures->report != NULL) {
        rp_json_put_string(cell, "report",
                           rp_path_join(summary->arena, job->cell->name, figures->report));
        struct rp_json *memory = rp_json_new_object(cell, "memory");
        for (size_t i = 0; i < figures->memory.count; i++)
            rp_json_put_int(memory, figures->memory.items[i].name,
                            (int64_t)figures->memory.items[i].bytes);
    }
    if (job->state == RP_JOB_FAILED) {
        RP_JSON_PUT(cell, RP_JSON_S("error", job->error),
                    RP_JSON_S("log", rp_path_join(summary->arena, job->cell->name, "cell.log")));
        if (job->exit_code >= 0)
            rp_json_put_int(cell, "exit_code", job->exit_code);
    }
    return cell;
}

struct rp_json *rp_summary_json(const struct rp_summary *summary) {
    const struct rp_jobs *jobs = summary->jobs;
    struct rp_json *root =
        RP_JSON_PUT(rp_document("batch", SCHEMA, "batch"), RP_JSON_S("matrix", summary->matrix),
                    RP_JSON_S("output", summary->output));
    struct rp_json *totals = rp_json_new_object(root, "totals");
    size_t selected = 0;
    for (int i = 0; i < RP_JOB_STATES; i++)
        selected += count_of(summary, (enum rp_job_state)i);
    rp_json_put_int(totals, "cells", (int64_t)jobs->count);
    rp_json_put_int(totals, "selected", (int64_t)selected);
    for (int i = 0; i < RP_JOB_STATES; i++)
        rp_json_put_int(totals, states[i], (int64_t)count_of(summary, (enum rp_job_state)i));
    struct rp_json *cells = rp_json_new_array(root, "cells");
    for (size_t i = 0; i < jobs->count; i++)
        rp_json_push(cells, job_json(summary, i));
    struct rp_json *budgets = rp_json_new_array(root, "budgets");
    for (size_t i = 0; i < summary->budgets.count; i++) {
        const struct rp_batch_budget *budget = &summary->budgets.items[i];
        rp_json_push(budgets, RP_JSON_NEW(RP_JSON_S("cells", budget->pattern),
                                          RP_JSON_S("metric", rp_figure_key(budget->figure)),
                                          RP_JSON_N("limit", budget->limit),
                                          RP_JSON_N("value", budget->value),
                                          RP_JSON_N("count", budget->cells),
                                          RP_JSON_N("unknown", budget->unknown),
                                          RP_JSON_S("status", status_of(budget))));
    }
    struct rp_json *others = rp_json_new_array(root, "removed");
    for (size_t i = 0; i < summary->others.count; i++)
        rp_json_push_string(others, summary->others.items[i]);
    return root;
}

/* ---- text ---- */

static void write_cells(const struct rp_summary *summary, bool markdown, struct rp_buf *out) {
    struct rp_grid grid = {.arena = summary->arena};
    rp_grid_column(&grid, "cell", true);
    rp_grid_column(&grid, "state", true);
    for (int k = 0; k < RP_FIGURES_MAIN; k++)
        rp_grid_column(&grid, rp_figure_key((enum rp_figure)k), false);
    for (size_t i = 0; i < summary->jobs->count; i++) {
        const struct rp_job *job = &summary->jobs->items[i];
        if (!job->selected)
            continue;
        rp_grid_cell(&grid, "%s", job->cell->name);
        rp_grid_cell(&grid, "%s", shown[job->state]);
        for (int k = 0; k < RP_FIGURES_MAIN; k++) {
            uint64_t bytes;
            if (find_figure(&summary->figures[i], (enum rp_figure)k, &bytes))
                rp_grid_number(&grid, bytes);
            else
                rp_grid_cell(&grid, "-");
        }
    }
    rp_grid_print(&grid, markdown, out);
}

static void write_budgets(const struct rp_summary *summary, bool markdown, struct rp_buf *out) {
    struct rp_grid grid = {.arena = summary->arena};
    if (summary->budgets.count == 0)
        return;
    rp_grid_column(&grid, "budget", true);
    rp_grid_column(&grid, "cells", false);
    rp_grid_column(&grid, "sum", false);
    rp_grid_column(&grid, "limit", false);
    rp_grid_column(&grid, "status", true);
    for (size_t i = 0; i < summary->budgets.count; i++) {
        const struct rp_batch_budget *budget = &summary->budgets.items[i];
        rp_grid_cell(&grid, "%s", rp_printable(out->arena, budget->given));
        rp_grid_number(&grid, budget->cells);
        rp_grid_number(&grid, budget->value);
        rp_grid_number(&grid, budget->limit);
        rp_grid_cell(&grid, "%s", status_of(budget));
    }
    rp_buf_puts(out, "\n");
    rp_grid_print(&grid, markdown, out);
}

/* Text of a line, safe where it is printed. */
static const char *safe(struct rp_arena *arena, bool markdown, const char *text) {
    const char *printable = rp_printable(arena, text);
    return markdown ? rp_escaped(arena, printable) : printable;
}

static void write_lines(const struct rp_summary *summary, bool markdown, struct rp_buf *out) {
    struct rp_arena *arena = out->arena;
    const char *mark = markdown ? "- " : "";
    bool any = false;
    for (size_t i = 0; i < summary->jobs->count; i++) {
        const struct rp_job *job = &summary->jobs->items[i];
        if (!job->selected || job->state != RP_JOB_FAILED)
            continue;
        const char *name = safe(arena, markdown, job->cell->name);
        rp_buf_printf(out, "%s%s%s: %s (log: %s/cell.log)\n", any ? "" : "\n", mark, name,
                      safe(arena, markdown, short_error(arena, job->error)), name);
        any = true;
    }
    for (size_t i = 0; i < summary->others.count; i++)
        rp_buf_printf(out, "%s%s%s is no cell of the matrix any more; its files are left\n",
                      i == 0 ? "\n" : "", mark, safe(arena, markdown, summary->others.items[i]));
}

void rp_summary_text(const struct rp_summary *summary, bool markdown, struct rp_buf *out) {
    write_cells(summary, markdown, out);
    write_budgets(summary, markdown, out);
    write_lines(summary, markdown, out);
    rp_buf_puts(out, "\n");
    for (int i = 0, some = 0; i < RP_JOB_STATES; i++) {
        size_t count = count_of(summary, (enum rp_job_state)i);
        if (count != 0)
            rp_buf_printf(out, "%s%zu %s", some++ != 0 ? ", " : "", count, shown[i]);
    }
    rp_buf_puts(out, "\n");
}

void rp_summary_cases(const struct rp_summary *summary, struct rp_cases *cases) {
    for (size_t i = 0; i < summary->jobs->count; i++) {
        const struct rp_job *job = &summary->jobs->items[i];
        if (job->selected)
            *RP_PUSH(summary->arena, cases) =
                (struct rp_case){.group = "batch",
                                 .name = job->cell->name,
                                 .failure = job->state == RP_JOB_FAILED    ? job->error
                                            : job->state == RP_JOB_WAITING ? "not built"
                                                                           : NULL};
    }
}

/* ---- the end ---- */

bool rp_summary_check(const struct rp_summary *summary, struct rp_error *err) {
    struct rp_arena *arena = summary->arena;
    struct rp_buf text = {.arena = arena};
    size_t failed = count_of(summary, RP_JOB_FAILED), waiting = count_of(summary, RP_JOB_WAITING);
    size_t named = 0;
    for (size_t i = 0; i < summary->jobs->count && named < NAMED; i++) {
        const struct rp_job *job = &summary->jobs->items[i];
        if (!job->selected || job->state != RP_JOB_FAILED)
            continue;
        named++;
        rp_buf_printf(&text, "\n  %s: %s (log: %s/cell.log)", job->cell->name,
                      short_error(arena, job->error), job->folder);
    }
    if (failed > named)
        rp_buf_printf(&text, "\n  and %zu more", failed - named);
    if (failed + waiting != 0) {
        rp_fail(err, RP_E_BATCH, "%zu cell%s failed%s:%s", failed, failed == 1 ? "" : "s",
                waiting != 0 ? rp_format(arena, ", %zu not begun", waiting) : "",
                rp_buf_text(&text));
        return waiting != 0 ? rp_hint(err, "--keep-going goes on after a cell that fails") : false;
    }
    for (size_t i = 0; i < summary->budgets.count; i++) {
        const struct rp_batch_budget *budget = &summary->budgets.items[i];
        if (budget->value > budget->limit && !budget->is_warning)
            rp_buf_printf(&text,
                          "%s%s of %zu cells is %" PRIu64 " bytes, the budget '%s' is %" PRIu64,
                          text.len != 0 ? "; " : "", rp_figure_key(budget->figure), budget->cells,
                          budget->value, budget->given, budget->limit);
    }
    return text.len == 0 || rp_fail(err, RP_E_BUDGET, "%s", rp_buf_text(&text));
}
