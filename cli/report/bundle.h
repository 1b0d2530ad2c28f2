/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Glow bundle in the reports: what a control block of a loadable module has (docs/DIALECTS.md,
 * "glow"), as numbers. Sizes and offsets are bytes.
 */
#ifndef RP_CLI_REPORT_BUNDLE_H
#define RP_CLI_REPORT_BUNDLE_H

#include "base/buf.h"
#include "base/json.h"
#include "cli/report/report.h"

/* Both do nothing for other models. Adds the member "bundle" to the JSON report. */
void rp_bundle_json(struct rp_json *root, const struct rp_report *report);
void rp_bundle_text(const struct rp_report *report, struct rp_buf *out);

#endif
