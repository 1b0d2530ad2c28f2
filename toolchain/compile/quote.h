/* SPDX-License-Identifier: Apache-2.0 */
/* Quotes words for response files and shells, and splits command lines. */
#ifndef RP_TOOLCHAIN_COMPILE_QUOTE_H
#define RP_TOOLCHAIN_COMPILE_QUOTE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/* arg for a response file (gcc's @file rules: a backslash quotes any byte). */
char *rp_rsp_quote(struct rp_arena *arena, const char *arg);
/* arg for a POSIX shell, only to show commands to people. */
char *rp_shell_quote(struct rp_arena *arena, const char *arg);
/*
 * Appends the words of a command line: blanks separate words, '...' and "..." keep blanks, and
 * outside '...' a backslash keeps the next character. Nothing else has a meaning; there is no
 * shell. RP_E_USAGE: a quote or backslash without an end, or no word at all.
 */
bool rp_split_words(struct rp_arena *arena, const char *text, struct rp_strings *words,
                    struct rp_error *err);
/* Do make and a shell leave this part of a recipe unchanged? several: it may be several words. */
bool rp_are_plain_words(const char *text, bool several);

#endif
