/* SPDX-License-Identifier: Apache-2.0 */
/* What `ops` found, as text, Markdown or JSON. */
#ifndef RP_CLI_OPS_OPS_H
#define RP_CLI_OPS_OPS_H

#include "toolchain/ops/ops.h"

struct rp_ops_report {
    const char *path;
    struct rp_arena *arena;
    struct rp_ops ops;
    struct rp_ops_groups groups;
    struct rp_ops_advices advices;
    const char *network_path;             /* NULL: nothing to compare with */
    const struct rp_ops_network *network; /* then NULL as well */
};

void rp_ops_print(const struct rp_ops_report *report);
void rp_ops_print_markdown(const struct rp_ops_report *report);
void rp_ops_print_json(const struct rp_ops_report *report);

/* ---- ops_list.c ---- */

struct rp_ops_form;
const char *rp_ops_format_title(enum rp_graph_format format);
/* The tables of operators, and the rules. */
void rp_ops_list_operators(const struct rp_ops_form *form);
void rp_ops_list_rules(const struct rp_ops_form *form);
void rp_ops_list_json(void);

#endif
