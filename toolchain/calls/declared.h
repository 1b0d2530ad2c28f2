/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares what the user says of a model's functions and variables with what its code declares. The
 * code has two readers: ours, of the preprocessed text, and the compiler, by its debug information.
 * They have to agree with each other, and --entry or the manifest with both.
 */
#ifndef RP_TOOLCHAIN_CALLS_DECLARED_H
#define RP_TOOLCHAIN_CALLS_DECLARED_H

#include "base/error.h"
#include "toolchain/compile/build.h"
#include "toolchain/cread/decl.h"
#include "toolchain/cread/type.h"
#include "toolchain/model.h"

/*
 * Has the unit preprocessed for reading, without bodies and initialisers where possible. header:
 * the unit is compiled through another file.
 */
bool rp_declared_preprocess(struct rp_build *build, struct rp_unit *unit,
                            const struct rp_strings *flags, bool header, struct rp_error *err);
/* Runs the preprocessor and reads the model's units, starting with number first. RP_E_INPUT. */
bool rp_declared_read(struct rp_model *model, struct rp_build *build, size_t first,
                      struct rp_functions *out, struct rp_error *err);
/*
 * Compares what was said with what was read. compiler: what the compiler says; NULL: it has not
 * run. What cannot be compared becomes a note of the model. RP_E_DECLARED names both sides.
 */
bool rp_declared_check(struct rp_model *model, struct rp_arena *arena,
                       const struct rp_declared_list *compiler, struct rp_error *err);
/* Has debug information made for code that is read as assembly, whose objects have none. */
void rp_declared_ask_compiler(const struct rp_model *model, struct rp_build *build);
/* rp_declared_check with the debug information of the model's objects and libraries. */
bool rp_declared_check_objects(struct rp_model *model, struct rp_build *build,
                               struct rp_error *err);

#endif
