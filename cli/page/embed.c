/* SPDX-License-Identifier: Apache-2.0 */
/* JSON for the page's script: see embed.h. */
#include "cli/page/embed.h"

#include <inttypes.h>
#include <string.h>

#include "base/path.h"
#include "cli/page/markup.h"

/*
 * Members of the first level, up to NULL; others are left out, first of all the paths of "run",
 * because pages are passed on.
 */
static const char *const of_report[] = {"schema_version",
                                        "tool",
                                        "labels",
                                        "generator",
                                        "toolchain",
                                        "inputs",
                                        "model",
                                        "target",
                                        "image",
                                        "memory",
                                        "device",
                                        "pools",
                                        "runtime",
                                        "symbols",
                                        "imports",
                                        "archive_members",
                                        "moved_to_ram",
                                        "relocations",
                                        "budgets",
                                        "choices",
                                        "run",
                                        "diagnostics",
                                        NULL};
static const char *const of_old[] = {"schema_version", "labels", "model", "memory", "run", NULL};
static const char *const of_measured[] = {
    "tool",   "image",     "name",   "core",    "machine", "board",     "mode",   "unit", "runs",
    "static", "identical", "images", "profile", "nodes",   "functions", "totals", NULL};
static const char *const of_run[] = {"started", NULL};

static bool is_among(const char *const *names, const char *name) {
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

static void put(struct rp_buf *out, const struct rp_json *value, const char *const *members);

/* members: those that are wanted; NULL: all but the tree of calls, which is larger than the rest.
 */
static void put_members(struct rp_buf *out, const struct rp_json *object,
                        const char *const *members) {
    const char *comma = "";
    for (const struct rp_json *item = rp_json_first(object); item != NULL;
         item = rp_json_next(item)) {
        const char *key = rp_json_key(item), *text = rp_json_string(item);
        if (members != NULL ? !is_among(members, key) : strcmp(key, "tree") == 0)
            continue;
        rp_buf_puts(out, comma);
        rp_markup_json(out, key);
        rp_buf_puts(out, ":");
        if (text != NULL && strcmp(key, "image") == 0) /* a path of the user's machine */
            rp_markup_json(out, rp_path_base(text));
        else
            put(out, item, members != NULL && strcmp(key, "run") == 0 ? of_run : NULL);
        comma = ",";
    }
}

static void put(struct rp_buf *out, const struct rp_json *value, const char *const *members) {
    int64_t number;
    const char *comma = "";
    switch (rp_json_type_of(value)) {
    case RP_JSON_NULL:
        rp_buf_puts(out, "null");
        break;
    case RP_JSON_BOOL:
        rp_buf_puts(out, rp_json_truth(value) ? "true" : "false");
        break;
    case RP_JSON_NUMBER:
        if (rp_json_integer(value, -RP_JSON_EXACT, RP_JSON_EXACT, &number))
            rp_buf_printf(out, "%" PRId64, number);
        else
            rp_buf_printf(out, "%.17g", rp_json_number(value));
        break;
    case RP_JSON_STRING:
        rp_markup_json(out, rp_json_string(value));
        break;
    case RP_JSON_ARRAY:
        rp_buf_puts(out, "[");
        for (const struct rp_json *item = rp_json_first(value); item != NULL;
             item = rp_json_next(item)) {
            rp_buf_puts(out, comma);
            put(out, item, NULL);
            comma = ",";
        }
        rp_buf_puts(out, "]");
        break;
    case RP_JSON_OBJECT:
        rp_buf_puts(out, "{");
        put_members(out, value, members);
        rp_buf_puts(out, "}");
        break;
    }
}

const char *rp_embed_report(struct rp_arena *arena, const struct rp_json *root, enum rp_embed how) {
    struct rp_buf out = {.arena = arena};
    put(&out, root, how == RP_EMBED_WHOLE ? of_report : of_old);
    return rp_buf_text(&out);
}

const char *rp_embed_measured(struct rp_arena *arena, const struct rp_json *root) {
    struct rp_buf out = {.arena = arena};
    put(&out, root, of_measured);
    return rp_buf_text(&out);
}
