/* SPDX-License-Identifier: Apache-2.0 */
/* --sarif: diagnostics in the form of SARIF 2.1.0. */
#ifndef RP_CLI_REPORT_CI_SARIF_H
#define RP_CLI_REPORT_CI_SARIF_H

#include "cli/report/ci/outcome.h"

void rp_sarif_write(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                    struct rp_buf *out);

#endif
