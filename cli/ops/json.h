/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the results of `ops` and `ops --list` as JSON. */
#ifndef RP_CLI_OPS_JSON_H
#define RP_CLI_OPS_JSON_H

#include "cli/ops/report.h"

void rp_ops_print_json(const struct rp_ops_report *report);
void rp_ops_list_json(void);

#endif
