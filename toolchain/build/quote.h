/* SPDX-License-Identifier: Apache-2.0 */
/* Words as a response file, a shell and a makefile's recipe take them. */
#ifndef RP_TOOLCHAIN_BUILD_QUOTE_H
#define RP_TOOLCHAIN_BUILD_QUOTE_H

#include <stdbool.h>

#include "base/arena.h"

/* arg as it stands in a response file (gcc's @file rules: a backslash quotes any byte). */
char *rp_rsp_quote(struct rp_arena *arena, const char *arg);
/* arg as a POSIX shell takes it: only for showing commands to people. */
char *rp_shell_quote(struct rp_arena *arena, const char *arg);
/*
 * Do make and a shell leave this part of a recipe as it is? several: blanks may be between words.
 */
bool rp_are_plain_words(const char *text, bool several);

#endif
