/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets: see budget.h. */
#include "cli/generate/budget.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "base/path.h"
#include "cli/facts/facts.h"
#include "cli/report/device.h"
#include "cli/report/figures.h"

#define WARN        "warn:"
#define LEVELS      "warn fail"
#define BUDGET_HINT "for example --budget flash=64K --budget ram_xip=warn:50%%"

struct reading {
    struct rp_report *report;
    struct rp_arena *arena;
    struct rp_facts *baseline; /* NULL: none */
    const char *where;         /* in front of messages: "FILE: " */
    struct rp_error *err;
};

static bool find_fact(const struct rp_facts *facts, const char *name, uint64_t *value) {
    for (size_t i = 0; i < facts->count; i++)
        if (facts->items[i].group == RP_FACT_MEMORY && strcmp(facts->items[i].name, name) == 0) {
            *value = (uint64_t)facts->items[i].number;
            return true;
        }
    return false;
}

/* What a figure was in the baseline. A total is not in it, but its parts are. */
static bool find_before(const struct reading *from, enum rp_figure figure, uint64_t *value) {
    const enum rp_figure part = rp_figure_without_acts(figure);
    uint64_t acts = 0;
    if (!find_fact(from->baseline, rp_figure_key(part), value) ||
        (part != figure && from->report->package->format->image->counts_acts &&
         !find_fact(from->baseline, rp_figure_key(RP_FIGURE_ACTS), &acts)))
        return rp_fail(from->err, RP_E_INPUT, "%s: the baseline has no figure for '%s'",
                       from->baseline->path, rp_figure_key(figure));
    *value += acts;
    return true;
}

static bool set_limit(const struct reading *from, struct rp_budget *budget) {
    uint64_t base = 0;
    if (budget->amount.is_growth) {
        if (from->baseline == NULL)
            return rp_fail(from->err, RP_E_USAGE,
                           "%sbudget '%s=%s' is growth: --baseline FILE has to say from what",
                           from->where, rp_figure_key(budget->figure), budget->given);
        if (!find_before(from, budget->figure, &base))
            return false;
    } else if (budget->amount.in_percent) {
        base = rp_device_size_for(from->report, budget->figure);
        if (base == 0) {
            rp_fail(from->err, RP_E_USAGE, "%sbudget '%s=%s' is a share: of what is not known",
                    from->where, rp_figure_key(budget->figure), budget->given);
            if (from->report->device.part.name != NULL)
                return rp_hint(from->err, "%s has no memory of that kind: give a SIZE",
                               from->report->device.part.name);
            return rp_hint(from->err, "give --device NAME, --device-flash or --device-ram");
        }
    }
    budget->limit = rp_amount_limit(&budget->amount, base);
    return true;
}

/* Adds a limit of text; is_warning: also without "warn:". */
static bool add(const struct reading *from, const char *metric, const char *text, bool is_warning) {
    struct rp_budget budget = {
        .figure = rp_figure_find(metric), .given = text, .is_warning = is_warning};
    if (rp_has_prefix(text, WARN)) {
        budget.is_warning = true;
        budget.given += strlen(WARN);
    }
    if (budget.figure == RP_FIGURES) {
        rp_fail(from->err, RP_E_USAGE, "%sunknown budget '%s'; there are: %s", from->where, metric,
                rp_figure_keys());
        return rp_hint_nearest(from->err, metric, "", rp_figure_keys());
    }
    if (!rp_amount_parse(budget.given, &budget.amount)) {
        rp_fail(from->err, RP_E_USAGE, "%sbudget '%s=%s': '%s' is none of SIZE, N%%, +SIZE, +N%%",
                from->where, metric, text, budget.given);
        return rp_hint(from->err, BUDGET_HINT);
    }
    if (!set_limit(from, &budget))
        return false;
    *RP_PUSH(from->arena, &from->report->budgets) = budget;
    return true;
}

/* Text, or a whole number of bytes. */
static const char *amount_text(struct rp_arena *arena, const struct rp_json *value) {
    int64_t number;
    if (rp_json_integer(value, 0, RP_JSON_EXACT, &number)) /* no image is larger than 32 bits */
        return rp_format(arena, "%lld", (long long)(number < UINT32_MAX ? number : UINT32_MAX));
    const char *text = rp_json_string(value);
    return text != NULL ? rp_strdup(arena, text) : NULL;
}

