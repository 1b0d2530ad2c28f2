/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as JSON: docs/CLI.md has its members. */
#ifndef RP_CLI_PROFILE_JSON_H
#define RP_CLI_PROFILE_JSON_H

#include "base/json.h"
#include "cli/profile/profile.h"

/* Adds the members of a profile to an object. */
void rp_profile_put(struct rp_json *object, const struct rp_profile *profile);

#endif
