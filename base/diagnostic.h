/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Notes and warnings of a run, in the order in which they arose. Errors: error.h. Ids: docs/CLI.md.
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
    const char *file; /* from here on: NULL or 0 if unknown */
    unsigned line;
    const char *symbol;
    const char *hint;
    bool asked; /* the user named its subject, so -q does not suppress it */
};

struct rp_diagnostics {
    struct rp_diagnostic *items;
    size_t count;
    size_t capacity;
};

/*
 * Adds the note or warning with that id, a row of base/notes.def, which has its severity. The
 * message has to outlive the list. The result is valid until the next is added.
 */
struct rp_diagnostic *rp_diagnose(struct rp_arena *arena, struct rp_diagnostics *list,
                                  const char *id, const char *message);

#endif
