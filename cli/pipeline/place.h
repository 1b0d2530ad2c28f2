/* SPDX-License-Identifier: Apache-2.0 */
/* The fourth step: checks the linked file and lays out the image. */
#ifndef RP_CLI_PIPELINE_PLACE_H
#define RP_CLI_PIPELINE_PLACE_H

#include "cli/pipeline/package.h"

/*
 * RP_WRONG_R9, or RP_FAILED: RP_E_LINK_CHECK, RP_E_RESERVED, and what elfpack/ refuses in the
 * model's code.
 */
struct rp_verdict rp_package_place(struct rp_package *package, struct rp_error *err);

#endif
