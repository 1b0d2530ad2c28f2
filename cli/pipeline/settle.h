/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The loop that decides how a model is built. A round compiles, links and lays out with the
 * decisions made so far. Each step returns a verdict (package.h); only this loop changes decisions,
 * and starts another round for them. What a round shares with the one before is not made again.
 */
#ifndef RP_CLI_PIPELINE_SETTLE_H
#define RP_CLI_PIPELINE_SETTLE_H

#include "cli/pipeline/package.h"

/*
 * From an opened package to the layout of its image. package->rounds has why each further round was
 * needed. Errors of the steps.
 */
bool rp_package_settle(struct rp_package *package, struct rp_error *err);
/* The objects of a static build. The only verdict on them is that more sources are needed. */
bool rp_package_settle_static(struct rp_package *package, struct rp_error *err);

#endif
