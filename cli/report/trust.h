/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a report may say without the user's word. Reports come along with images from elsewhere. The
 * model is built again from the files that a report names, which are read, by programs of the
 * user's own PATH; other programs, and what such programs would load, are named by the user, or the
 * user says --trust-report.
 */
#ifndef RP_CLI_REPORT_TRUST_H
#define RP_CLI_REPORT_TRUST_H

#include "cli/options.h"
#include "cli/pipeline/options.h"

/*
 * The part of an option's value that may start or load a program; NULL: there is none. A row
 * without RP_MARK_INERT that is not known here may do so with any value.
 */
const char *rp_trust_starts(const struct rp_source_options *source, const struct rp_option *row);

#endif
