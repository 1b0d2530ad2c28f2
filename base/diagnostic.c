/* SPDX-License-Identifier: Apache-2.0 */
/* Notes and warnings of a run: see diagnostic.h. */
#include "base/diagnostic.h"

#include <string.h>

struct rp_diagnostic *rp_diagnose(struct rp_arena *arena, struct rp_diagnostics *list,
                                  const char *id, const char *message) {
    static const char *const rows[][2] = {
#define N(id, severity, text) {id, severity},
#include "base/notes.def"
#undef N
    };
    struct rp_diagnostic *diagnostic = RP_PUSH(arena, list);
    *diagnostic = (struct rp_diagnostic){.severity = "warning", .id = id, .message = message};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i][0], id) == 0)
            diagnostic->severity = rows[i][1];
    return diagnostic;
}
