/* SPDX-License-Identifier: Apache-2.0 */
/* What the loaded image computed: saved, and compared with what the user gives. */
#ifndef RP_CLI_VERIFY_OUTPUTS_H
#define RP_CLI_VERIFY_OUTPUTS_H

#include "cli/verify/verification.h"

/*
 * Fills verdict.assessment and writes --save-output. The outputs are those of instance A at the
 * first addresses, in place unless the image has to be copied; rp_verify_judge fails when others
 * differ.
 */
bool rp_verify_outputs(struct rp_verification *verify, struct rp_error *err);
/* All files that were read so far, which no output may replace. */
struct rp_strings rp_verify_inputs(struct rp_verification *verify);

#endif
