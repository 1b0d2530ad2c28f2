/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that the compiler does not find, and what their user can do about it. */
#ifndef RP_TOOLCHAIN_COMPILE_HEADERS_H
#define RP_TOOLCHAIN_COMPILE_HEADERS_H

#include <stdbool.h>

#include "base/error.h"
#include "toolchain/compile/build.h"

/*
 * The hint for a header that FILE includes in a line, neither of C nor of C++. The file is read for
 * a condition around that line. Always false.
 */
bool rp_hint_missing_header(const char *file, unsigned line, const char *header,
                            struct rp_error *err);

/*
 * If the goal ("preprocess", "objects") failed because a header of Arduino's core was missed, the
 * folder with ours is searched last for the units from first on: with "objects", for those that
 * nobody had preprocessed. False: it was not missed, or was there already. It is not there before,
 * because __has_include must not find it.
 */
bool rp_build_lend_arduino(struct rp_build *build, const char *goal, size_t first);

#endif
