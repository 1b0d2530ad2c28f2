/* SPDX-License-Identifier: Apache-2.0 */
/* Glow AOT bundles: a header, compiled code, raw weights. */
#ifndef RP_TOOLCHAIN_DIALECTS_GLOW_H
#define RP_TOOLCHAIN_DIALECTS_GLOW_H

#include "toolchain/dialect.h"

extern const struct rp_dialect rp_dialect_glow;

struct rp_glow;
/* The contents of the bundle's header, or NULL if the model is not a Glow bundle. */
const struct rp_glow *rp_glow_of(const struct rp_model *model);

#endif
