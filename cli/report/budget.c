/* SPDX-License-Identifier: Apache-2.0 */
/* Budgets: see budget.h. */
#include "cli/report/budget.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/nearest.h"
#include "cli/options.h"
#include "cli/report/figures.h"

static bool add_budget(struct rp_report *report, struct rp_arena *arena, const char *metric,
                       uint64_t limit, struct rp_error *err) {
    uint64_t ignored;
    static const char known[] = "flash ram_xip ram_copy params acts ext_ram got header_and_rel";
    if (!rp_report_metric(report, metric, &ignored)) {
        rp_fail(err, RP_E_USAGE, "budget '%s' is not known; there are: %s", metric, known);
        return rp_hint_nearest(err, metric, "", known);
    }
    *RP_PUSH(arena, &report->budgets) = (struct rp_budget){metric, limit, 0};
    return true;
}

static bool read_budget_file(struct rp_report *report, struct rp_arena *arena, const char *path,
                             struct rp_error *err) {
    struct rp_bytes text;
    if (!rp_file_read(arena, path, 1 << 20, &text, err))
        return false;
    struct rp_json *root = rp_json_parse((const char *)text.data, text.size, path, err);
    bool ok = root != NULL && (rp_json_type_of(root) == RP_JSON_OBJECT ||
                               rp_fail(err, RP_E_MANIFEST, "%s: not a JSON object", path));
    for (const struct rp_json *item = rp_json_first(root); ok && item != NULL;
         item = rp_json_next(item)) {
        int64_t limit;
        ok = rp_json_integer(item, 0, INT64_MAX / 2, &limit)
                 ? add_budget(report, arena, rp_strdup(arena, rp_json_key(item)), (uint64_t)limit,
                              err)
                 : rp_fail(err, RP_E_MANIFEST, "%s: every member has to be a whole number of bytes",
                           path);
    }
    rp_json_free(root);
    return ok;
}

bool rp_budgets_read(struct rp_report *report, struct rp_arena *arena,
                     const struct rp_strings *items, const char *path, struct rp_error *err) {
    for (size_t i = 0; i < items->count; i++) {
        const char *text = items->items[i];
        size_t len = strcspn(text, "=");
        unsigned limit;
        if (text[len] == '\0' || !rp_parse_size(text + len + 1, &limit))
            return rp_fail(err, RP_E_USAGE, "--budget '%s' is not KEY=SIZE", text);
        if (!add_budget(report, arena, rp_strndup(arena, text, len), limit, err))
            return false;
    }
    return path == NULL || read_budget_file(report, arena, path, err);
}

bool rp_budgets_check(const struct rp_report *report, struct rp_error *err) {
    struct rp_buf broken = {.arena = report->package->arena};
    for (size_t i = 0; i < report->budgets.count; i++) {
        const struct rp_budget *budget = &report->budgets.items[i];
        if (budget->value > budget->limit)
            rp_buf_printf(&broken, "%s%s has %llu bytes, its budget is %llu",
                          broken.len != 0 ? "; " : "", budget->metric,
                          (unsigned long long)budget->value, (unsigned long long)budget->limit);
    }
    return broken.len == 0 || rp_fail(err, RP_E_BUDGET, "%s", broken.data);
}
