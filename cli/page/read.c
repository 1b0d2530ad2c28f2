/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of `generate` for a page: see read.h. */
#include "cli/page/read.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/path.h"
#include "cli/document.h"

struct reading {
    struct rp_page_report *report; /* NULL: a build */
    struct rp_arena *arena;
};

static const char *text_of(const struct reading *reading, const struct rp_json *object,
                           const char *key) {
    return rp_strdup(reading->arena, rp_json_text(object, key, ""));
}

/* A number of bytes; otherwise where there is none. rp_document_check knows its limits. */
static uint64_t size_of(const struct rp_json *object, const char *key, uint64_t otherwise) {
    int64_t number;
    return rp_json_integer(rp_json_member(object, key), 0, UINT32_MAX, &number) ? (uint64_t)number
                                                                                : otherwise;
}

/* The items of an array that are objects; NULL at the end. */
static const struct rp_json *next_object(const struct rp_json *item) {
    while (item != NULL && rp_json_type_of(item) != RP_JSON_OBJECT)
        item = rp_json_next(item);
    return item;
}

static const struct rp_json *first_object(const struct rp_json *parent, const char *key) {
    const struct rp_json *array = rp_json_member(parent, key);
    return array != NULL && rp_json_type_of(array) == RP_JSON_ARRAY
               ? next_object(rp_json_first(array))
               : NULL;
}

/* What is the same in both modes is one row. */
static void add_use(const struct reading *reading, const struct rp_page_use *use) {
    for (size_t i = 0; i < reading->report->uses.count; i++) {
        const struct rp_page_use *other = &reading->report->uses.items[i];
        if (strcmp(other->region, use->region) == 0 &&
            (strcmp(use->region, "ram") != 0 || other->is_copy == use->is_copy) &&
            other->used == use->used && other->size == use->size)
            return;
    }
    *RP_PUSH(reading->arena, &reading->report->uses) = *use;
}

static void read_device(const struct reading *reading, const struct rp_json *device) {
    for (const struct rp_json *item = first_object(device, "use"); item != NULL;
         item = next_object(rp_json_next(item))) {
        const struct rp_page_use use = {.region = text_of(reading, item, "region"),
                                        .is_copy =
                                            strcmp(text_of(reading, item, "mode"), "copy") == 0,
                                        .used = size_of(item, "used_bytes", UINT64_MAX),
                                        .size = size_of(item, "size_bytes", 0)};
        if (use.size != 0 && use.used != UINT64_MAX)
            add_use(reading, &use);
    }
}

void rp_page_look(struct rp_page_build *build, struct rp_arena *arena, const char *path,
                  const struct rp_json *root) {
    const struct reading reading = {NULL, arena};
    const struct rp_json *memory = rp_json_member(root, "memory");
    *build = (struct rp_page_build){
        .path = path,
        .model = text_of(&reading, rp_json_member(root, "model"), "name"),
        .embedded = "",
        .started = text_of(&reading, rp_json_member(root, "run"), "started")};
    if (build->model[0] == '\0')
        build->model = rp_path_base(path);
    for (unsigned i = 0; i < RP_FIGURES_MAIN; i++) {
        const char *key = rp_figure_key((enum rp_figure)i);
        build->figures[i] =
            (struct rp_page_number){rp_json_type_of(rp_json_member(memory, key)) == RP_JSON_NUMBER,
                                    size_of(memory, key, 0)};
    }
    const struct rp_json *label = rp_json_first(rp_json_member(root, "labels"));
    for (; label != NULL; label = rp_json_next(label))
        if (rp_json_string(label) != NULL && rp_document_is_label(rp_json_key(label)))
            rp_strings_push(arena, &build->labels,
                            rp_format(arena, "%s=%s", rp_json_key(label), rp_json_string(label)));
}

static void read_sections(const struct reading *reading, const struct rp_json *root) {
    for (const struct rp_json *item = first_object(rp_json_member(root, "image"), "sections");
         item != NULL; item = next_object(rp_json_next(item)))
        *RP_PUSH(reading->arena, &reading->report->sections) =
            (struct rp_page_section){.name = text_of(reading, item, "name"),
                                     .segment = text_of(reading, item, "segment"),
                                     .in_file = rp_json_member(item, "file") != NULL,
                                     .size = size_of(item, "size_bytes", 0)};
}

