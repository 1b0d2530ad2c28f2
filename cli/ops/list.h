/* SPDX-License-Identifier: Apache-2.0 */
/* Prints `ops --list` for people. */
#ifndef RP_CLI_OPS_LIST_H
#define RP_CLI_OPS_LIST_H

#include "cli/ops/form.h"
#include "toolchain/graph/graph.h"

const char *rp_ops_format_title(enum rp_graph_format format);
/* The tables of operators, and the rules. */
void rp_ops_list_operators(const struct rp_ops_form *form);
void rp_ops_list_rules(const struct rp_ops_form *form);

#endif
