/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An image made again from its sources, for the names of its functions. In: the image, and what it
 * was made from. Out: the package, up to its linked file, and where the model's entry is.
 */
#ifndef RP_CLI_PROFILE_AGAIN_H
#define RP_CLI_PROFILE_AGAIN_H

#include "cli/harness/subject.h"
#include "cli/pipeline/package.h"
#include "cli/profile/scopes.h"

/* What it was made from, with the choices that generate made: they show in the image. */
struct rp_source_options *rp_again_options(struct rp_arena *arena, const struct rp_subject *subject,
                                           const struct rp_source_options *source);
/*
 * Makes the image again, and sees that it is the same. To be closed, also after a failure.
 * RP_E_PROFILE: it is another one now; errors of the build.
 */
bool rp_again_make(struct rp_package *image, struct rp_arena *arena,
                   const struct rp_source_options *options, const struct rp_subject *subject,
                   struct rp_error *err);
/* The scope of the function that runs the model, or RP_NO_SCOPE. */
uint32_t rp_again_entry(const struct rp_package *image, const struct rp_scopes *scopes);

#endif
