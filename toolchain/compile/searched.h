/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a compiler looks for files, and the names that exist there. These names, and the contents
 * of the headers that were read, determine what #include reads. So a compiler cache that compares
 * both need not run the preprocessor.
 */
#ifndef RP_TOOLCHAIN_COMPILE_SEARCHED_H
#define RP_TOOLCHAIN_COMPILE_SEARCHED_H

#include <stdbool.h>

#include "base/buf.h"
#include "toolchain/compile/build.h"

/*
 * Appends the sorted names of everything in a folder and below, each with a letter for its kind and
 * a 0 byte; none for a folder that does not exist. False: a folder cannot be read, or there are
 * more than RP_SEARCHED_MAX names, which would take longer than preprocessing; then names is
 * useless.
 */
enum { RP_SEARCHED_MAX = 4000 };
bool rp_searched_names(struct rp_buf *names, const char *folder);

/*
 * Asks the build's compiler, for C and, if cplusplus, for C++, and adds the folders where it looks
 * for headers with these options, even those that do not exist, and those of -Wa,-I. False: it does
 * not tell.
 */
bool rp_searched_folders(struct rp_build *build, const struct rp_strings *options, bool cplusplus,
                         struct rp_strings *folders);

/*
 * Asks the drivers and adds the folders where they look for their programs (cc1, as, ld and
 * others), and where they and the linker look for libraries and specs files, even those that do not
 * exist. False: one does not tell.
 */
bool rp_searched_programs(struct rp_build *build, struct rp_strings *programs,
                          struct rp_strings *libraries);

#endif
