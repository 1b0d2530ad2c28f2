/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the result of `ops` for people. */
#ifndef RP_CLI_OPS_TEXT_H
#define RP_CLI_OPS_TEXT_H

#include "cli/ops/report.h"

void rp_ops_print(const struct rp_ops_report *report);
void rp_ops_print_markdown(const struct rp_ops_report *report);

#endif
