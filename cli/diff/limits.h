/* SPDX-License-Identifier: Apache-2.0 */
/* How much figures may grow: "flash=+2%,ram_xip=+512". */
#ifndef RP_CLI_DIFF_LIMITS_H
#define RP_CLI_DIFF_LIMITS_H

#include "cli/facts/compare.h"
#include "cli/amount.h"

struct rp_limit {
    const char *text; /* "+2%" */
    const char *name; /* of a figure of memory or time */
    struct rp_amount growth;
    bool used;        /* a pair of reports has the figure */
    const char *gone; /* the new report of a pair in which only the old one has it; else NULL */
};
struct rp_limits {
    struct rp_limit *items;
    size_t count;
    size_t capacity;
};

/* A figure that grew more than it may. */
struct rp_excess {
    const struct rp_diff *diff;
    const struct rp_limit *limit;
    const struct rp_change *change;
};
struct rp_excesses {
    struct rp_excess *items;
    size_t count;
    size_t capacity;
};

/* Reads KEY=+N, KEY=+NK, KEY=+N%. RP_E_USAGE names the one that is wrong. */
bool rp_limits_read(struct rp_limits *limits, struct rp_arena *arena,
                    const struct rp_strings *items, struct rp_error *err);
/*
 * Adds what is exceeded. A figure that only the new report has counts as grown from 0; of one that
 * is gone nothing can be said, which rp_limits_hold reports.
 */
void rp_limits_check(struct rp_limits *limits, const struct rp_diff *diff,
                     struct rp_excesses *excesses);
/* RP_E_USAGE: no report has the figure of a limit; names those that there are. */
bool rp_limits_used(const struct rp_limits *limits, const struct rp_diff *any,
                    struct rp_error *err);
/* RP_E_INPUT: there was a figure that is gone, or nothing was compared. */
bool rp_limits_hold(const struct rp_limits *limits, size_t compared, struct rp_error *err);

#endif
