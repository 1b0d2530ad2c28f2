/* SPDX-License-Identifier: Apache-2.0 */
/* Limits for memory figures: --budget, --budget-file and --baseline of `generate`. */
#ifndef RP_CLI_GENERATE_BUDGET_H
#define RP_CLI_GENERATE_BUDGET_H

#include "cli/generate/generation.h"

/*
 * Adds to the report the limits of the options: "KEY=[warn:]AMOUNT", and those of the file, a JSON
 * object {KEY: AMOUNT or {"warn": AMOUNT, "fail": AMOUNT}}. The device must be known, and the model
 * open. RP_E_USAGE: an amount that is none, or that needs a device or a baseline that is not given;
 * RP_E_MANIFEST; errors of rp_facts_read.
 */
bool rp_budgets_read(struct rp_generation *run, struct rp_error *err);
/* Compares with what was built, and adds warnings to the diagnostics. */
void rp_budgets_measure(struct rp_report *report);
/* Fails with RP_E_BUDGET when a figure is above its limit. */
bool rp_budgets_check(const struct rp_report *report, struct rp_error *err);

#endif
