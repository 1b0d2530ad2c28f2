/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Why outputs differ: one run is made again and again, each time with one part of the memory around
 * its buffers filled with something else. What changes the outputs is read although it is none of
 * the model's.
 */
#ifndef RP_CLI_VERIFY_PROBE_H
#define RP_CLI_VERIFY_PROBE_H

#include "cli/verify/verification.h"

/*
 * After outputs have been found to differ, or a core has faulted: does memory outside the model's
 * buffers change them? Fills in verdict.outside.
 */
bool rp_verify_explain(struct rp_verification *verify, struct rp_error *err);

#endif
