/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the image and its files consist of, to the byte. In: the layout, and the places to which the
 * writer put things. Out: rows. Those of one file cover each of its bytes exactly once, in order.
 */
#ifndef RP_CLI_REPORT_SECTIONS_H
#define RP_CLI_REPORT_SECTIONS_H

#include "base/buf.h"
#include "base/json.h"
#include "cli/report/report.h"

/* Fills in report->parts. RP_E_INTERNAL when the rows of a file do not cover it. */
bool rp_report_parts(struct rp_report *report, struct rp_error *err);

/* Members image.sections and symbols. */
void rp_sections_json(struct rp_json *image, const struct rp_report *report);
void rp_symbols_json(struct rp_json *root, const struct rp_report *report);
/* The rows of each file, with its size as their sum. */
void rp_sections_text(const struct rp_report *report, struct rp_buf *out);

#endif
