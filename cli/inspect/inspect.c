/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack inspect`: what an image holds; what in an ELF file or archive is not
 * position-independent.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/path.h"
#include "cli/document.h"
#include "cli/report/ci/diagnostics.h"
#include "cli/commands.h"
#include "cli/format.h"
#include "cli/harness/subject.h"
#include "cli/inspect/parts.h"
#include "cli/inspect/signature.h"
#include "cli/inspect/weights.h"
#include "cli/report/npu_names.h"
#include "cli/terminal.h"
#include "elfpack/image/image.h"
#include "elfpack/insn/member.h"
#include "elfpack/elf/scan.h"

struct inspect_options {
    bool json;
    const char *weights;
    struct rp_diagnosed diagnosed;
};

static const struct rp_option rows[] = {
    {0, "json", RP_OPT_FLAG, offsetof(struct inspect_options, json), NULL, "print JSON", NULL},
    {0, "weights", RP_OPT_TEXT, offsetof(struct inspect_options, weights), "FILE",
     "check that this weights file belongs to the image", NULL},
    RP_DIAGNOSTICS_ROWS(offsetof(struct inspect_options, diagnosed)),
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

/* ---- images ---- */

static void show_image(const struct rp_mapped *file, const struct rp_image_view *image,
                       const struct rp_mapped *weights, bool json) {
    const struct rp_inspect_format *format = rp_format_of(image->format->major)->inspect;
    if (json) {
        struct rp_json *root = rp_document("inspect", 1, "inspect");
        format->json(root, file, image);
        rp_inspect_signature_json(root, file, image, weights);
        rp_print_json(root);
    } else {
        format->print(file, image);
        rp_inspect_signature(file, image, weights);
    }
}

static bool inspect_image(const struct rp_mapped *file, const struct inspect_options *options,
                          struct rp_error *err) {
    struct rp_image_view image;
    struct rp_mapped weights = {0};
    bool ok = rp_image_read(&image, file, err) &&
              (options->weights == NULL || (rp_map_file(&weights, options->weights, err) &&
                                            rp_weights_check(&image, &weights, err)));
    if (ok)
        show_image(file, &image, options->weights != NULL ? &weights : NULL, options->json);
    rp_unmap_file(&weights);
    return ok;
}

/* ---- ELF files and archives ---- */

static const char *const fits[RP_FIT_COUNT] = {"clean", "copy-only", "no"};

static void count_fits(const struct rp_members *members, size_t counts[RP_FIT_COUNT],
                       size_t *keep_r9) {
    for (size_t i = 0; i < members->count; i++) {
        counts[members->items[i].fit]++;
        *keep_r9 += members->items[i].keeps_r9;
    }
}

static void print_member(const struct rp_member *member, struct rp_arena *arena) {
    printf("  %-28s ", member->name != NULL ? rp_printable(arena, member->name) : "-");
    if (member->fit == RP_FIT_COPY_ONLY)
        printf("with -r copy-only: %u words, %u pairs of instructions", member->words,
               member->pairs);
    for (size_t i = 0; i < member->reasons.count; i++)
        printf("%s%s", i == 0 ? "not: " : "; ", rp_printable(arena, member->reasons.items[i]));
    printf("\n");
}

/* Lists the members that need -r copy-only or cannot be used at all. */
static void print_members(const struct rp_members *members, struct rp_arena *arena) {
    size_t counts[RP_FIT_COUNT] = {0}, keep_r9 = 0;
    count_fits(members, counts, &keep_r9);
    if (counts[RP_FIT_CLEAN] != members->count)
        printf("\n");
    for (size_t i = 0; i < members->count; i++)
        if (members->items[i].fit != RP_FIT_CLEAN)
            print_member(&members->items[i], arena);
    printf("%zu member%s: %zu clean, %zu with -r copy-only, %zu not\n", members->count,
           members->count == 1 ? "" : "s", counts[RP_FIT_CLEAN], counts[RP_FIT_COPY_ONLY],
           counts[RP_FIT_NOT]);
    if (keep_r9 != 0)
        printf("%zu keep%s a value in r9 while calling: what they reach must not need the GOT "
               "(RP2503)\n",
               keep_r9, keep_r9 == 1 ? "s" : "");
}

static void put_members(struct rp_json *root, const struct rp_members *members) {
    size_t counts[RP_FIT_COUNT] = {0}, keep_r9 = 0;
    struct rp_json *summary = rp_json_new_object(root, "summary");
    struct rp_json *list = rp_json_new_array(root, "fitness");
    count_fits(members, counts, &keep_r9);
    for (size_t i = 0; i < RP_FIT_COUNT; i++)
        rp_json_put_int(summary, fits[i], (int64_t)counts[i]);
    rp_json_put_int(summary, "keep_r9", (int64_t)keep_r9);
    for (size_t i = 0; i < members->count; i++) {
        const struct rp_member *member = &members->items[i];
        struct rp_json *item =
            RP_JSON_NEW(RP_JSON_S("member", member->name), RP_JSON_S("fit", fits[member->fit]),
                        RP_JSON_N("words", member->words), RP_JSON_N("pairs", member->pairs));
        struct rp_json *reasons = rp_json_new_array(item, "reasons");
        for (size_t k = 0; k < member->reasons.count; k++)
            rp_json_push_string(reasons, member->reasons.items[k]);
        rp_json_put_bool(item, "keeps_r9", member->keeps_r9);
        rp_json_push(list, item);
    }
}

/* "  expf   needed by a.o, b.o" */
static void print_undefined(const struct rp_members *members, struct rp_arena *arena) {
    size_t count = members->undefined.count;
    if (count != 0)
        printf("%zu undefined symbol%s:\n", count, count == 1 ? "" : "s");
    for (size_t i = 0; i < count; i++) {
        const struct rp_undefined *item = &members->undefined.items[i];
        printf(item->members.count != 0 || item->weak ? "  %-28s" : "  %s",
               rp_printable(arena, item->symbol));
        for (size_t k = 0; k < item->members.count; k++)
            printf("%s%s", k == 0 ? " needed by " : ", ",
                   rp_printable(arena, item->members.items[k]));
        printf(item->weak ? " (weak)\n" : "\n");
    }
}

static void put_undefined(struct rp_json *root, const struct rp_members *members) {
    struct rp_json *list = rp_json_new_array(root, "undefined");
    for (size_t i = 0; i < members->undefined.count; i++) {
        const struct rp_undefined *item = &members->undefined.items[i];
        struct rp_json *row =
            RP_JSON_NEW(RP_JSON_S("symbol", item->symbol), RP_JSON_B("weak", item->weak));
        struct rp_json *names = rp_json_new_array(row, "members");
        for (size_t k = 0; k < item->members.count; k++)
            rp_json_push_string(names, item->members.items[k]);
        rp_json_push(list, row);
    }
}

static void print_culprits(const struct rp_scan *scan, const char *path, struct rp_arena *arena) {
    printf("%s: %zu ELF file%s, %s\n", path, scan->members, scan->members == 1 ? "" : "s",
           scan->culprits.count == 0 ? "position-independent" : "not position-independent:");
    for (size_t i = 0; i < scan->culprits.count; i++) {
        const struct rp_object_culprit *item = &scan->culprits.items[i];
        printf("  %-28s %-24s %-32s %4u x %s to %s\n",
               item->member != NULL ? rp_printable(arena, item->member) : "-",
               item->symbol[0] != '\0' ? rp_printable(arena, item->symbol) : "?",
               rp_printable(arena, item->section), item->count, item->type,
               rp_printable(arena, item->target));
    }
}

static void print_culprits_json(const struct rp_scan *scan, const struct rp_members *members) {
    struct rp_json *root =
        RP_JSON_PUT(rp_document("inspect", 1, "inspect"), RP_JSON_S("kind", "elf"),
                    RP_JSON_N("members", scan->members),
                    RP_JSON_B("position_independent", scan->culprits.count == 0));
    struct rp_json *list = rp_json_new_array(root, "culprits");
    for (size_t i = 0; i < scan->culprits.count; i++) {
        const struct rp_object_culprit *item = &scan->culprits.items[i];
        rp_json_push(
            list, RP_JSON_NEW(RP_JSON_S("member", item->member), RP_JSON_S("symbol", item->symbol),
                              RP_JSON_S("section", item->section), RP_JSON_S("type", item->type),
                              RP_JSON_S("target", item->target), RP_JSON_N("count", item->count)));
    }
    put_members(root, members);
    put_undefined(root, members);
    rp_print_json(root);
}

static bool inspect_elf(struct rp_arena *arena, const char *path,
                        const struct inspect_options *options, struct rp_error *err) {
    struct rp_scan scan = {0};
    struct rp_members members = {0};
    const struct rp_scan_options how = {.culprits = true, .constructors_ok = true};
    if (!rp_scan_file(&scan, arena, path, &how, err) ||
        !rp_members_read(&members, arena, path, err))
        return false;
    if (options->json) {
        print_culprits_json(&scan, &members);
        return true;
    }
    print_culprits(&scan, path, arena);
    print_members(&members, arena);
    print_undefined(&members, arena);
    return true;
}

static bool inspect(struct rp_arena *arena, const char *path, const struct inspect_options *options,
                    struct rp_error *err) {
    struct rp_mapped file;
    bool is_elf = rp_map_file(&file, path, err) &&
                  ((file.size >= 4 && memcmp(file.data, "\177ELF", 4) == 0) ||
                   (file.size >= 8 && memcmp(file.data, "!<arch>\n", 8) == 0));
    bool ok = file.data != NULL &&
              (is_elf                     ? inspect_elf(arena, path, options, err)
               : rp_is_weights_file(path) ? rp_inspect_weights(arena, &file, options->json, err)
                                          : inspect_image(&file, options, err));
    rp_unmap_file(&file);
    return ok || (!is_elf && rp_subject_hint(arena, path, err));
}

static int run_inspect(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                       struct rp_error *err) {
    if (arguments->count != 1) {
        rp_fail(err, RP_E_USAGE, "inspect takes one file");
        return -1;
    }
    return inspect(arena, arguments->items[0], given, err) ? 0 : -1;
}

const struct rp_command rp_command_inspect = {
    "inspect",
    "[options] FILE",
    "Describes an image, or what in an ELF file or archive is not position-independent or not "
    "defined",
    rows,
    sizeof(struct inspect_options),
    NULL,
    run_inspect};
