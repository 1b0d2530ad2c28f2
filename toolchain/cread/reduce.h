/* SPDX-License-Identifier: Apache-2.0 */
/* Shortens C text by leaving out the numbers of initialisers. */
#ifndef RP_TOOLCHAIN_CREAD_REDUCE_H
#define RP_TOOLCHAIN_CREAD_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends raw C to out without the contents of innermost braces that hold numbers, texts and
 * operators only; their line ends stay. What is left is quick to preprocess, however large the
 * initialisers are, and is preprocessed as the whole would be. False when a string or comment is
 * not closed: then the whole text has to be preprocessed.
 */
bool rp_cdecl_reduce(const char *text, size_t len, struct rp_buf *out);

#endif
