/* SPDX-License-Identifier: Apache-2.0 */
/* Figures of a package that was linked and written. */
#ifndef RP_CLI_REPORT_FIGURES_H
#define RP_CLI_REPORT_FIGURES_H

#include "cli/report/report.h"

/* "gcc", "llvm" or "st-clang". */
const char *rp_toolchain_kind(const struct rp_package *package);
/* What two toolchains are compared by. */
struct rp_figures rp_figures_of(const struct rp_package *package,
                                const struct rp_image_result *image);

#endif
