/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware that an image imports, in the reports. */
#ifndef RP_CLI_REPORT_IMPORTS_H
#define RP_CLI_REPORT_IMPORTS_H

#include "base/buf.h"
#include "base/json.h"
#include "cli/pipeline/package.h"

/* Member "imports" of the JSON report. */
void rp_host_imports_json(struct rp_json *root, const struct rp_package *package);
/* The same as lines of the text report. */
void rp_host_imports_text(const struct rp_package *package, struct rp_buf *out);
/* "version 2", or "any version" for 0. */
void rp_import_version(struct rp_buf *out, uint32_t version);

#endif
