/* SPDX-License-Identifier: Apache-2.0 */
/* A report's diagnostics: see report.h. */
#include "cli/report/report.h"

struct rp_diagnostic *rp_report_say(struct rp_report *report, const char *severity, const char *id,
                                    const char *message) {
    return rp_diagnose(report->package->arena, report->diagnostics, severity, id, message);
}
