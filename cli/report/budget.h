/* SPDX-License-Identifier: Apache-2.0 */
/* Limits for memory figures: --budget and --budget-file of `generate`. */
#ifndef RP_CLI_REPORT_BUDGET_H
#define RP_CLI_REPORT_BUDGET_H

#include "cli/report/report.h"

/*
 * Adds to report->budgets the limits of items ("KEY=SIZE") and those of the file at path, a JSON
 * object of the same (NULL: no file). RP_E_USAGE, RP_E_MANIFEST.
 */
bool rp_budgets_read(struct rp_report *report, struct rp_arena *arena,
                     const struct rp_strings *items, const char *path, struct rp_error *err);
/* Fails with RP_E_BUDGET when a figure is above its limit. */
bool rp_budgets_check(const struct rp_report *report, struct rp_error *err);

#endif
