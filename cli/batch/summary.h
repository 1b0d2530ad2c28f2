/* SPDX-License-Identifier: Apache-2.0 */
/* What became of a batch: states, memory, budgets for the whole, as JSON, text and Markdown. */
#ifndef RP_CLI_BATCH_SUMMARY_H
#define RP_CLI_BATCH_SUMMARY_H

#include "base/buf.h"
#include "base/json.h"
#include "cli/batch/jobs.h"
#include "cli/figures.h"
#include "cli/amount.h"
#include "cli/report/ci/diagnostics.h"

/* What is known of the image of a cell. */
struct rp_batch_figures {
    const char *report; /* file name in the cell's folder; NULL: there is none that counts */
    struct rp_memory_figures memory;
};

/* A limit for the sum of a figure over cells. */
struct rp_batch_budget {
    const char *given; /* as it was given */
    const char *pattern;
    enum rp_figure figure;
    const char *amount;
    bool is_warning;
    uint64_t limit;
    uint64_t value;
    size_t cells;   /* that match */
    size_t unknown; /* of these: without the figure */
};

struct rp_summary {
    struct rp_arena *arena;
    const char *matrix, *output; /* file and folder, as the user wrote them */
    const struct rp_jobs *jobs;
    struct rp_batch_figures *figures; /* of each job */
    struct {
        struct rp_batch_budget *items;
        size_t count;
        size_t capacity;
    } budgets;
    struct rp_strings others; /* cells of earlier runs */
};

/* Takes a budget in. RP_E_USAGE: it is none, or of growth or a share, or its pattern fits no cell.
 */
bool rp_summary_budget(struct rp_summary *summary, const char *text, struct rp_error *err);
/* Reads the reports of all cells that are up to date, and adds up. */
void rp_summary_read(struct rp_summary *summary);
/* docs/batch.schema.json. Free with rp_json_free. */
struct rp_json *rp_summary_json(const struct rp_summary *summary);
/* Cells that were selected. */
void rp_summary_text(const struct rp_summary *summary, bool markdown, struct rp_buf *out);
/* A case for each selected cell. */
void rp_summary_cases(const struct rp_summary *summary, struct rp_cases *cases);
/* RP_E_BATCH: cells have failed or were not made; RP_E_BUDGET. */
bool rp_summary_check(const struct rp_summary *summary, struct rp_error *err);

#endif
