/* SPDX-License-Identifier: Apache-2.0 */
/* A profile for people: text or Markdown. */
#ifndef RP_CLI_PROFILE_TEXT_H
#define RP_CLI_PROFILE_TEXT_H

#include "base/buf.h"
#include "cli/profile/profile.h"

void rp_profile_print(const struct rp_profile *profile, bool markdown, struct rp_buf *out);

#endif
