/* SPDX-License-Identifier: Apache-2.0 */
/* A report's diagnostics: see report.h. */
#include "cli/report/report.h"

struct rp_diagnostic *rp_report_say(struct rp_report *report, const char *id, const char *message) {
    return rp_diagnose(report->package->arena, report->diagnostics, id, message);
}

const char *rp_budget_status(const struct rp_budget *budget, const char *over) {
    return budget->value <= budget->limit ? "ok" : budget->is_warning ? "warn" : over;
}
