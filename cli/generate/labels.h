/* SPDX-License-Identifier: Apache-2.0 */
/*
 * --label: what a build is called, such as its commit and pipeline. In: the option's values, and
 * what GitHub and GitLab say in the environment. Out: "KEY=VALUE", each key once.
 */
#ifndef RP_CLI_GENERATE_LABELS_H
#define RP_CLI_GENERATE_LABELS_H

#include "base/arena.h"
#include "base/error.h"

/*
 * Resolves the values of --label: KEY=VALUE, of which the last of a key counts, or "ci", which
 * gives way to these. RP_E_USAGE.
 */
bool rp_labels_take(struct rp_arena *arena, const struct rp_strings *given,
                    struct rp_strings *labels, struct rp_error *err);
/* The variables of the environment that "ci" reads. */
void rp_labels_variables(struct rp_arena *arena, struct rp_strings *names);

#endif
