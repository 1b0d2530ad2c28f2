/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of functions that the user or a dialect names, as C text for the entry glue: declarations
 * and one expression each for init, run and destroy.
 */
#ifndef RP_TOOLCHAIN_CALLS_CALLS_H
#define RP_TOOLCHAIN_CALLS_CALLS_H

#include "base/arena.h"
#include "base/error.h"
#include "toolchain/compile/build.h"
#include "toolchain/cread/decl.h"
#include "toolchain/dialect.h"
#include "toolchain/model.h"

/*
 * What the entry returns, if that is an output. The last of the arguments may be meant: no function
 * has a parameter for it. A function of which nothing was read returns the address of more than one
 * element.
 */
void rp_calls_take_result(struct rp_model *model, struct rp_arena *arena,
                          const struct rp_functions *all);
/* How to call the functions that entry, init, destroy and the tensors name. */
struct rp_calls rp_calls_by_name(const struct rp_model *model, struct rp_arena *arena);

/*
 * A model that is a header: its first source. A C file in the workspace is compiled, with the
 * header included by its command line, because the functions may be static or of C++.
 * rp_header_call writes that file once entry and tensors are known, and has the glue call the
 * functions in it.
 */
struct rp_unit *rp_header_add(const struct rp_model *model, struct rp_build *build,
                              const struct rp_strings *flags);
bool rp_header_call(struct rp_model *model, struct rp_build *build, struct rp_error *err);

#endif
