/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files that compiler, assembler and linker read, from the dependency files of the first two
 * (-MD) and the linker's map; and quoting of names for makefiles.
 */
#ifndef RP_TOOLCHAIN_COMPILE_DEPENDS_H
#define RP_TOOLCHAIN_COMPILE_DEPENDS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "toolchain/compile/build.h"

/* Adds the prerequisites of a makefile rule as gcc and clang write it, each as a plain name. */
void rp_depends_parse(struct rp_strings *names, struct rp_arena *arena, const char *rule);
/* Adds the names of the lines "LOAD NAME" in a map of GNU ld. */
void rp_depends_of_map(struct rp_strings *names, struct rp_arena *arena, const char *map);
/*
 * Appends a name quoted for a makefile rule of make or ninja. In a target, % would make a pattern.
 * What make cannot express (; = | and line ends) is not changed.
 */
void rp_depends_quote(struct rp_buf *out, const char *name, bool target);

/*
 * Marks the units that must be compiled without a launcher, because a cache would not know all
 * files that they read. Decides by their options before they are compiled, by the assembler's list
 * afterwards. True: there is a new one.
 */
bool rp_build_set_apart(struct rp_build *build);

/* False: a unit that was compiled may have read files that rp_build_depends does not add. */
bool rp_build_knows_files(struct rp_build *build);

/*
 * Adds each file outside the workspace that compiler and linker have read for this build, once,
 * with its absolute path.
 */
void rp_build_depends(struct rp_build *build, struct rp_strings *names);

#endif
