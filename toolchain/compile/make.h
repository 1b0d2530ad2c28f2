/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiling and linking: writes response files and a list of units, runs GNU make over
 * templates/build.mk, or a single command without it, and reads the diagnostics. Out: obj/NNN.i,
 * obj/NNN.o, image.elf in the workspace.
 */
#ifndef RP_TOOLCHAIN_COMPILE_MAKE_H
#define RP_TOOLCHAIN_COMPILE_MAKE_H

#include "base/error.h"
#include "toolchain/compile/build.h"

/* The beginning of each part of a log. */
#define RP_LOG_MARK "relocpack: "

/*
 * Makes "preprocess", "assembly", "objects" or "link". Products of this run with the same arguments
 * are reused, those of other runs never. RP_E_COMPILE, RP_E_LINK or RP_E_ORPHAN, with the first
 * diagnostics, or an error of rp_check_said; RP_E_TOOL_OLD; RP_E_NO_SPACE; RP_E_INTERRUPTED.
 */
bool rp_build_make(struct rp_build *build, const char *goal, struct rp_error *err);

/* Is one of the units C++? */
bool rp_build_has_cplusplus(const struct rp_build *build);

/*
 * For running make: adds -jN to argv (jobs 0: the jobs of an outer make, else one per processor),
 * and MAKEFLAGS to env, which share only the jobs of an outer make.
 */
void rp_make_jobs(struct rp_arena *arena, unsigned jobs, struct rp_strings *argv,
                  struct rp_strings *env);

#endif
