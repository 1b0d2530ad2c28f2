/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the reports add for Neural-ART images: pools, epoch-controller blobs, the runtime's release.
 * The figures come from the linked file, not from the plan.
 */
#ifndef RP_CLI_REPORT_NPU_H
#define RP_CLI_REPORT_NPU_H

#include <stdio.h>

#include "base/buf.h"
#include "base/json.h"
#include "cli/report/report.h"
#include "toolchain/npu/npu.h"

/* Describes a Neural-ART network for `generate --parse-only`. Returns false for other models. */
bool rp_npu_describe(const struct rp_model *model, FILE *out);
/* Lines for the header of the C array: names, pools. NULL for other images. */
const char *rp_npu_macros(struct rp_arena *arena, const struct rp_package *package);
/*
 * This and the next two do nothing for other images. Writes the pool table, the blob table (verbose
 * 2) and the two rt_ctx lines.
 */
void rp_npu_text(const struct rp_report *report, struct rp_buf *out);
/* Members pools, ec_blobs and runtime, and those of the vendor's own JSON. */
void rp_npu_json(struct rp_json *root, const struct rp_report *report);
/* Adds warnings about pools. None of them stops the packaging. */
void rp_npu_diagnostics(struct rp_report *report);

#endif
