/* SPDX-License-Identifier: Apache-2.0 */
/* Documents as the page's script reads them: JSON in an element of the page. */
#ifndef RP_CLI_PAGE_EMBED_H
#define RP_CLI_PAGE_EMBED_H

#include "base/arena.h"
#include "base/json.h"

enum rp_embed {
    RP_EMBED_WHOLE,  /* all that the page shows of a report */
    RP_EMBED_FIGURES /* of an old build: its figures and labels */
};

/* What the page shows of a report; of anything else, how it was verified and its profile. */
const char *rp_embed_report(struct rp_arena *arena, const struct rp_json *root, enum rp_embed how);
const char *rp_embed_measured(struct rp_arena *arena, const struct rp_json *root);

#endif
