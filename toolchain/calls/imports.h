/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of the firmware that an image imports. In: --import NAME[@VERSION] and the manifest's
 * member "imports". Out, as assembly: the image's list of them with stubs for those that are called
 * (docs/FORMAT.md, "Imports"), and the table of a firmware that offers them, for `verify`.
 */
#ifndef RP_TOOLCHAIN_CALLS_IMPORTS_H
#define RP_TOOLCHAIN_CALLS_IMPORTS_H

#include "toolchain/compile/build.h"
#include "toolchain/dialect.h"

/*
 * Reads model->imports.specs and offers into model->imports. RP_E_USAGE: not a C identifier, not a
 * version, one name with two versions, or more imports than an image can have.
 */
bool rp_imports_read(struct rp_model *model, struct rp_arena *arena, struct rp_error *err);
/*
 * Forgets what is only offered and not wanted. RP_E_USAGE: more imports than an image can have are
 * left.
 */
bool rp_imports_narrow(struct rp_model *model, struct rp_error *err);
/* Adds the unit with the image's list, if the user named imports at all. */
bool rp_imports_add(const struct rp_model *model, struct rp_build *build,
                    const struct rp_plan_flags *flags, struct rp_error *err);
/* Adds the unit with the table for the firmware of `verify`. */
bool rp_imports_offer(const struct rp_model *model, struct rp_build *build,
                      const struct rp_plan_flags *flags, struct rp_error *err);

#endif
