/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the user says of a model's functions and variables against what its code declares. There
 * are two readers of the code: ours, of the preprocessed text, and the compiler, by its debug
 * information. They have to agree with each other, and --entry or the manifest with both.
 */
#ifndef RP_TOOLCHAIN_CALLS_DECLARED_H
#define RP_TOOLCHAIN_CALLS_DECLARED_H

#include "base/error.h"
#include "toolchain/build/build.h"
#include "toolchain/cparse/decl.h"
#include "toolchain/cparse/type.h"
#include "toolchain/model.h"

/*
 * Has the unit's text preprocessed for reading, with its bodies and initialisers left out where
 * that can be done. header: it is compiled through another file.
 */
bool rp_declared_preprocess(struct rp_build *build, struct rp_unit *unit,
                            const struct rp_strings *flags, bool header, struct rp_error *err);
/* Runs the preprocessor, and reads the model's units from the first one on. RP_E_INPUT. */
bool rp_declared_read(struct rp_model *model, struct rp_build *build, size_t first,
                      struct rp_functions *out, struct rp_error *err);
/*
 * Compares what was said with what was read; compiler: what the compiler says, or NULL before it
 * ran. What cannot be compared is a note of the model. RP_E_DECLARED names both sides.
 */
bool rp_declared_check(struct rp_model *model, struct rp_arena *arena,
                       const struct rp_declared_list *compiler, struct rp_error *err);
/* Has debug information made where the objects have none: of code that is read as assembly. */
void rp_declared_ask_compiler(const struct rp_model *model, struct rp_build *build);
/* The same with the debug information of the model's objects and libraries. */
bool rp_declared_check_objects(struct rp_model *model, struct rp_build *build,
                               struct rp_error *err);

#endif
