/* SPDX-License-Identifier: Apache-2.0 */
/* The members of archives that the linker took, in the report. */
#ifndef RP_CLI_REPORT_MEMBERS_H
#define RP_CLI_REPORT_MEMBERS_H

#include "base/json.h"
#include "cli/pipeline/package.h"

/*
 * Member "archive_members": each with its size and SHA-256, unless the archive cannot be read any
 * more or has several members of that name.
 */
void rp_members_json(struct rp_json *root, const struct rp_package *package);

#endif
