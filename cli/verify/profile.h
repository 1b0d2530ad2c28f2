/* SPDX-License-Identifier: Apache-2.0 */
/* `verify --profile`: what one run of the image takes, part by part. */
#ifndef RP_CLI_VERIFY_PROFILE_H
#define RP_CLI_VERIFY_PROFILE_H

#include "cli/profile/profile.h"
#include "cli/verify/verification.h"

/*
 * Runs the image once more, with the emulator's log of execution, and once with its nodes observed.
 * To be called after the comparison. RP_E_PROFILE.
 */
bool rp_verify_profile(struct rp_verification *verify, struct rp_error *err);

#endif
