/* SPDX-License-Identifier: Apache-2.0 */
/* Notes and warnings about a finished pipeline. */
#ifndef RP_CLI_REPORT_NOTES_H
#define RP_CLI_REPORT_NOTES_H

#include "cli/report/report.h"

/* Adds notes and warnings to report->diagnostics. The image must have been written. */
void rp_report_notes(struct rp_report *report);
/*
 * For clang: adds the constant tables that the image patches in a copy of itself, as "NAME (FILE)".
 */
void rp_clang_tables(const struct rp_package *package, struct rp_strings *out);

#endif
