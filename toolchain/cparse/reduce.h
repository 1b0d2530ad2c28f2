/* SPDX-License-Identifier: Apache-2.0 */
/* Shortens C text by leaving out what is inside braces. */
#ifndef RP_TOOLCHAIN_CPARSE_REDUCE_H
#define RP_TOOLCHAIN_CPARSE_REDUCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/*
 * Appends raw C to out without what is inside braces; directives, enumerations and line ends stay.
 * What is left is quick to preprocess, however large the initialisers are. False when the braces do
 * not balance, because conditional parts open or close them, or when a string or comment is not
 * closed: then the whole text has to be preprocessed.
 */
bool rp_cdecl_reduce(const char *text, size_t len, struct rp_buf *out);
/* Skips bytes that cannot matter inside braces; most of a model's text is numbers. */
const char *rp_cdecl_skip_dull(const char *at, const char *end);

#endif
