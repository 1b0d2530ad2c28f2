/* SPDX-License-Identifier: Apache-2.0 */
/* What `inspect` shows of a Cortex-M image. */
#ifndef RP_CLI_INSPECT_CORTEX_M_H
#define RP_CLI_INSPECT_CORTEX_M_H

#include "cli/inspect/parts.h"

extern const struct rp_inspect_format rp_inspect_cortex_m;

#endif
