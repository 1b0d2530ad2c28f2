/* SPDX-License-Identifier: Apache-2.0 */
/* What `run` does for Neural-ART images. */
#ifndef RP_CLI_RUN_NPU_H
#define RP_CLI_RUN_NPU_H

#include "cli/run/run.h"

extern const struct rp_run_format rp_run_neural_art;

#endif
