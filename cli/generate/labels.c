/* SPDX-License-Identifier: Apache-2.0 */
/* What a build is called: see labels.h. */
#include "cli/generate/labels.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "cli/document.h"

/* The first variable that is set counts: a merge request has its own branch in another one. */
static const struct {
    const char *key;
    const char *variables[4];
} of_ci[] = {
    {"commit", {"GITHUB_SHA", "CI_COMMIT_SHA"}},
    {"branch",
     {"GITHUB_HEAD_REF", "GITHUB_REF_NAME", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME",
      "CI_COMMIT_REF_NAME"}},
    {"pipeline", {"GITHUB_RUN_ID", "CI_PIPELINE_ID"}},
    {"repository", {"GITHUB_REPOSITORY", "CI_PROJECT_PATH"}},
};
enum { CI_LABELS = sizeof of_ci / sizeof of_ci[0] };

/* Replaces the label of that key, or adds it. */
static void put(struct rp_arena *arena, struct rp_strings *labels, const char *key, size_t len,
                const char *value) {
    const char *label = rp_format(arena, "%.*s=%s", (int)len, key, value);
    for (size_t i = 0; i < labels->count; i++)
        if (strncmp(labels->items[i], label, len + 1) == 0) {
            labels->items[i] = label;
            return;
        }
    rp_strings_push(arena, labels, label);
}

static void take_ci(struct rp_arena *arena, struct rp_strings *labels) {
    for (size_t i = 0; i < CI_LABELS; i++)
        for (size_t k = 0; k < 4 && of_ci[i].variables[k] != NULL; k++) {
            const char *value = getenv(of_ci[i].variables[k]);
            if (value == NULL || value[0] == '\0')
                continue;
            put(arena, labels, of_ci[i].key, strlen(of_ci[i].key), value);
            break;
        }
}

bool rp_labels_take(struct rp_arena *arena, const struct rp_strings *given,
                    struct rp_strings *labels, struct rp_error *err) {
    if (rp_strings_have(given, "ci"))
        take_ci(arena, labels);
    for (size_t i = 0; i < given->count; i++) {
        const char *text = given->items[i];
        const size_t len = strcspn(text, "=");
        if (strcmp(text, "ci") == 0)
            continue;
        if (text[len] == '\0')
            return rp_fail(err, RP_E_USAGE, "--label '%s' is neither KEY=VALUE nor ci", text);
        if (!rp_document_is_label(rp_strndup(arena, text, len)))
            return rp_fail(err, RP_E_USAGE,
                           "--label '%s': a key has letters, digits and _, does not begin with a "
                           "digit or end in _bytes, and is not model, report or started",
                           text);
        put(arena, labels, text, len, text + len + 1);
    }
    return true;
}

void rp_labels_variables(struct rp_arena *arena, struct rp_strings *names) {
    for (size_t i = 0; i < CI_LABELS; i++)
        for (size_t k = 0; k < 4 && of_ci[i].variables[k] != NULL; k++)
            rp_strings_push(arena, names, of_ci[i].variables[k]);
}
