/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why outputs differ: one run is repeated, each time with one part of the memory around its buffers
 * filled with something else. If that changes the outputs, the run reads memory that is not the
 * model's.
 */
#ifndef RP_CLI_VERIFY_PROBE_H
#define RP_CLI_VERIFY_PROBE_H

#include "cli/verify/verification.h"

/*
 * Called when outputs differ or a core has faulted: does memory outside the model's buffers change
 * the outputs? Fills in verdict.outside.
 */
bool rp_verify_explain(struct rp_verification *verify, struct rp_error *err);

#endif
