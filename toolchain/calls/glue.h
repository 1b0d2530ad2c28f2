/* SPDX-License-Identifier: Apache-2.0 */
/* The entry glue for plain functions: templates/glue_c.c and the model_glue.h that it includes. */
#ifndef RP_TOOLCHAIN_CALLS_GLUE_H
#define RP_TOOLCHAIN_CALLS_GLUE_H

#include "base/error.h"
#include "toolchain/compile/build.h"
#include "toolchain/dialect.h"
#include "toolchain/model.h"

/* Word 1 of the header of an image. */
uint32_t rp_flags_word(const struct rp_plan_flags *flags);
/* Writes model_glue.h for templates/glue_c.c. RP_E_TOO_LARGE. */
bool rp_glue_c_write(const struct rp_model *model, struct rp_build *build, uint32_t flags_word,
                     struct rp_error *err);
/* Adds templates/glue_c.c to the build, and writes model_glue.h. */
bool rp_glue_c_add(const struct rp_model *model, struct rp_build *build,
                   const struct rp_plan_flags *flags, struct rp_error *err);

#endif
