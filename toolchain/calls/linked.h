/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions and variables that the user or a dialect names, as the linker has them: by another name
 * if the source gives them a label of the assembler, or not at all if they are inline.
 */
#ifndef RP_TOOLCHAIN_CALLS_LINKED_H
#define RP_TOOLCHAIN_CALLS_LINKED_H

#include "base/error.h"
#include "toolchain/compile/build.h"
#include "toolchain/cread/type.h"
#include "toolchain/model.h"

/* The names that the model's calls and tensors have. */
struct rp_strings rp_linked_names(const struct rp_model *model, struct rp_arena *arena);
/*
 * Replaces each name that the sources declare by its name for the linker, except in a header, which
 * is called by a compiler that sees it. RP_E_DECLARED: C cannot call that name, or another
 * definition has it, too.
 */
bool rp_linked_take(struct rp_model *model, struct rp_arena *arena, struct rp_error *err);
/*
 * Has the compiler emit a function that C or C++ defines inline alone, by a declaration behind its
 * source.
 */
bool rp_linked_emit(const struct rp_model *model, struct rp_build *build, struct rp_error *err);

#endif
