/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can the target's core run every instruction of the linked image, and does r9 keep its meaning?
 */
#ifndef RP_CLI_PIPELINE_CODE_H
#define RP_CLI_PIPELINE_CODE_H

#include "cli/pipeline/package.h"

/* Needs the layout; fills placed.r9. RP_WRONG_R9 (RP_E_R9), or RP_FAILED: RP_E_INSTRUCTION. */
struct rp_verdict rp_package_check_code(struct rp_package *package, struct rp_error *err);

#endif
