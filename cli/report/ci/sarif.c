/* SPDX-License-Identifier: Apache-2.0 */
/* SARIF: see sarif.h. In: the end of a run. Out: one log with one run. */
#include "cli/report/ci/sarif.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/path.h"
#include "base/printable.h"
#include "cli/version.h"

static const struct {
    const char *id, *severity, *text;
} notes[] = {
#define N(id, severity, text) {(id), (severity), (text)},
#include "base/notes.def"
#undef N
};
/* Without a page of its own in the network: as the schemas are named. */
#define RP_URN "urn:relocpack"
enum { NOTES = sizeof notes / sizeof notes[0] };

/* As a message string: {0} would be a placeholder, so braces are doubled (3.11.5 of the standard).
 */
static void put_text(struct rp_json *object, struct rp_arena *arena, const char *key,
                     const char *text) {
    struct rp_buf out = {.arena = arena};
    for (const char *at = rp_printable_lines(arena, text); *at != '\0'; at++) {
        rp_buf_printf(&out, "%c", *at);
        if (*at == '{' || *at == '}')
            rp_buf_printf(&out, "%c", *at);
    }
    rp_json_put_string(rp_json_new_object(object, key), "text", rp_buf_text(&out));
}

static struct rp_json *push_rule(struct rp_json *rules, const char *id, const char *level) {
    struct rp_json *rule = RP_JSON_NEW(RP_JSON_S("id", id));
    rp_json_put_string(rp_json_new_object(rule, "defaultConfiguration"), "level", level);
    rp_json_push(rules, rule);
    return rule;
}

static void describe(struct rp_json *rule, struct rp_arena *arena, const char *id,
                     const char *title, const char *text) {
    put_text(rule, arena, "shortDescription", title);
    put_text(rule, arena, "fullDescription", text);
    put_text(rule, arena, "help",
             rp_format(arena, "%s\n`relocpack explain %s` says the same.", text, id));
    rp_json_put_string(rule, "helpUri", rp_format(arena, RP_URN ":%s", id));
}

/* Errors in the order of their table, then notes; a result refers to its rule by position. */
static void put_rules(struct rp_json *driver, struct rp_arena *arena) {
    struct rp_json *rules = rp_json_new_array(driver, "rules");
    for (size_t i = 0; rp_error_at(i) != NULL; i++) {
        const char *id = rp_format(arena, "RP%d", (int)rp_error_at(i)->id);
        describe(push_rule(rules, id, "error"), arena, id, rp_error_at(i)->title,
                 rp_error_at(i)->text);
    }
    for (size_t i = 0; i < NOTES; i++)
        describe(push_rule(rules, notes[i].id, notes[i].severity), arena, notes[i].id,
                 notes[i].text, notes[i].text);
}

/* -1: no rule has the id. */
static int64_t rule_of(const char *id) {
    size_t errors = 0;
    for (; rp_error_at(errors) != NULL; errors++)
        if (id[2] == '2' && strtol(id + 2, NULL, 10) == (long)rp_error_at(errors)->id)
            return (int64_t)errors;
    for (size_t i = 0; i < NOTES; i++)
        if (strcmp(id, notes[i].id) == 0)
            return (int64_t)(errors + i);
    return -1;
}

/* A path as a URI: absolute ones with file://. */
static const char *uri_of(struct rp_arena *arena, const char *path) {
    struct rp_buf out = {.arena = arena};
    rp_buf_puts(&out, path[0] == '/' ? "file://" : "");
    for (; *path != '\0'; path++) {
        bool plain = isalnum((unsigned char)*path) || strchr("/-._~", *path) != NULL;
        rp_buf_printf(&out, plain ? "%c" : "%%%02X", (unsigned char)*path);
    }
    return rp_buf_text(&out);
}

/* GitHub takes no result without a file; what names none is about what the run was about. */
static void put_location(struct rp_json *result, const struct rp_outcome *outcome,
                         const struct rp_diagnostic *one) {
    struct rp_json *location = rp_json_object();
    struct rp_json *physical = rp_json_new_object(location, "physicalLocation");
    const char *file = one->file != NULL ? one->file : rp_outcome_input(outcome);
    rp_json_put_string(rp_json_new_object(physical, "artifactLocation"), "uri",
                       uri_of(outcome->arena, rp_outcome_place(outcome->arena, file)));
    RP_JSON_PUT(rp_json_new_object(physical, "region"),
                RP_JSON_N("startLine", one->line != 0 ? one->line : 1),
                RP_JSON_N("startColumn", 1));
    if (one->symbol != NULL)
        rp_json_push(rp_json_new_array(location, "logicalLocations"),
                     RP_JSON_NEW(RP_JSON_S("name", one->symbol)));
    rp_json_push(rp_json_new_array(result, "locations"), location);
}

static void put_results(struct rp_json *run, const struct rp_outcome *outcome,
                        const struct rp_diagnostics *all) {
    struct rp_json *results = rp_json_new_array(run, "results");
    for (size_t i = 0; i < all->count; i++) {
        const struct rp_diagnostic *one = &all->items[i];
        struct rp_json *result = RP_JSON_NEW(RP_JSON_S("ruleId", one->id));
        if (rule_of(one->id) >= 0)
            rp_json_put_int(result, "ruleIndex", rule_of(one->id));
        rp_json_put_string(result, "level", one->severity);
        put_text(result, outcome->arena, "message", rp_outcome_text(outcome, one));
        put_location(result, outcome, one);
        rp_json_push(results, result);
    }
}

/* A model that is refused is a result; the tool failed where it could not do its work. */
static bool could_work(int status) {
    return status != RP_EXIT_FAILURE && status != RP_EXIT_USAGE && status != RP_EXIT_TOOLCHAIN;
}

void rp_sarif_write(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                    struct rp_buf *out) {
    struct rp_json *root =
        RP_JSON_NEW(RP_JSON_S("$schema", RP_SARIF_SCHEMA), RP_JSON_S("version", "2.1.0"));
    struct rp_json *run = rp_json_object();
    rp_json_push(rp_json_new_array(root, "runs"), run);
    struct rp_json *driver = rp_json_new_object(rp_json_new_object(run, "tool"), "driver");
    RP_JSON_PUT(driver, RP_JSON_S("name", "relocpack"), RP_JSON_S("version", RP_VERSION),
                RP_JSON_S("semanticVersion", RP_VERSION), RP_JSON_S("informationUri", RP_URN));
    put_rules(driver, outcome->arena);
    rp_json_push(rp_json_new_array(run, "invocations"),
                 RP_JSON_NEW(RP_JSON_B("executionSuccessful", could_work(outcome->status)),
                             RP_JSON_N("exitCode", outcome->status)));
    rp_json_put(run, "properties", RP_JSON_NEW(RP_JSON_S("command", outcome->command->name)));
    put_results(run, outcome, all);
    rp_json_put_string(run, "columnKind", "utf16CodeUnits");
    char *text = rp_json_print(root);
    rp_buf_puts(out, text);
    free(text);
    rp_json_free(root);
}
