/* SPDX-License-Identifier: Apache-2.0 */
/* Notes and warnings: see diagnostic.h. */
#include "base/diagnostic.h"

struct rp_diagnostic *rp_diagnose(struct rp_arena *arena, struct rp_diagnostics *list,
                                  const char *severity, const char *id, const char *message) {
    struct rp_diagnostic *diagnostic = RP_PUSH(arena, list);
    *diagnostic = (struct rp_diagnostic){.severity = severity, .id = id, .message = message};
    return diagnostic;
}
