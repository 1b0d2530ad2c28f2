/* SPDX-License-Identifier: Apache-2.0 */
/* Headers that the compiler does not find, and what their user can do about it. */
#ifndef RP_TOOLCHAIN_BUILD_HEADERS_H
#define RP_TOOLCHAIN_BUILD_HEADERS_H

#include <stdbool.h>

#include "base/error.h"

/*
 * The hint for a header that FILE includes in a line, neither of C nor of C++. The file is read for
 * a condition around that line. Always false.
 */
bool rp_hint_missing_header(const char *file, unsigned line, const char *header,
                            struct rp_error *err);

#endif
