/* SPDX-License-Identifier: Apache-2.0 */
/* Static builds of a model: `generate` compares sizes with them, and `verify` runs them. */
#ifndef RP_CLI_PIPELINE_STATIC_H
#define RP_CLI_PIPELINE_STATIC_H

#include "cli/pipeline/package.h"

/* Compiles one, including our math functions, and does not link it. */
bool rp_package_compile_static(struct rp_package *package, struct rp_error *err);
/*
 * For a build that runs: makes the weights file an array of the firmware, which is called
 * rp_static_weights and what the generated code calls it.
 */
bool rp_package_embed_weights(struct rp_package *package, struct rp_error *err);
/* Compiles and links one with templates/static.ld. linked.elf and linked.map are then its own. */
bool rp_package_link_static(struct rp_package *package, struct rp_error *err);

#endif
