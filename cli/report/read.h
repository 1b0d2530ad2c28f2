/* SPDX-License-Identifier: Apache-2.0 */
/* What an image was made from, by its report. */
#ifndef RP_CLI_REPORT_READ_H
#define RP_CLI_REPORT_READ_H

#include "cli/report/run.h"

/*
 * Takes what the user has not given from the report. RP_E_INPUT, RP_E_MANIFEST: it cannot be read;
 * RP_E_UNTRUSTED as of rp_run_read.
 */
bool rp_report_read(struct rp_report_use *use, struct rp_arena *arena,
                    struct rp_source_options *source, struct rp_error *err);
/*
 * The first of the files of which the report at path says that the image was made from one of that
 * name with other contents; or NULL. files: of rp_package_files.
 */
const char *rp_report_changed(struct rp_arena *arena, const char *path,
                              const struct rp_strings *files);

#endif
