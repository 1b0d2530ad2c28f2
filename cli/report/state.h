/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of a model that keep their values from one run to the next. */
#ifndef RP_CLI_REPORT_STATE_H
#define RP_CLI_REPORT_STATE_H

#include "cli/pipeline/package.h"

/*
 * For plain C: adds a note that names them. Most are scratch memory; whether a run depends on the
 * one before, `verify` knows.
 */
void rp_report_state(const struct rp_package *package, struct rp_diagnostics *notes);

#endif
