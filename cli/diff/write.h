/* SPDX-License-Identifier: Apache-2.0 */
/* Differences as text, Markdown, JSON or CSV. */
#ifndef RP_CLI_DIFF_WRITE_H
#define RP_CLI_DIFF_WRITE_H

#include "base/buf.h"
#include "cli/diff/limits.h"

enum rp_diff_format { RP_DIFF_TEXT, RP_DIFF_MARKDOWN, RP_DIFF_JSON, RP_DIFF_CSV };

/* All that was compared. */
struct rp_diffs {
    struct rp_diff *items;
    size_t count;
    size_t capacity;
    struct rp_strings gone, added; /* reports that only one of two folders has */
    struct rp_excesses excesses;
};

/* The name of the model; where several have this name, with the folder of its new report. */
const char *rp_diffs_label(const struct rp_diffs *diffs, const struct rp_diff *diff);
/* docs/CLI.md, "diff"; docs/diff.schema.json. */
void rp_diffs_write(const struct rp_diffs *diffs, struct rp_arena *arena,
                    enum rp_diff_format format, struct rp_buf *out);

#endif
