/* SPDX-License-Identifier: Apache-2.0 */
/* Facts of reports and images: see facts.h. */
#include "cli/facts/facts.h"

#include <string.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/json.h"
#include "base/path.h"
#include "cli/report/npu_names.h"
#include "elfpack/image/reader.h"

enum { PATH_DEEP = 4, FOLDERS_DEEP = 8, REPORTS_MAX = 10000 };
#define REPORT_END "_generate_rel.json"

const char *rp_fact_group_name(enum rp_fact_group group) {
    static const char *const names[RP_FACT_GROUPS] = {[RP_FACT_MEMORY] = "memory",
                                                      [RP_FACT_TIME] = "time",
                                                      [RP_FACT_SECTIONS] = "sections",
                                                      [RP_FACT_SYMBOLS] = "symbols",
                                                      [RP_FACT_LAYERS] = "layers",
                                                      [RP_FACT_FUNCTIONS] = "functions",
                                                      [RP_FACT_RELOCATIONS] = "relocations",
                                                      [RP_FACT_TENSORS] = "tensors",
                                                      [RP_FACT_TOOLS] = "tools",
                                                      [RP_FACT_INPUTS] = "inputs",
                                                      [RP_FACT_WARNINGS] = "warnings"};
    return names[group];
}

/* ---- facts ---- */

static void add_number(struct rp_facts *facts, enum rp_fact_group group, const char *name,
                       int64_t number) {
    *RP_PUSH(facts->arena, facts) = (struct rp_fact){
        .group = group, .name = rp_strdup(facts->arena, name), .where = "", .number = number};
}

static void add_text(struct rp_facts *facts, enum rp_fact_group group, const char *name,
                     const char *where, const char *text) {
    if (group == RP_FACT_MEMORY || group == RP_FACT_RELOCATIONS)
        return; /* these are numbers */
    *RP_PUSH(facts->arena, facts) = (struct rp_fact){.group = group,
                                                     .name = rp_strdup(facts->arena, name),
                                                     .where = rp_strdup(facts->arena, where),
                                                     .text = rp_strdup(facts->arena, text)};
}

/* A member's number, or 0. */
static double real_of(const struct rp_json *object, const char *key) {
    const struct rp_json *value = rp_json_member(object, key);
    return rp_json_type_of(value) == RP_JSON_NUMBER ? rp_json_number(value) : 0;
}

/* A whole number that is not negative. */
static bool number_of(const struct rp_json *object, const char *key, int64_t *number) {
    return rp_json_integer(rp_json_member(object, key), 0, RP_JSON_EXACT, number);
}

static void name_model(struct rp_facts *facts, const struct rp_json *object, const char *key) {
    if (rp_json_text(object, key, "")[0] != '\0')
        facts->model = rp_strdup(facts->arena, rp_json_text(object, key, ""));
}

static void add_member(struct rp_facts *facts, enum rp_fact_group group, const char *name,
                       const struct rp_json *object, const char *key) {
    int64_t number;
    if (number_of(object, key, &number))
        add_number(facts, group, name, number);
}

/*
 * Everything that a value has: members by their path, "static.flash"; each text of an array is a
 * fact of its own. Arrays of objects are left out.
 */
static void flatten(struct rp_facts *facts, enum rp_fact_group group, const char *path,
                    const struct rp_json *value, unsigned depth) {
    int64_t number;
    switch (rp_json_type_of(value)) {
    case RP_JSON_NUMBER:
        if (rp_json_integer(value, -RP_JSON_EXACT, RP_JSON_EXACT, &number))
            add_number(facts, group, path, number);
        break;
    case RP_JSON_STRING:
        add_text(facts, group, path, "", rp_json_string(value));
        break;
    case RP_JSON_BOOL:
        add_text(facts, group, path, "", rp_json_truth(value) ? "yes" : "no");
        break;
    case RP_JSON_ARRAY:
        for (const struct rp_json *item = rp_json_first(value); item != NULL;
             item = rp_json_next(item))
            if (rp_json_string(item) != NULL)
                add_text(facts, group, path, rp_json_string(item), rp_json_string(item));
        break;
    case RP_JSON_OBJECT:
        for (const struct rp_json *item = rp_json_first(value); depth != 0 && item != NULL;
             item = rp_json_next(item))
            flatten(facts, group,
                    path[0] != '\0' ? rp_format(facts->arena, "%s.%s", path, rp_json_key(item))
                                    : rp_json_key(item),
                    item, depth - 1);
        break;
    case RP_JSON_NULL:
        break;
    }
}

