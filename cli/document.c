/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of other commands, and the limits of its members: see document.h. */
#include "cli/document.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "cli/version.h"

/* ---- kinds ---- */

static const struct {
    const char *name;
    const char *member; /* by which it is recognised, with its type */
    enum rp_json_type type;
    int64_t oldest, newest; /* schema_version */
} kinds[] = {
    [RP_DOCUMENT_REPORT] = {"a report of generate", "memory", RP_JSON_OBJECT, RP_REPORT_OLDEST,
                            RP_REPORT_SCHEMA},
    [RP_DOCUMENT_VERIFY] = {"what verify writes", "runs", RP_JSON_ARRAY, 1, 1},
    [RP_DOCUMENT_RUN] = {"what run writes", "images", RP_JSON_ARRAY, 1, 1},
    [RP_DOCUMENT_PROFILE] = {"a profile", "nodes", RP_JSON_ARRAY, 1, 1},
    [RP_DOCUMENT_OTHER] = {"another document", NULL, RP_JSON_NULL, 0, 0},
    [RP_DOCUMENT_IMAGE] = {"an image", NULL, RP_JSON_NULL, 0, 0},
};

enum rp_document_kind rp_document_kind_of(const struct rp_json *root) {
    int kind = RP_DOCUMENT_REPORT;
    while (kind < RP_DOCUMENT_OTHER &&
           rp_json_type_of(rp_json_member(root, kinds[kind].member)) != kinds[kind].type)
        kind++;
    return (enum rp_document_kind)kind;
}

const char *rp_document_name(enum rp_document_kind kind) {
    return kinds[kind].name;
}

/* ---- limits ---- */

enum form { ANY, SIZE, COUNT, ZERO_POINT, ROWS, SHA256, BUILD_ID, TIME };

static const struct {
    const char *text; /* of the message */
    int64_t least, most;
    bool is_text;
} forms[] = {
    [ANY] = {"", 0, 0, false},
    [SIZE] = {"a whole number from 0 to 4294967295", 0, UINT32_MAX, false},
    [COUNT] = {"a whole number from 0 to 2^53 - 1", 0, RP_JSON_EXACT, false},
    [ZERO_POINT] = {"a whole number of 32 bits", INT32_MIN, UINT32_MAX, false},
    [ROWS] = {"a list of at most 256 rows", 0, 256, false},
    [SHA256] = {"a SHA-256: 64 digits 0-9 a-f", 0, 0, true},
    [BUILD_ID] = {"a build id: 32 digits 0-9 a-f", 0, 0, true},
    [TIME] = {"a time such as 2026-01-31T23:59:59Z", 0, 0, true},
};

/*
 * The form of a member by its name, wherever it stands; the items of an array have that of the
 * array. A name that begins with '_' is the end of one.
 */
struct rule {
    const char *name;
    enum form form;
    const struct rule *below; /* of members of the object that have no rule */
};
static const struct rule sizes = {"", SIZE, &sizes}; /* without a name: nothing but numbers */
static const struct rule counts = {"relocations", COUNT, &counts};
static const struct rule rules[] = {
    {"memory", ANY, &sizes},
    {"relocations", ANY, &counts},
    {"delta_flash", ANY, NULL}, /* these may be negative */
    {"delta_ram", ANY, NULL},
    {"free_bytes", ANY, NULL},
    {"saved_bytes", ANY, NULL},
    {"_bytes", SIZE, NULL},
    {"offset", SIZE, NULL},
    {"_instructions", COUNT, NULL},
    {"instructions", COUNT, NULL},
    {"cycles", COUNT, NULL},
    {"install", COUNT, NULL},
    {"init", COUNT, NULL},
    {"run", COUNT, NULL},
    {"inferences", COUNT, NULL},
    {"own", COUNT, NULL},
    {"shape", SIZE, NULL},
    {"zero_point", ZERO_POINT, NULL},
    {"sections", ROWS, NULL}, /* each use of a device and each symbol looks for its own */
    {"use", ROWS, NULL},
    {"sha256", SHA256, NULL},
    {"build_id", BUILD_ID, NULL},
    {"started", TIME, NULL},
};

static const struct rule *rule_of(const char *name) {
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].name[0] == '_' ? rp_has_suffix(name, rules[i].name)
                                    : strcmp(name, rules[i].name) == 0)
            return &rules[i];
    return NULL;
}

static bool is_hex(const char *text, size_t digits) {
    return strlen(text) == digits && strspn(text, "0123456789abcdef") == digits;
}

/* 2026-01-31T23:59:59Z, as reports and SPDX have it. */
static bool is_time(const char *text) {
    static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
    static const unsigned char days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (size_t i = 0; i < sizeof form; i++) /* with the 0 at the end */
        if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    const long year = strtol(text, NULL, 10), month = strtol(text + 5, NULL, 10);
    const long day = strtol(text + 8, NULL, 10);
    const bool leaps = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] &&
           !(month == 2 && day == 29 && !leaps) && strtol(text + 11, NULL, 10) < 24 &&
           strtol(text + 14, NULL, 10) < 60 &&
           strtol(text + 17, NULL, 10) <= 60; /* a leap second */
}

