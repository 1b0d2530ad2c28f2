/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reports say of Neural-ART images beyond those of Cortex-M: pools, epoch-controller
 * blobs, the runtime's release. Figures come out of the linked file, not out of the plan.
 */
#ifndef RP_CLI_REPORT_NPU_H
#define RP_CLI_REPORT_NPU_H

#include <stdio.h>

#include "base/buf.h"
#include "base/json.h"
#include "cli/report/report.h"
#include "toolchain/npu/npu.h"

/* `generate --parse-only` of a Neural-ART network; false: it is none. */
bool rp_npu_describe(const struct rp_model *model, FILE *out);
/* Lines for the header of the C array: names, pools. NULL for other images. */
const char *rp_npu_macros(struct rp_arena *arena, const struct rp_package *package);
/* These three do nothing for other images. Pool table, blob table (verbose 2), the two rt_ctx
 * lines. */
void rp_npu_text(const struct rp_report *report, struct rp_buf *out);
/* Members pools, ec_blobs, runtime and vendor (the fields of the vendor's own JSON). */
void rp_npu_json(struct rp_json *root, const struct rp_report *report);
/* Warnings about pools; none of them stops a packaging. */
void rp_npu_diagnostics(struct rp_report *report);

#endif
