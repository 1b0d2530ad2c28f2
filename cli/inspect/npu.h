/* SPDX-License-Identifier: Apache-2.0 */
/* What `inspect` shows of a Neural-ART image. */
#ifndef RP_CLI_INSPECT_NPU_H
#define RP_CLI_INSPECT_NPU_H

#include "cli/inspect/parts.h"

extern const struct rp_inspect_format rp_inspect_neural_art;

#endif
