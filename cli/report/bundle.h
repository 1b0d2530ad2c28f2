/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Glow bundle in the reports: the numbers in the control block of a loadable module
 * (docs/DIALECTS.md, "glow"). Sizes and offsets are in bytes.
 */
#ifndef RP_CLI_REPORT_BUNDLE_H
#define RP_CLI_REPORT_BUNDLE_H

#include "base/buf.h"
#include "base/json.h"
#include "cli/report/report.h"

/* Both do nothing for other models. This one adds the member "bundle" to the JSON report. */
void rp_bundle_json(struct rp_json *root, const struct rp_report *report);
void rp_bundle_text(const struct rp_report *report, struct rp_buf *out);

#endif
