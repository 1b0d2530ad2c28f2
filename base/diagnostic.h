/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run has to say beside its results: notes and warnings, in the order in which they came up.
 * Errors are in error.h. Ids are in docs/CLI.md.
 */
#ifndef RP_BASE_DIAGNOSTIC_H
#define RP_BASE_DIAGNOSTIC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct rp_diagnostic {
    const char *severity; /* "warning", "note" */
    const char *id;       /* "RP1001" */
    const char *message;
    const char *file; /* this and the rest: NULL or 0 when it is not known */
    unsigned line;
    const char *symbol;
    const char *hint;
    bool asked; /* the user named what it is about: -q does not leave it out */
};

struct rp_diagnostics {
    struct rp_diagnostic *items;
    size_t count;
    size_t capacity;
};

/* Adds one, whose texts have to outlive the list; valid until the next is added. */
struct rp_diagnostic *rp_diagnose(struct rp_arena *arena, struct rp_diagnostics *list,
                                  const char *severity, const char *id, const char *message);

#endif
