/* SPDX-License-Identifier: Apache-2.0 */
/* The list of dialects: which one an input is of. */
#ifndef RP_TOOLCHAIN_DIALECTS_REGISTRY_H
#define RP_TOOLCHAIN_DIALECTS_REGISTRY_H

#include "toolchain/dialect.h"

/*
 * Recognises the dialect, loads the model and points it to the dialect. RP_E_DIALECT, RP_E_INPUT,
 * RP_E_MANIFEST, RP_E_WEIGHTS; RP_E_USAGE: an option that is not for the dialect.
 */
bool rp_dialect_load(struct rp_model *model, struct rp_arena *arena, const struct rp_input *input,
                     struct rp_error *err);

#endif
