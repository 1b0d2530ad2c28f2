/* SPDX-License-Identifier: Apache-2.0 */
/* What is checked of Neural-ART images besides what is checked of all. */
#ifndef RP_CLI_PIPELINE_NPU_H
#define RP_CLI_PIPELINE_NPU_H

#include "cli/pipeline/check.h"

extern const struct rp_package_format rp_package_neural_art;

#endif
