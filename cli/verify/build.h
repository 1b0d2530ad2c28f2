/* SPDX-License-Identifier: Apache-2.0 */
/* The two firmwares of a verification: the static build of the model, and the loader's. */
#ifndef RP_CLI_VERIFY_BUILD_H
#define RP_CLI_VERIFY_BUILD_H

#include "cli/verify/verification.h"

bool rp_verify_build_static(struct rp_verification *verify, struct rp_error *err);
/* Links the static build once more, with its sections in another order. */
bool rp_verify_relink(struct rp_verification *verify, struct rp_error *err);

bool rp_verify_build_loader(struct rp_verification *verify, struct rp_error *err);

#endif