static void flatten_member(struct rp_facts *facts, enum rp_fact_group group, const char *path,
                           const struct rp_json *root, const char *key) {
    const struct rp_json *value = rp_json_member(root, key);
    if (value != NULL)
        flatten(facts, group, path, value, PATH_DEEP);
}

/* ---- the report of generate ---- */

static const char *file_of(struct rp_arena *arena, const struct rp_json *symbol) {
    const char *archive = rp_json_text(symbol, "archive", ""),
               *member = rp_json_text(symbol, "member", "");
    return archive[0] != '\0' ? rp_format(arena, "%s(%s)", archive, member)
                              : rp_json_text(symbol, "file", "");
}

static void add_symbols(struct rp_facts *facts, const struct rp_json *root) {
    for (const struct rp_json *symbol = rp_json_first(rp_json_member(root, "symbols"));
         symbol != NULL; symbol = rp_json_next(symbol)) {
        int64_t size = 0;
        (void)number_of(symbol, "size_bytes", &size);
        add_number(facts, RP_FACT_SYMBOLS, rp_json_text(symbol, "name", ""), size);
        facts->items[facts->count - 1].where =
            rp_format(facts->arena, "%s, %s", rp_json_text(symbol, "section", ""),
                      file_of(facts->arena, symbol));
    }
}

static void add_sections(struct rp_facts *facts, const struct rp_json *root) {
    for (const struct rp_json *section =
             rp_json_first(rp_json_member(rp_json_member(root, "image"), "sections"));
         section != NULL; section = rp_json_next(section))
        add_member(facts, RP_FACT_SECTIONS, rp_json_text(section, "name", ""), section,
                   "size_bytes");
}

/* "float32 1x8x8x1, scale 0.5, zero point 3" */
static void add_tensors(struct rp_facts *facts, const struct rp_json *model, const char *key,
                        const char *what) {
    for (const struct rp_json *tensor = rp_json_first(rp_json_member(model, key)); tensor != NULL;
         tensor = rp_json_next(tensor)) {
        struct rp_buf text = {.arena = facts->arena};
        rp_buf_printf(&text, "%s ", rp_json_text(tensor, "dtype", ""));
        for (const struct rp_json *size = rp_json_first(rp_json_member(tensor, "shape"));
             size != NULL; size = rp_json_next(size))
            rp_buf_printf(&text, "%s%.0f", text.data[text.len - 1] == ' ' ? "" : "x",
                          rp_json_number(size));
        if (rp_json_member(tensor, "scale") != NULL)
            rp_buf_printf(&text, ", scale %.9g, zero point %.0f", real_of(tensor, "scale"),
                          real_of(tensor, "zero_point"));
        add_text(facts, RP_FACT_TENSORS,
                 rp_format(facts->arena, "%s %s", what, rp_json_text(tensor, "name", "")), "",
                 text.data);
    }
}

static void add_warnings(struct rp_facts *facts, const struct rp_json *root) {
    for (const struct rp_json *item = rp_json_first(rp_json_member(root, "diagnostics"));
         item != NULL; item = rp_json_next(item))
        if (strcmp(rp_json_text(item, "severity", ""), "warning") == 0)
            add_text(facts, RP_FACT_WARNINGS, rp_json_text(item, "id", ""),
                     rp_json_text(item, "message", ""), rp_json_text(item, "message", ""));
}

