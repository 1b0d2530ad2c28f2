/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in a report: see memory.h. */
#include "cli/facts/memory.h"

#include "base/json.h"
#include "cli/facts/facts.h"

bool rp_memory_read(struct rp_memory_figures *figures, struct rp_arena *arena, const char *text,
                    size_t len) {
    static const char name[] = "report";
    struct rp_arena own = {0};
    struct rp_facts facts = {0};
    struct rp_json *root = rp_json_parse(text, len, name, NULL);
    bool ok = root != NULL && rp_document_check(root, name, NULL) &&
              rp_facts_of(&facts, &own, name, root, NULL);
    if (ok)
        figures->acts_outside = rp_json_member(root, "pools") != NULL;
    for (size_t i = 0; ok && i < facts.count; i++)
        if (facts.items[i].group == RP_FACT_MEMORY)
            *RP_PUSH(arena, figures) = (struct rp_memory_figure){
                rp_strdup(arena, facts.items[i].name), (uint64_t)facts.items[i].number};
    rp_json_free(root);
    rp_arena_release(&own);
    return ok;
}
