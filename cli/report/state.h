/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of a model that keep their values from one run to the next. */
#ifndef RP_CLI_REPORT_STATE_H
#define RP_CLI_REPORT_STATE_H

#include "cli/report/report.h"

/* For plain C: adds a note that names them. */
void rp_report_state(struct rp_report *report);

#endif