static void add_report(struct rp_facts *facts, const struct rp_json *root) {
    static const char *const tools[] = {"tool",   "generator", "toolchain",
                                        "target", "runtime",   "choices"};
    const struct rp_json *model = rp_json_member(root, "model");
    const struct rp_json *image = rp_json_member(root, "image");
    name_model(facts, model, "name");
    flatten_member(facts, RP_FACT_MEMORY, "", root, "memory");
    add_sections(facts, root);
    add_symbols(facts, root);
    flatten_member(facts, RP_FACT_RELOCATIONS, "", root, "relocations");
    add_tensors(facts, model, "inputs", "input");
    add_tensors(facts, model, "outputs", "output");
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++)
        flatten_member(facts, RP_FACT_TOOLS, tools[i], root, tools[i]);
    flatten_member(facts, RP_FACT_TOOLS, "model.dialect", model, "dialect");
    flatten_member(facts, RP_FACT_TOOLS, "model.generator", model, "generator");
    flatten_member(facts, RP_FACT_TOOLS, "image.version", image, "version");
    flatten_member(facts, RP_FACT_TOOLS, "image.split", image, "split");
    flatten_member(facts, RP_FACT_TOOLS, "image.xip_ok", image, "xip_ok");
    for (const struct rp_json *input = rp_json_first(rp_json_member(root, "inputs")); input != NULL;
         input = rp_json_next(input))
        add_text(facts, RP_FACT_INPUTS, rp_json_text(input, "path", ""), "",
                 rp_json_text(input, "sha256", ""));
    add_warnings(facts, root);
}

/* ---- what verify and run write ---- */

static void add_profile(struct rp_facts *facts, const struct rp_json *profile) {
    const char *unit = rp_json_text(profile, "unit", "");
    for (const struct rp_json *node = rp_json_first(rp_json_member(profile, "nodes")); node != NULL;
         node = rp_json_next(node)) {
        const char *name = rp_json_text(node, "name", "");
        add_member(facts, RP_FACT_LAYERS, name[0] != '\0' ? name : rp_json_text(node, "type", ""),
                   node, unit);
    }
    for (const struct rp_json *function = rp_json_first(rp_json_member(profile, "functions"));
         function != NULL; function = rp_json_next(function))
        add_member(facts, RP_FACT_FUNCTIONS, rp_json_text(function, "name", ""), function, "own");
    add_member(facts, RP_FACT_TIME, "profile.run", rp_json_member(profile, "totals"), "run");
}

