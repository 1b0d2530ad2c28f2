/* SPDX-License-Identifier: Apache-2.0 */
/* --compare-static and --compare-toolchains: the same model built otherwise, for its figures. */
#ifndef RP_CLI_PIPELINE_COMPARE_H
#define RP_CLI_PIPELINE_COMPARE_H

#include "cli/report/report.h"

/* Fills report->static_sizes when it was asked for. */
bool rp_compare_static(struct rp_report *report, struct rp_error *err);
/* Fills report->other when it was asked for: clang beside gcc, gcc beside a clang. */
bool rp_compare_toolchains(struct rp_report *report, struct rp_error *err);
/* The figures of a package that was linked and written. */
struct rp_figures rp_figures_of(const struct rp_package *package,
                                const struct rp_image_result *image);

#endif
