/* SPDX-License-Identifier: Apache-2.0 */
/* --junit: runs that were compared as test cases, and the command itself as the last of them. */
#ifndef RP_CLI_REPORT_CI_JUNIT_H
#define RP_CLI_REPORT_CI_JUNIT_H

#include "cli/report/ci/outcome.h"

void rp_junit_write(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                    struct rp_buf *out);

#endif
