/* SPDX-License-Identifier: Apache-2.0 */
/* Static builds of a model: to compare sizes with, and for `verify` to run. */
#ifndef RP_CLI_PIPELINE_STATIC_H
#define RP_CLI_PIPELINE_STATIC_H

#include "cli/pipeline/package.h"

/* Compiles one, our math functions included; nothing is linked. */
bool rp_package_compile_static(struct rp_package *package, struct rp_error *err);
/*
 * For one that runs: a weights file becomes an array of the firmware, as rp_static_weights and
 * under the name that generated code has for it.
 */
bool rp_package_embed_weights(struct rp_package *package, struct rp_error *err);
/* Compiles and links one with templates/static.ld; elf and map are then of that. */
bool rp_package_link_static(struct rp_package *package, struct rp_error *err);

#endif
