/* SPDX-License-Identifier: Apache-2.0 */
/* The report as text: first the block of the vendor's tools, line for line, then what it lacks. */
#ifndef RP_CLI_REPORT_TEXT_H
#define RP_CLI_REPORT_TEXT_H

#include "base/buf.h"
#include "cli/report/report.h"

void rp_report_text(const struct rp_report *report, struct rp_buf *out);

#endif
