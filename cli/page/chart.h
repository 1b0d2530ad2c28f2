/* SPDX-License-Identifier: Apache-2.0 */
/* Bars of layers, and lines of a history. Widths are in per cent, as those of treemaps. Pure. */
#ifndef RP_CLI_PAGE_CHART_H
#define RP_CLI_PAGE_CHART_H

#include "base/buf.h"
#include "cli/page/read.h"

enum { RP_BAR_ROW = 22, RP_LINES_HEIGHT = 120 };

/* A row of RP_BAR_ROW pixels for each fact of the group, at most so many; returns their number. */
size_t rp_chart_bars(struct rp_buf *out, const struct rp_facts *facts, enum rp_fact_group group,
                     size_t most);

struct rp_history {
    struct rp_page_glance *items; /* the oldest first */
    size_t count;
    size_t capacity;
};

/*
 * A figure over all builds, RP_LINES_HEIGHT high, from its least to its largest value (range).
 * false: fewer than two of them have it.
 */
bool rp_chart_lines(struct rp_buf *out, const struct rp_history *history, enum rp_figure figure,
                    uint64_t range[2]);

#endif