static bool add_value(const struct reading *from, const char *path, const char *metric,
                      const struct rp_json *value) {
    bool is_object = rp_json_type_of(value) == RP_JSON_OBJECT;
    const struct rp_json *levels = is_object ? rp_json_first(value) : value;
    do { /* an object without levels would limit nothing */
        const char *text = amount_text(from->arena, levels);
        const char *level = is_object && levels != NULL ? rp_json_key(levels) : "fail";
        bool is_warning = strcmp(level, "warn") == 0;
        if (!is_warning && strcmp(level, "fail") != 0) {
            rp_fail(from->err, RP_E_MANIFEST, "%s: '%s': unknown member '%s'; there are: " LEVELS,
                    path, metric, level);
            return rp_hint_nearest(from->err, level, "", LEVELS);
        }
        if (text == NULL)
            return rp_fail(from->err, RP_E_MANIFEST,
                           "%s: '%s' is neither a whole number of bytes, nor a text like \"4K\" or "
                           "\"50%%\", nor {\"warn\": ..., \"fail\": ...} of these",
                           path, metric);
        if (!add(from, metric, text, is_warning))
            return false;
        levels = is_object ? rp_json_next(levels) : NULL;
    } while (levels != NULL);
    return true;
}

static bool read_file(const struct reading *from, const char *path) {
    struct rp_json *root = rp_json_read(from->arena, path, 1 << 20, from->err);
    bool ok = root != NULL && (rp_json_type_of(root) == RP_JSON_OBJECT ||
                               rp_fail(from->err, RP_E_MANIFEST, "%s: not a JSON object", path));
    if (ok && rp_json_first(root) == NULL) {
        rp_fail(from->err, RP_E_MANIFEST, "%s: it limits nothing", path);
        ok = rp_hint(from->err, "for example {\"flash\": \"64K\"}; or leave out --budget-file");
    }
    for (const struct rp_json *item = rp_json_first(root); ok && item != NULL;
         item = rp_json_next(item))
        ok = add_value(from, path, rp_strdup(from->arena, rp_json_key(item)), item);
    rp_json_free(root);
    return ok;
}

/* A limit that is growth from another model says nothing; a model may have been renamed, though. */
static void warn_of_another_model(const struct reading *from) {
    const struct rp_facts *baseline = from->baseline;
    const char *name = from->report->package->model.name;
    if (baseline->source == RP_DOCUMENT_REPORT && strcmp(baseline->model, name) != 0 &&
        strcmp(baseline->model, rp_path_base(baseline->path)) != 0)
        rp_report_say(from->report, "RP1066",
                      rp_format(from->arena, "the baseline '%s' is of the model '%s', this is '%s'",
                                baseline->path, baseline->model, name));
}

bool rp_budgets_read(struct rp_generation *run, struct rp_error *err) {
    const struct rp_generate_options *options = run->options;
    struct rp_facts baseline;
    struct reading from = {&run->report, run->arena, NULL, "", err};
    if (options->limits.baseline != NULL) {
        if (!rp_facts_read(&baseline, run->arena, options->limits.baseline, err))
            return false;
        from.baseline = &baseline;
        warn_of_another_model(&from);
    }
    for (size_t i = 0; i < options->limits.budgets.count; i++) {
        const char *text = options->limits.budgets.items[i];
        size_t len = strcspn(text, "=");
        if (len == 0 || text[len] == '\0') {
            rp_fail(err, RP_E_USAGE, "--budget '%s' is not KEY=N", text);
            return rp_hint(err, BUDGET_HINT);
        }
        if (!add(&from, rp_strndup(run->arena, text, len), text + len + 1, false))
            return false;
    }
    if (options->limits.file == NULL)
        return true;
    from.where = rp_format(run->arena, "%s: ", options->limits.file);
    return read_file(&from, options->limits.file);
}

static const char *excess_of(struct rp_arena *arena, const struct rp_budget *budget) {
    const char *how = budget->amount.is_growth    ? " on the baseline"
                      : budget->amount.in_percent ? " of the device"
                                                  : NULL;
    return rp_format(arena, "%s has %llu bytes, its budget is %llu%s",
                     rp_figure_key(budget->figure), (unsigned long long)budget->value,
                     (unsigned long long)budget->limit,
                     how != NULL ? rp_format(arena, " (%s%s)", budget->given, how) : "");
}

void rp_budgets_measure(struct rp_report *report) {
    struct rp_arena *arena = report->package->arena;
    for (size_t i = 0; i < report->budgets.count; i++) {
        struct rp_budget *budget = &report->budgets.items[i];
        budget->value = rp_report_figure(report, budget->figure);
        if (budget->is_warning && budget->value > budget->limit)
            rp_report_say(report, "RP1065", excess_of(arena, budget))->asked = true;
    }
}

bool rp_budgets_check(const struct rp_report *report, struct rp_error *err) {
    struct rp_arena *arena = report->package->arena;
    struct rp_buf broken = {.arena = arena};
    for (size_t i = 0; i < report->budgets.count; i++) {
        const struct rp_budget *budget = &report->budgets.items[i];
        if (!budget->is_warning && budget->value > budget->limit)
            rp_buf_printf(&broken, "%s%s", broken.len != 0 ? "; " : "", excess_of(arena, budget));
    }
    return broken.len == 0 || rp_fail(err, RP_E_BUDGET, "%s", broken.data);
}
