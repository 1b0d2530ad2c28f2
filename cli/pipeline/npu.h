/* SPDX-License-Identifier: Apache-2.0 */
/* A further check of Neural-ART images. */
#ifndef RP_CLI_PIPELINE_NPU_H
#define RP_CLI_PIPELINE_NPU_H

#include "cli/pipeline/package.h"

/*
 * Was the table of epochs compiled with the struct that the pack's runtime expects? Macros change
 * that struct. The context of LL_ATON 1.1.0 does not give its size. true for other images.
 * RP_E_ENTRY_ABI.
 */
bool rp_npu_check_epochs(const struct rp_package *package, struct rp_error *err);

#endif
