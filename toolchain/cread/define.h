/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of macros in a header that a generator wrote, which has no conditions around them: found
 * in the text, not preprocessed.
 */
#ifndef RP_TOOLCHAIN_CREAD_DEFINE_H
#define RP_TOOLCHAIN_CREAD_DEFINE_H

#include <stdint.h>

/* What follows `#define NAME ` and opening parentheses; NULL when it is not defined. */
const char *rp_find_define(const char *text, const char *name);
/* The same as a number, in parentheses or not; -1: it is not defined, or not a number. */
int64_t rp_find_number(const char *text, const char *name);

#endif