/* One mode of one image; keys as budgets have them: "run", "stack". */
static void add_measured(struct rp_facts *facts, const char *prefix, const struct rp_json *from,
                         const char *suffix) {
    static const struct {
        enum rp_fact_group group;
        const char *name, *key;
        bool has_suffix;
    } rows[] = {
        {RP_FACT_MEMORY, "ram", "ram_bytes", false},
        {RP_FACT_MEMORY, "acts", "acts_bytes", false},
        {RP_FACT_MEMORY, "stack", "stack_bytes", false},
        {RP_FACT_TIME, "install", "install", true},
        {RP_FACT_TIME, "init", "init", true},
        {RP_FACT_TIME, "run", "run", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        add_member(facts, rows[i].group, rp_format(facts->arena, "%s.%s", prefix, rows[i].name),
                   from,
                   rows[i].has_suffix ? rp_format(facts->arena, "%s%s", rows[i].key, suffix)
                                      : rows[i].key);
}

/* The first run of each mode stands for all: they are equal. */
static void add_verified(struct rp_facts *facts, const struct rp_json *root) {
    name_model(facts, root, "image");
    add_measured(facts, "static", rp_json_member(root, "static"), "_instructions");
    const char *last = "";
    for (const struct rp_json *run = rp_json_first(rp_json_member(root, "runs")); run != NULL;
         run = rp_json_next(run)) {
        const char *mode = rp_json_text(run, "mode", "");
        if (strcmp(rp_json_text(run, "addresses", ""), "1") == 0 && strcmp(mode, last) != 0)
            add_measured(facts, strcmp(mode, "XIP") == 0 ? "xip" : "copy", run, "_instructions");
        last = mode;
    }
}

static void add_board_runs(struct rp_facts *facts, const struct rp_json *root) {
    flatten_member(facts, RP_FACT_TOOLS, "tool", root, "tool");
    flatten_member(facts, RP_FACT_TOOLS, "board", root, "board");
    for (const struct rp_json *image = rp_json_first(rp_json_member(root, "images")); image != NULL;
         image = rp_json_next(image)) {
        const char *prefix = rp_format(facts->arena, "%s.%s", rp_json_text(image, "name", ""),
                                       rp_json_text(image, "mode", ""));
        int64_t number, least = INT64_MAX;
        add_measured(facts, prefix, image, "");
        for (const struct rp_json *run = rp_json_first(rp_json_member(image, "inferences"));
             run != NULL; run = rp_json_next(run))
            if (rp_json_integer(run, 0, RP_JSON_EXACT, &number) && number < least)
                least = number;
        if (least != INT64_MAX)
            add_number(facts, RP_FACT_TIME, rp_format(facts->arena, "%s.run", prefix), least);
        if (rp_json_member(image, "profile") != NULL)
            add_profile(facts, rp_json_member(image, "profile"));
    }
}

/* ---- files ---- */

bool rp_facts_of(struct rp_facts *facts, struct rp_arena *arena, const char *path,
                 const struct rp_json *root, struct rp_error *err) {
    static void (*const add[])(struct rp_facts * facts,
                               const struct rp_json *root) = {[RP_DOCUMENT_REPORT] = add_report,
                                                              [RP_DOCUMENT_VERIFY] = add_verified,
                                                              [RP_DOCUMENT_RUN] = add_board_runs,
                                                              [RP_DOCUMENT_PROFILE] = add_profile};
    const enum rp_document_kind kind = rp_document_kind_of(root);
    *facts = (struct rp_facts){
        .arena = arena, .path = path, .model = rp_path_base(path), .source = kind};
    if (kind < RP_DOCUMENT_OTHER)
        add[kind](facts, root);
    if (rp_json_member(root, "profile") != NULL)
        add_profile(facts, rp_json_member(root, "profile"));
    return facts->count != 0 ||
           rp_fail(err, RP_E_INPUT,
                   "'%s' is neither a report of generate, nor what verify or run write",
                   facts->path);
}

/* What tells two images apart whose sizes are the same. */
static void add_identity(struct rp_facts *facts, const struct rp_mapped *file,
                         const struct rp_image_view *image) {
    const uint32_t flags = image->view.flags;
    char text[2 * RELOC_SHA256_BYTES + 1];
    uint8_t sha256[RELOC_SHA256_BYTES];
    rp_image_sha256(sha256, image, file);
    rp_hex(text, sha256, sizeof sha256);
    add_text(facts, RP_FACT_INPUTS, "image", "", text);
    add_text(facts, RP_FACT_TOOLS, "image.toolchain", "", rp_toolchain_name(flags));
    add_text(facts, RP_FACT_TOOLS, "target.cpuid", "",
             rp_format(facts->arena, "%03X", RELOC_FLAGS_CPUID(flags)));
    add_text(facts, RP_FACT_TOOLS, "image.version", "",
             rp_format(facts->arena, "%u.%u", RELOC_FLAGS_MAJOR(flags), RELOC_FLAGS_MINOR(flags)));
}

static bool add_image(struct rp_facts *facts, struct rp_error *err) {
    struct rp_mapped file;
    struct rp_image_view image;
    facts->source = RP_DOCUMENT_IMAGE;
    bool ok = rp_map_file(&file, facts->path, err) && rp_image_read(&image, &file, err);
    if (ok) {
        const struct reloc_view *view = &image.view;
        const struct {
            enum rp_fact_group group;
            const char *name;
            uint32_t bytes;
        } rows[] = {
            {RP_FACT_MEMORY, "image", file.size},
            {RP_FACT_MEMORY, "ram_xip", image.needs.ram_xip},
            {RP_FACT_MEMORY, "ram_copy", image.needs.ram_copy},
            {RP_FACT_MEMORY, "params", image.needs.weights},
            {RP_FACT_MEMORY, "got", view->got_end - view->got_start},
            {RP_FACT_SECTIONS, "read-only part", view->ro_bytes},
            {RP_FACT_SECTIONS, "data", view->data_end},
            {RP_FACT_SECTIONS, "bss", view->bss_end - view->got_end},
            {RP_FACT_SECTIONS, "rel", view->rel_end - view->rel_start},
        };
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            add_number(facts, rows[i].group, rows[i].name, rows[i].bytes);
        if (image.needs.weights == 0 ||
            view->weights_start != 0) /* else a file of its own is part of it */
            add_number(facts, RP_FACT_MEMORY, "flash", file.size);
        if (image.format->counts_acts)
            add_number(facts, RP_FACT_MEMORY, "acts", view->acts_size);
        add_identity(facts, &file, &image);
    }
    rp_unmap_file(&file);
    return ok;
}

bool rp_facts_read(struct rp_facts *facts, struct rp_arena *arena, const char *path,
                   struct rp_error *err) {
    struct rp_bytes head, text;
    *facts = (struct rp_facts){.arena = arena, .path = path, .model = rp_path_base(path)};
    if (!rp_file_head(arena, path, 4, &head, err))
        return false;
    if (head.size == 4 && memcmp(head.data, "NBIN", 4) == 0)
        return add_image(facts, err);
    if (!rp_file_read(arena, path, RP_DOCUMENT_MAX, &text, err))
        return false;
    if (memchr(text.data, '\0', text.size) != NULL)
        return rp_fail(err, RP_E_INPUT,
                       "'%s' is neither a report nor an image; weights are compared with the image "
                       "they belong to",
                       path);
    struct rp_json *root = rp_json_parse((const char *)text.data, text.size, path, err);
    bool ok = root != NULL && rp_document_check(root, path, err) &&
              rp_facts_of(facts, arena, path, root, err);
    rp_json_free(root);
    return ok;
}

/* ---- folders ---- */

struct search {
    struct rp_arena *arena;
    const char *folder;
    struct rp_strings *found;
    bool by_contents;
};

/* Is it a report, whatever its name? What cannot be read is none. */
static bool is_report(const char *path) {
    struct rp_arena arena = {0};
    struct rp_json *root = rp_json_read(&arena, path, RP_DOCUMENT_MAX, NULL);
    bool is = rp_document_kind_of(root) == RP_DOCUMENT_REPORT &&
              rp_json_member(root, "schema_version") != NULL;
    rp_json_free(root);
    rp_arena_release(&arena);
    return is;
}

static bool is_wanted(const struct search *search, const char *name, const char *path) {
    return search->by_contents ? rp_path_base(name)[0] != '.' && rp_has_suffix(name, ".json") &&
                                     rp_path_is_file(path) && is_report(path)
                               : rp_has_suffix(name, REPORT_END) && rp_path_is_file(path);
}

static bool find_in(const struct search *search, const char *below, unsigned depth,
                    struct rp_error *err) {
    struct rp_strings names = {0};
    if (!rp_list_dir(search->arena, rp_path_join(search->arena, search->folder, below), &names,
                     err))
        return false;
    bool ok = true;
    for (size_t i = 0; ok && i < names.count; i++) {
        const char *name = rp_path_join(search->arena, below, names.items[i]);
        const char *path = rp_path_join(search->arena, search->folder, name);
        if (is_wanted(search, name, path))
            rp_strings_push(search->arena, search->found, name);
        else if (depth != 0 && names.items[i][0] != '.' && rp_path_is_dir(path) &&
                 !rp_path_is_link(path))
            ok = find_in(search, name, depth - 1, err);
        if (ok && search->found->count > REPORTS_MAX)
            ok = rp_fail(err, RP_E_INPUT, "'%s' has more than %d reports", search->folder,
                         REPORTS_MAX);
    }
    return ok;
}

bool rp_facts_find(struct rp_strings *paths, struct rp_arena *arena, const char *folder,
                   struct rp_error *err) {
    struct search search = {arena, folder, paths, false};
    bool ok = find_in(&search, "", FOLDERS_DEEP, err);
    search.by_contents = paths->count == 0;
    if (ok && search.by_contents)
        ok = find_in(&search, "", FOLDERS_DEEP, err);
    return ok && (paths->count != 0 || rp_fail(err, RP_E_INPUT, "'%s' has no reports", folder));
}
