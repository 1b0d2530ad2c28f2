/* SPDX-License-Identifier: Apache-2.0 */
/* Explains messages of compilers and linkers: what the user can do about them. */
#ifndef RP_TOOLCHAIN_COMPILE_MESSAGES_H
#define RP_TOOLCHAIN_COMPILE_MESSAGES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Explains known messages in an output, such as different float ABIs, missing headers of a library,
 * or C++ compiled as C. cplusplus: C++ was compiled. true: it has no known message. false:
 * RP_E_COMPILE, RP_E_HEADERS, RP_E_ABI_MISMATCH, RP_E_LINK, RP_E_ORPHAN, RP_E_UNDEFINED.
 */
bool rp_check_said(const char *output, bool cplusplus, struct rp_error *err);
/* Sets the hint for a header that is C++; always returns false. */
bool rp_hint_wrapper(const char *header, struct rp_error *err);
/* A hint for errors that are shown unchanged, or NULL. */
const char *rp_said_hint(const char *output);
/* The part of an output to show: the first errors. */
char *rp_first_diagnostics(struct rp_arena *arena, const char *log);

#endif
