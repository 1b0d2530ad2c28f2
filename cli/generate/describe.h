/* SPDX-License-Identifier: Apache-2.0 */
/* --parse-only: describes the model that was opened, and builds nothing. */
#ifndef RP_CLI_GENERATE_DESCRIBE_H
#define RP_CLI_GENERATE_DESCRIBE_H

#include "cli/generate/generation.h"

/* On the standard output. Plain C is preprocessed for this, but not compiled. RP_E_COMPILE, … */
bool rp_generation_describe(struct rp_generation *run, struct rp_error *err);

#endif
