/* SPDX-License-Identifier: Apache-2.0 */
/* What `ops` found in a model. */
#ifndef RP_CLI_OPS_REPORT_H
#define RP_CLI_OPS_REPORT_H

#include "toolchain/ops/compare.h"
#include "toolchain/ops/ops.h"
#include "toolchain/ops/summary.h"

struct rp_ops_report {
    const char *path;
    struct rp_arena *arena;
    struct rp_ops ops;
    struct rp_ops_groups groups;
    struct rp_ops_advices advices;
    const char *network_path;             /* NULL: nothing to compare with */
    const struct rp_ops_network *network; /* NULL as well then */
};

#endif
