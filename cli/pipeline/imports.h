/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of the firmware that an image imports: from the compiled objects to the reports. */
#ifndef RP_CLI_PIPELINE_IMPORTS_H
#define RP_CLI_PIPELINE_IMPORTS_H

#include "cli/report/report.h"
#include "elfpack/reader.h"

/* The names that the user gave, for the scan of the objects. */
const struct rp_strings *rp_host_import_names(struct rp_package *package);
/*
 * After the scan: which of them are wanted, which need a stub; adds the unit with both, and sets
 * package->imports. RP_E_USAGE when the model has the symbol itself.
 */
bool rp_host_imports_settle(struct rp_package *package, struct rp_error *err);

/* imports of the JSON report; the text report's part; what nothing refers to, as a note. */
void rp_host_imports_json(struct rp_json *root, const struct rp_package *package);
void rp_host_imports_text(const struct rp_package *package, struct rp_buf *out);
void rp_host_imports_say(struct rp_report *report);

/* The list of an image, as `inspect` shows it. */
void rp_image_imports_print(const struct rp_image_view *image);
void rp_image_imports_json(struct rp_json *root, const struct rp_image_view *image);

#endif
