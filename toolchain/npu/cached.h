/* SPDX-License-Identifier: Apache-2.0 */
/* What a compiler cache may go by when it looks for the objects of a Neural-ART network. */
#ifndef RP_TOOLCHAIN_NPU_CACHED_H
#define RP_TOOLCHAIN_NPU_CACHED_H

#include "toolchain/compile/build.h"
#include "toolchain/dialect.h"

/* False for an option of the compiler that may make it read another file or search a folder. */
bool rp_npu_reads_nothing(const char *option);

/* Does the network's folder have a name that one of the others has, which are searched after it? */
bool rp_npu_hides_headers(const struct rp_model *model, const struct rp_build *build);

/*
 * Lets a cache trust the names of headers in all units (rp_unit.own), as long as the same names
 * exist in all folders where they are looked for: the pack's and our own, and for the network, the
 * first unit, also that of the network. Otherwise the preprocessor reads megabytes of registers for
 * each unit, to no purpose. Nothing is trusted where the folders are not known: if the user passes
 * on variables, which may name some (CPATH), or for the network by other options, and if there are
 * too many names.
 */
bool rp_npu_trust_names(const struct rp_model *model, struct rp_build *build,
                        const struct rp_plan_flags *flags, struct rp_error *err);

#endif
