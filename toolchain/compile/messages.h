/* SPDX-License-Identifier: Apache-2.0 */
/* What compilers and linkers say, and what their user can do about it. */
#ifndef RP_TOOLCHAIN_COMPILE_MESSAGES_H
#define RP_TOOLCHAIN_COMPILE_MESSAGES_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/error.h"

/*
 * Explains an output that is understood: float ABIs that differ, headers of a library that is not
 * installed, C++ that is compiled as C. cplusplus: C++ was compiled. false + an error; true:
 * nothing is known of it.
 */
bool rp_check_said(const char *said, bool cplusplus, struct rp_error *err);
/* The hint for a header that is C++. Always false. */
bool rp_hint_wrapper(const char *header, struct rp_error *err);
/* What helps against errors in an output that are shown as they are; NULL: nothing is known. */
const char *rp_said_hint(const char *said);
/* The part of an output that is worth showing: the first errors. */
char *rp_first_diagnostics(struct rp_arena *arena, const char *log);

#endif
