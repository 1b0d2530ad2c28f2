/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the report says about relocations: their counts, what is patched and where that comes from.
 */
#ifndef RP_CLI_REPORT_RELOCATIONS_H
#define RP_CLI_REPORT_RELOCATIONS_H

#include "base/json.h"
#include "cli/report/report.h"

/* Member "relocations". */
void rp_relocations_json(struct rp_json *root, const struct rp_report *report);

/* A function or table that the image patches in a copy of itself. */
struct rp_patched {
    const char *symbol; /* or "" */
    const char *file;   /* "model.c", "libm.a" */
    const char *member; /* or NULL */
    unsigned count;     /* words and instructions */
};
struct rp_patched_list {
    struct rp_patched *items;
    size_t count;
    size_t capacity;
};
/* Lists all of them, those with the most words first. */
void rp_report_patched(const struct rp_package *package, struct rp_patched_list *out);

#endif
