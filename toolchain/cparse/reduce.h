/* SPDX-License-Identifier: Apache-2.0 */
/* C text with what is inside braces left out. */
#ifndef RP_TOOLCHAIN_CPARSE_REDUCE_H
#define RP_TOOLCHAIN_CPARSE_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Raw C with everything inside braces left out, directives excepted, line for line: what is left is
 * quick to preprocess, however large the initialisers are. false when the braces do not balance,
 * because conditional parts open or close them: then the whole text has to be preprocessed.
 */
bool rp_cdecl_reduce(const char *text, size_t len, struct rp_buf *out);
/* The next byte that can matter inside braces: most of a model's text is numbers. */
const char *rp_cdecl_skip_dull(const char *at, const char *end);

#endif
