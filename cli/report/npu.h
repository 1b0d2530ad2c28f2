/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reports add for Neural-ART images: pools, blobs of the epoch controller, the runtime's
 * release, the members of the vendor's own JSON. The figures come from the linked file, not from
 * the plan.
 */
#ifndef RP_CLI_REPORT_NPU_H
#define RP_CLI_REPORT_NPU_H

#include "cli/report/report.h"

extern const struct rp_report_format rp_report_neural_art;

#endif
