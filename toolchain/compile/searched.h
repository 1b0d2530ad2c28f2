/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a compiler looks for files, and the names that exist there. These and the contents of the
 * headers that were read decide what #include takes in. So a compiler cache that compares both need
 * not run the preprocessor.
 */
#ifndef RP_TOOLCHAIN_COMPILE_SEARCHED_H
#define RP_TOOLCHAIN_COMPILE_SEARCHED_H

#include <stdbool.h>

#include "base/buf.h"
#include "toolchain/compile/build.h"

/*
 * Appends the names of everything in a folder and below, each with a letter for what it is and a 0
 * byte, sorted. A folder that does not exist has no names. False: a folder cannot be read, or there
 * are more than RP_SEARCHED_MAX names, which would cost more than the preprocessor does; the text
 * is then of no use.
 */
enum { RP_SEARCHED_MAX = 4000 };
bool rp_searched_names(struct rp_buf *names, const char *folder);

/*
 * Adds the folders where the build's compiler looks for headers with these options, those that do
 * not exist included, and those of -Wa,-I. The compiler is asked, for C and, if cplusplus, for C++.
 * False: it does not say.
 */
bool rp_searched_folders(struct rp_build *build, const struct rp_strings *options, bool cplusplus,
                         struct rp_strings *folders);

/*
 * Adds the folders where the drivers look for their programs (cc1, as, ld and others), and where
 * they and the linker look for libraries and files of specs, those that do not exist included. The
 * drivers are asked. False: one does not say.
 */
bool rp_searched_programs(struct rp_build *build, struct rp_strings *programs,
                          struct rp_strings *libraries);

#endif
