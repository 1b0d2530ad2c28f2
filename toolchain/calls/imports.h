/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Symbols of the firmware that an image imports: --import NAME[@VERSION] and the manifest's member
 * "imports" in; out: the image's list of them with stubs for those that are called, as assembly
 * (docs/FORMAT.md, "Imports"), and the table of a firmware that offers them, for `verify`.
 */
#ifndef RP_TOOLCHAIN_CALLS_IMPORTS_H
#define RP_TOOLCHAIN_CALLS_IMPORTS_H

#include "toolchain/build/build.h"
#include "toolchain/dialect.h"

/*
 * Reads model->imports.specs into model->imports. RP_E_USAGE: no C identifier, no version, one name
 * with two versions, more than an image can have.
 */
bool rp_imports_read(struct rp_model *model, struct rp_arena *arena, struct rp_error *err);
/* Adds the unit of the image's list, when the model was given imports at all. */
bool rp_imports_add(const struct rp_model *model, struct rp_build *build,
                    const struct rp_plan_flags *flags, struct rp_error *err);
/* The same of the table in the firmware of `verify`. */
bool rp_imports_offer(const struct rp_model *model, struct rp_build *build,
                      const struct rp_plan_flags *flags, struct rp_error *err);

#endif
