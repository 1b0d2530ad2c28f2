/* SPDX-License-Identifier: Apache-2.0 */
/* A profile as a file. */
#ifndef RP_CLI_PROFILE_WRITE_H
#define RP_CLI_PROFILE_WRITE_H

#include "cli/profile/profile.h"

/*
 * Writes NAME.json as JSON, NAME.md as Markdown, and text into files of other names; never over one
 * of the inputs. RP_E_USAGE, RP_E_SYSTEM.
 */
bool rp_profile_write(const struct rp_profile *profile, const char *path,
                      const struct rp_strings *inputs, struct rp_error *err);

#endif