static bool has_form(const struct rp_json *value, enum form form) {
    const char *text = rp_json_string(value);
    int64_t number;
    switch (form) {
    case ANY:
        return true;
    case ROWS:
        return rp_json_count(value) <= (size_t)forms[ROWS].most;
    case SHA256:
        return text != NULL && is_hex(text, 64);
    case BUILD_ID:
        return text != NULL && is_hex(text, 32);
    case TIME:
        return text != NULL && is_time(text);
    case SIZE:
    case COUNT:
    case ZERO_POINT:
        break;
    }
    return rp_json_integer(value, forms[form].least, forms[form].most, &number);
}

/* A member and those that it is in, for the message. */
struct place {
    const struct place *in;
    const char *name; /* NULL: an item of an array */
};

static void put_place(struct rp_buf *out, const struct place *place) {
    if (place->in != NULL)
        put_place(out, place->in);
    if (place->name != NULL)
        rp_buf_printf(out, "%s%s", out->len != 0 ? "." : "", place->name);
}

static bool refuse(const char *path, const struct place *place, enum form form,
                   struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf name = {.arena = &arena};
    put_place(&name, place);
    rp_fail(err, RP_E_INPUT, "'%s': %s is not %s", path, rp_buf_text(&name), forms[form].text);
    rp_arena_release(&arena);
    return false;
}

/* rule: the one that holds for the value; NULL: none. */
static bool check(const struct rp_json *value, const struct place *place, const struct rule *rule,
                  const char *path, struct rp_error *err) {
    const enum rp_json_type type = rp_json_type_of(value);
    if (place->name != NULL && strcmp(place->name, "labels") == 0)
        return true; /* the names in it are the user's */
    if (type == RP_JSON_ARRAY && rule != NULL && rule->name[0] == '\0')
        return refuse(path, place, rule->form, err);
    if (type == RP_JSON_OBJECT || type == RP_JSON_ARRAY) {
        const bool is_list = rule != NULL && rule->form == ROWS;
        const struct rule *below = rule == NULL || is_list ? NULL
                                   : type == RP_JSON_ARRAY ? rule
                                                           : rule->below;
        if (is_list && !has_form(value, ROWS))
            return refuse(path, place, ROWS, err);
        for (const struct rp_json *item = rp_json_first(value); item != NULL;
             item = rp_json_next(item)) {
            const struct place inner = {place, type == RP_JSON_OBJECT ? rp_json_key(item) : NULL};
            const struct rule *own = inner.name != NULL ? rule_of(inner.name) : NULL;
            if (!check(item, &inner, own != NULL ? own : below, path, err))
                return false;
        }
        return true;
    }
    /* a text may be something else of that name: the address of an entry, "run": "0x20000481" */
    const bool is_meant =
        rule != NULL && rule->form != ROWS &&
        (type == RP_JSON_NUMBER || rule->name[0] == '\0' || forms[rule->form].is_text);
    return !is_meant || has_form(value, rule->form) || refuse(path, place, rule->form, err);
}

/* Reports always have had a version; what verify, run and profiles write has not. */
bool rp_document_check(const struct rp_json *root, const char *path, struct rp_error *err) {
    const enum rp_document_kind kind = rp_document_kind_of(root);
    const struct rp_json *version = rp_json_member(root, "schema_version");
    int64_t number;
    if (kind == RP_DOCUMENT_OTHER)
        return true;
    if ((version != NULL || kind == RP_DOCUMENT_REPORT) &&
        !rp_json_integer(version, kinds[kind].oldest, kinds[kind].newest, &number))
        return rp_fail(err, RP_E_INPUT,
                       "'%s' is not %s that this version reads: schema_version is not %d to %d",
                       path, kinds[kind].name, (int)kinds[kind].oldest, (int)kinds[kind].newest);
    return check(root, &(struct place){NULL, NULL}, NULL, path, err);
}

struct rp_json *rp_document_read(struct rp_arena *arena, const char *path, struct rp_error *err) {
    struct rp_json *root = rp_json_read(arena, path, RP_DOCUMENT_MAX, err);
    if (root != NULL && !rp_document_check(root, path, err)) {
        rp_json_free(root);
        return NULL;
    }
    return root;
}

struct rp_json *rp_document_read_report(struct rp_arena *arena, const char *path,
                                        struct rp_error *err) {
    struct rp_json *root = rp_document_read(arena, path, err);
    if (root == NULL || rp_document_kind_of(root) == RP_DOCUMENT_REPORT)
        return root;
    rp_fail(err, RP_E_INPUT, "'%s' is not a report of generate: it has no memory", path);
    (void)rp_hint(err, "relocpack generate writes it as NAME_generate_rel.json");
    rp_json_free(root);
    return NULL;
}

bool rp_document_is_label(const char *key) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    static const char *const taken[] = {"model", "report", "started"};
    if (key[0] == '\0' || key[strspn(key, letters)] != '\0' || (key[0] >= '0' && key[0] <= '9') ||
        strncmp(key, "__", 2) == 0 || rp_has_suffix(key, "_bytes")) /* the columns of figures */
        return false;
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(key, taken[i]) == 0)
            return false;
    return true;
}

struct rp_json *rp_document(const char *name, int version, const char *command) {
    char schema[64];
    (void)snprintf(schema, sizeof schema, "urn:relocpack:schema:%s:%d", name, version);
    struct rp_json *root =
        RP_JSON_NEW(RP_JSON_S("schema", schema), RP_JSON_N("schema_version", version),
                    RP_JSON_S("command", command));
    rp_json_put(root, "tool",
                RP_JSON_NEW(RP_JSON_S("name", "relocpack"), RP_JSON_S("version", RP_VERSION)));
    return root;
}
