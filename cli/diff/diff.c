/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `relocpack diff`: what changed from one report to another, and whether it is too much. In: two
 * files, or two folders of reports. Out: the differences on the standard output; exit code 7 when
 * a limit is exceeded.
 */
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/commands.h"
#include "cli/diff/write.h"
#include "cli/report/ci/diagnostics.h"

struct diff_options {
    const char *format;
    const char *baseline;
    struct rp_strings fail_on;
    struct rp_diagnosed diagnosed;
};

#define AT(member) offsetof(struct diff_options, member)
static const struct rp_option rows[] = {
    {0, "format", RP_OPT_TEXT, AT(format), "FORMAT", "text (default), markdown, json or csv", NULL},
    {0, "fail-on", RP_OPT_LIST, AT(fail_on), "KEY=+N[%],...",
     "exit code 7 when a figure of memory or time grew by more", NULL},
    {0, "baseline", RP_OPT_TEXT, AT(baseline), "FILE",
     "compare with this, which generate --update-baseline has written", NULL},
    RP_DIAGNOSTICS_ROWS(AT(diagnosed)),
    {0, NULL, RP_OPT_FLAG, 0, NULL, NULL, NULL},
};

static bool read_format(const char *text, enum rp_diff_format *format, struct rp_error *err) {
    static const char *const names[] = {"text", "markdown", "json", "csv"};
    *format = RP_DIFF_TEXT;
    for (size_t i = 0; text != NULL && i < sizeof names / sizeof names[0]; i++)
        if (strcmp(text, names[i]) == 0)
            *format = (enum rp_diff_format)i;
    return text == NULL || strcmp(text, names[*format]) == 0 ||
           rp_fail(err, RP_E_USAGE, "unknown --format \'%s\'; there are: text markdown json csv",
                   text);
}

static bool compare_files(struct rp_diffs *diffs, struct rp_arena *arena, const char *old,
                          const char *new, struct rp_error *err) {
    struct rp_facts *sides = rp_alloc(arena, 2, sizeof *sides);
    if (!rp_facts_read(&sides[0], arena, old, err) || !rp_facts_read(&sides[1], arena, new, err))
        return false;
    struct rp_diff *diff = RP_PUSH(arena, diffs);
    rp_diff_make(diff, &sides[0], &sides[1]);
    return sides[0].source == sides[1].source || diff->count != 0 ||
           rp_fail(err, RP_E_INPUT, "'%s' is %s and '%s' is %s: they have no figure in common", old,
                   rp_document_name(sides[0].source), new, rp_document_name(sides[1].source));
}

static void keep_others(struct rp_arena *arena, struct rp_strings *out,
                        const struct rp_strings *from, const struct rp_strings *without) {
    for (size_t i = 0; i < from->count; i++)
        if (!rp_strings_have(without, from->items[i]))
            rp_strings_push(arena, out, from->items[i]);
}

static bool compare_folders(struct rp_diffs *diffs, struct rp_arena *arena, const char *old,
                            const char *new, struct rp_error *err) {
    struct rp_strings left = {0}, right = {0};
    bool ok = rp_facts_find(&left, arena, old, err) && rp_facts_find(&right, arena, new, err);
    for (size_t i = 0; ok && i < right.count; i++)
        if (rp_strings_have(&left, right.items[i]))
            ok = compare_files(diffs, arena, rp_path_join(arena, old, right.items[i]),
                               rp_path_join(arena, new, right.items[i]), err);
    keep_others(arena, &diffs->gone, &left, &right);
    keep_others(arena, &diffs->added, &right, &left);
    return ok;
}

static bool compare(struct rp_diffs *diffs, struct rp_arena *arena, const char *old,
                    const char *new, struct rp_error *err) {
    bool folders = rp_path_is_dir(old);
    if (folders != rp_path_is_dir(new))
        return rp_fail(err, RP_E_USAGE,
                       "'%s' is a folder, '%s' is not: give two files or two "
                       "folders",
                       folders ? old : new, folders ? new : old);
    return folders ? compare_folders(diffs, arena, old, new, err)
                   : compare_files(diffs, arena, old, new, err);
}

static bool fail_for(const struct rp_diffs *diffs, struct rp_arena *arena, struct rp_error *err) {
    struct rp_buf text = {.arena = arena};
    for (size_t i = 0; i < diffs->excesses.count; i++) {
        const struct rp_excess *excess = &diffs->excesses.items[i];
        rp_buf_printf(&text, "%s%s%s%s grew from %lld to %lld, the limit is %s", i != 0 ? "; " : "",
                      diffs->count > 1 ? rp_diffs_label(diffs, excess->diff) : "",
                      diffs->count > 1 ? ": " : "", excess->limit->name,
                      (long long)rp_number_of(excess->change->old),
                      (long long)rp_number_of(excess->change->new), excess->limit->text);
    }
    return text.len == 0 || rp_fail(err, RP_E_BUDGET, "%s", text.data);
}

static int run_diff(struct rp_arena *arena, void *given, const struct rp_strings *arguments,
                    struct rp_error *err) {
    const struct diff_options *options = given;
    struct rp_strings paths = {0};
    struct rp_diffs diffs = {0};
    struct rp_limits limits = {0};
    enum rp_diff_format format;
    struct rp_buf out = {.arena = arena};
    if (options->baseline != NULL)
        rp_strings_push(arena, &paths, options->baseline);
    rp_strings_append(arena, &paths, arguments);
    if (paths.count != 2)
        return rp_fail(err, RP_E_USAGE,
                       "diff takes two reports, images or folders, or one and "
                       "--baseline FILE") -
               1;
    if (!read_format(options->format, &format, err) ||
        !rp_limits_read(&limits, arena, &options->fail_on, err) ||
        !compare(&diffs, arena, paths.items[0], paths.items[1], err))
        return -1;
    for (size_t i = 0; i < diffs.count; i++)
        rp_limits_check(&limits, &diffs.items[i], &diffs.excesses);
    if (diffs.count != 0 && !rp_limits_used(&limits, &diffs.items[0], err))
        return -1;
    rp_diffs_write(&diffs, arena, format, &out);
    (void)fputs(rp_buf_text(&out), stdout);
    (void)fflush(stdout); /* before the error, also where both go to one log */
    return fail_for(&diffs, arena, err) && rp_limits_hold(&limits, diffs.count, err) ? 0 : -1;
}

const struct rp_command rp_command_diff = {
    "diff",  "[options] OLD NEW",         "Shows what changed from one report or image to another",
    rows,    sizeof(struct diff_options), NULL,
    run_diff};
