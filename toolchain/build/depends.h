/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which files compiler and linker read: from the dependency files that the compiler writes (-MD)
 * and the map of the linker. In: their texts. Out: names; and names as a makefile wants them.
 */
#ifndef RP_TOOLCHAIN_BUILD_DEPENDS_H
#define RP_TOOLCHAIN_BUILD_DEPENDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "toolchain/build/build.h"

/* The prerequisites of a makefile rule as gcc and clang write it, each as a plain name. */
void rp_depends_parse(struct rp_strings *names, struct rp_arena *arena, const char *rule);
/* "LOAD NAME" of GNU ld's map. */
void rp_depends_of_map(struct rp_strings *names, struct rp_arena *arena, const char *map);
/*
 * A name in a makefile rule, for make and ninja; %: in a target, it would make a pattern. What
 * make cannot say at all (; = | and line ends) stays as it is.
 */
void rp_depends_quote(struct rp_buf *out, const char *name, bool target);

/*
 * Units that were compiled and whose source or headers speak of .incbin or .include: they are to
 * be compiled again, alone. False when there is none that was not so before.
 */
bool rp_build_set_apart(struct rp_build *build);

/*
 * Every file outside the workspace that compiler and linker have read for this build so far, each
 * once, absolute. A dependency file that is missing says nothing.
 */
void rp_build_depends(struct rp_build *build, struct rp_strings *names);

#endif
