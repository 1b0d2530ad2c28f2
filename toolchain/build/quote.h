/* SPDX-License-Identifier: Apache-2.0 */
/* Quoting for response files and shells. */
#ifndef RP_TOOLCHAIN_BUILD_QUOTE_H
#define RP_TOOLCHAIN_BUILD_QUOTE_H

#include <stdbool.h>

#include "base/arena.h"

/* arg for a response file (gcc's @file rules: a backslash quotes any byte). */
char *rp_rsp_quote(struct rp_arena *arena, const char *arg);
/* arg for a POSIX shell, only to show commands to people. */
char *rp_shell_quote(struct rp_arena *arena, const char *arg);
/* Do make and a shell leave this part of a recipe unchanged? several: it may be several words. */
bool rp_are_plain_words(const char *text, bool several);

#endif
