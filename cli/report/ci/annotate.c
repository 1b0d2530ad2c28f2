/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations: see annotate.h. */
#include "cli/report/ci/annotate.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/printable.h"
#include "elfpack/image/integrity.h"

#define GITLAB_FILE "gl-code-quality-report.json" /* as GitLab's documentation names it */

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value != NULL && strcmp(value, "true") == 0;
}

bool rp_annotate_choose(struct rp_diagnosed *diagnosed, struct rp_error *err) {
    const char *value = diagnosed->annotate;
    if (value == NULL)
        return true;
    bool is_auto = strcmp(value, "auto") == 0;
    diagnosed->github = strcmp(value, "github") == 0 || (is_auto && is_set("GITHUB_ACTIONS"));
    if (strcmp(value, "gitlab") == 0 || (is_auto && is_set("GITLAB_CI")))
        diagnosed->gitlab = GITLAB_FILE;
    else if (rp_has_prefix(value, "gitlab=") && value[strlen("gitlab=")] != '\0')
        diagnosed->gitlab = value + strlen("gitlab=");
    if (is_auto || diagnosed->github || diagnosed->gitlab != NULL)
        return true;
    rp_fail(err, RP_E_USAGE, "unknown --annotate \'%s\'; there are: auto github gitlab[=FILE]",
            value);
    return rp_hint_nearest(err, value, "", "auto github gitlab");
}

/* ---- GitHub: https://docs.github.com/actions/reference/workflow-commands-for-github-actions ----
 */

/* A line end would end the command. In a property, so would a colon or a comma end its value. */
static void put_github(struct rp_buf *out, const char *text, const char *escaped) {
    for (; *text != '\0'; text++)
        rp_buf_printf(out, strchr(escaped, *text) != NULL ? "%%%02X" : "%c", (unsigned char)*text);
}

void rp_annotate_github(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                        struct rp_buf *out) {
    struct rp_arena *arena = outcome->arena;
    for (size_t i = 0; i < all->count; i++) {
        const struct rp_diagnostic *one = &all->items[i];
        bool is_note = strcmp(one->severity, "note") == 0;
        rp_buf_printf(out, "::%s ", is_note ? "notice" : one->severity);
        if (one->file != NULL) {
            rp_buf_puts(out, "file=");
            put_github(out, rp_printable(arena, rp_outcome_place(arena, one->file)), "%\r\n:,");
            rp_buf_printf(out, ",line=%u,", one->line != 0 ? one->line : 1);
        }
        rp_buf_printf(out, "title=%s::", one->id);
        put_github(out, rp_printable_lines(arena, rp_outcome_text(outcome, one)), "%\r\n");
        rp_buf_puts(out, "\n");
    }
}

/* ---- GitLab: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format ---- */

/* Unlike the line, it does not change when code above is edited. */
static const char *fingerprint_of(struct rp_arena *arena, const struct rp_diagnostics *all,
                                  size_t index, const char *path) {
    const struct rp_diagnostic *one = &all->items[index];
    size_t same = 0;
    for (size_t i = 0; i < index; i++)
        same += strcmp(all->items[i].id, one->id) == 0 &&
                strcmp(all->items[i].message, one->message) == 0;
    const char *text = rp_format(arena, "%s\n%s\n%s\n%zu", one->id, path, one->message, same);
    const struct rp_sum sum = rp_sum_bytes(text, strlen(text));
    char hex[2 * sizeof sum.sha256 + 1];
    rp_hex(hex, sum.sha256, sizeof sum.sha256);
    return rp_strdup(arena, hex);
}

void rp_annotate_gitlab(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                        struct rp_buf *out) {
    struct rp_arena *arena = outcome->arena;
    struct rp_json *list = rp_json_array();
    for (size_t i = 0; i < all->count; i++) {
        const struct rp_diagnostic *one = &all->items[i];
        const char *path = rp_printable(
            arena,
            rp_outcome_place(arena, one->file != NULL ? one->file : rp_outcome_input(outcome)));
        const char *severity = strcmp(one->severity, "error") == 0     ? "critical"
                               : strcmp(one->severity, "warning") == 0 ? "minor"
                                                                       : "info";
        struct rp_json *item = RP_JSON_NEW(
            RP_JSON_S("description", rp_printable_lines(arena, rp_outcome_text(outcome, one))),
            RP_JSON_S("check_name", one->id),
            RP_JSON_S("fingerprint", fingerprint_of(arena, all, i, path)),
            RP_JSON_S("severity", severity));
        struct rp_json *location = rp_json_new_object(item, "location");
        rp_json_put_string(location, "path", path);
        rp_json_put_int(rp_json_new_object(location, "lines"), "begin",
                        one->line != 0 ? one->line : 1);
        rp_json_push(list, item);
    }
    char *text = rp_json_print(list);
    rp_buf_puts(out, text);
    free(text);
    rp_json_free(list);
}