static size_t find_section(const struct rp_page_report *report, const char *name) {
    size_t i = 0;
    while (i < report->sections.count && strcmp(report->sections.items[i].name, name) != 0)
        i++;
    return i < report->sections.count ? i : SIZE_MAX;
}

static void read_symbols(const struct reading *reading, const struct rp_json *root) {
    for (const struct rp_json *item = first_object(root, "symbols"); item != NULL;
         item = next_object(rp_json_next(item))) {
        const char *archive = text_of(reading, item, "archive");
        struct rp_page_symbol symbol = {
            .name = text_of(reading, item, "name"),
            .archive = archive[0] != '\0' ? archive : NULL,
            .file = text_of(reading, item, archive[0] != '\0' ? "member" : "file"),
            .place = text_of(reading, item, "section"),
            .order = reading->report->symbols.count,
            .offset = size_of(item, "offset", UINT64_MAX),
            .size = size_of(item, "size_bytes", 0),
            .is_function = strcmp(text_of(reading, item, "kind"), "function") == 0,
        };
        symbol.section = find_section(reading->report, symbol.place);
        *RP_PUSH(reading->arena, &reading->report->symbols) = symbol;
    }
}

static int compare_sizes(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

static int by_offset(const void *one, const void *other) {
    const struct rp_page_symbol *a = one, *b = other;
    int order = compare_sizes(a->section, b->section);
    if (order == 0)
        order = compare_sizes(a->offset, b->offset);
    return order != 0 ? order : compare_sizes(a->order, b->order);
}

static int by_place(const void *one, const void *other) {
    const struct rp_page_symbol *a = one, *b = other;
    int order = compare_sizes(a->section, b->section);
    if (order == 0)
        order = strcmp(a->archive != NULL ? a->archive : "", b->archive != NULL ? b->archive : "");
    if (order == 0)
        order = strcmp(a->file, b->file);
    if (order == 0)
        order = compare_sizes(b->own, a->own);
    return order != 0 ? order : compare_sizes(a->order, b->order);
}

/*
 * No byte is counted twice, whatever the report says: a symbol that begins inside another one has
 * only what is beyond it, and none reaches beyond its section.
 */
static void share_bytes(struct rp_page_report *report) {
    struct rp_page_symbol *symbols = report->symbols.items;
    uint64_t at = 0;
    if (report->symbols.count == 0)
        return;
    qsort(symbols, report->symbols.count, sizeof *symbols, by_offset);
    for (size_t i = 0; i < report->symbols.count; i++) {
        if (i == 0 || symbols[i].section != symbols[i - 1].section)
            at = 0;
        if (symbols[i].section == SIZE_MAX)
            continue;
        uint64_t size = report->sections.items[symbols[i].section].size;
        bool placed = symbols[i].offset != UINT64_MAX;
        uint64_t start = placed && symbols[i].offset > at ? symbols[i].offset : at;
        uint64_t end = (placed ? symbols[i].offset : at) + symbols[i].size;
        end = end < size ? end : size;
        symbols[i].own = end > start ? end - start : 0;
        at = end > at ? end : at;
    }
    qsort(symbols, report->symbols.count, sizeof *symbols, by_place);
}

static void add_word(struct rp_buf *out, const char *before, const struct rp_json *object,
                     const char *key) {
    const char *text = rp_json_text(object, key, "");
    if (text[0] != '\0')
        rp_buf_printf(out, "%s%s", out->len != 0 ? before : "", text);
}

void rp_page_read(struct rp_page_report *report, struct rp_arena *arena,
                  const struct rp_json *root) {
    const struct reading reading = {report, arena};
    struct rp_buf subtitle = {.arena = arena};
    struct rp_page_build build;
    *report = (struct rp_page_report){0};
    rp_page_look(&build, arena, "", root);
    memcpy(report->figures, build.figures, sizeof report->figures);
    add_word(&subtitle, "", rp_json_member(root, "target"), "series");
    add_word(&subtitle, " \xC2\xB7 ", rp_json_member(root, "toolchain"), "kind");
    add_word(&subtitle, " ", rp_json_member(root, "toolchain"), "version");
    add_word(&subtitle, " \xC2\xB7 ", rp_json_member(root, "model"), "generator");
    add_word(&subtitle, " \xC2\xB7 ", rp_json_member(root, "run"), "started");
    report->subtitle = rp_buf_text(&subtitle);
    read_device(&reading, rp_json_member(root, "device"));
    read_sections(&reading, root);
    read_symbols(&reading, root);
    share_bytes(report);
}
