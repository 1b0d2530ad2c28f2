/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of functions of C++, as C++ text: see calls.h for those of C. */
#ifndef RP_TOOLCHAIN_CALLS_CPLUSPLUS_H
#define RP_TOOLCHAIN_CALLS_CPLUSPLUS_H

#include "base/buf.h"
#include "toolchain/cread/decl.h"
#include "toolchain/model.h"

/* The name without arguments of templates, as declarations have it: "a::B::f" of "a::B<4>::f". */
char *rp_cplusplus_plain_name(struct rp_arena *arena, const char *name);

/*
 * Says how the entry is called: for an object, if it is a member that is not static, or if what its
 * name begins with is no namespace.
 */
void rp_cplusplus_choose(struct rp_model *model, struct rp_arena *arena,
                         const struct rp_functions *all);

/*
 * Appends rp_model_run. Each tensor is passed as something that the compiler converts only to a
 * pointer or a reference to elements of its type, const or not, and to arrays of a possible size.
 * A result has to be a number of its output's kind and size, or the address of such numbers. So a
 * wrong --entry does not compile, and overloads are chosen by the tensors' types. The object is
 * static and has to be initialised without code.
 */
void rp_cplusplus_put(struct rp_buf *out, const struct rp_model *model);

#endif
