/* SPDX-License-Identifier: Apache-2.0 */
/* --annotate: diagnostics as GitHub and GitLab show them beside the lines of a change. */
#ifndef RP_CLI_REPORT_CI_ANNOTATE_H
#define RP_CLI_REPORT_CI_ANNOTATE_H

#include "cli/report/ci/outcome.h"

/* Takes apart the value of --annotate. RP_E_USAGE. */
bool rp_annotate_choose(struct rp_diagnosed *said, struct rp_error *err);
void rp_annotate_github(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                        struct rp_buf *out);
void rp_annotate_gitlab(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                        struct rp_buf *out);

#endif
