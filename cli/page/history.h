/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The figures of builds for other programs: a table for spreadsheets, and metrics for Prometheus.
 * In: what a page is made from. Out: text. Pure.
 */
#ifndef RP_CLI_PAGE_HISTORY_H
#define RP_CLI_PAGE_HISTORY_H

#include "cli/page/page.h"

/* A row for each build: model, report, started, a column for each label, figures in bytes. */
void rp_history_csv(struct rp_buf *out, const struct rp_page *page);
/*
 * The figures of each model's last build in Prometheus' text format, with the build's labels. The
 * builds before are in Prometheus' own history.
 */
void rp_history_prometheus(struct rp_buf *out, const struct rp_page *page);

#endif
