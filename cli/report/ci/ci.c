/* SPDX-License-Identifier: Apache-2.0 */
/* What CI reads of a run: see ci.h. */
#include "cli/report/ci/ci.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/output.h"
#include "base/path.h"
#include "base/stream.h"
#include "cli/report/ci/annotate.h"
#include "cli/report/ci/junit.h"
#include "cli/report/ci/sarif.h"

/* ---- before ---- */

/* The files, and how those of earlier runs are known. */
static const struct output {
    const char *option;
    const char *start;
    const char *inside; /* near the start */
    const char *none;   /* a whole file without anything to say; or NULL */
    void (*write)(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                  struct rp_buf *out);
} outputs[RP_CI_FILES] = {
    {"--diagnostics", RP_DIAGNOSTICS_START, "", NULL, rp_diagnostics_write},
    {"--sarif", "{\n\t\"$schema\":\t\"" RP_SARIF_SCHEMA "\"", "\"name\":\t\"relocpack\"", NULL,
     rp_sarif_write},
    {"--annotate gitlab", "[{\n", "\"check_name\":\t\"RP", "[]\n", rp_annotate_gitlab},
    {"--junit", RP_JUNIT_START, "", NULL, rp_junit_write}};

static bool is_ours(const char *path, const struct output *output) {
    struct rp_arena arena = {0};
    struct rp_bytes head;
    bool ours = rp_file_head(&arena, path, 1 << 16, &head, NULL);
    const char *text = ours ? (const char *)head.data : "";
    ours = ours && (head.size == 0 || (output->none != NULL && strcmp(text, output->none) == 0) ||
                    (rp_has_prefix(text, output->start) && strstr(text, output->inside) != NULL));
    rp_arena_release(&arena);
    return ours;
}

/*
 * An older file is emptied, so that it is not mistaken for this run's; one that holds something
 * else stays, because it may be an input. Without one, an empty file keeps the place: no other
 * output of the run can then take it.
 */
static bool begin_file(const char *path, const struct output *output, struct rp_error *err) {
    bool is_file = rp_path_is_file(path);
    if (!is_file && !rp_output_is_possible(path, err))
        return false;
    if (rp_stream_is(path))
        return true;
    if (!is_file || is_ours(path, output))
        return rp_file_write(path, "", 0, err);
    rp_fail(err, RP_E_USAGE, "%s '%s': the file is there and holds something else", output->option,
            path);
    rp_hint(err, "give the name of a new file, or remove this one");
    return rp_fail_in(err, path, 0);
}

static bool is_same(const char *a, const char *b) {
    return a != NULL && b != NULL &&
           ((rp_stream_is_stdout(a) && rp_stream_is_stdout(b)) || strcmp(a, b) == 0 ||
            (rp_path_is_file(a) && rp_path_same(a, b)));
}

static bool begin_files(struct rp_diagnosed *diagnosed, struct rp_error *err) {
    bool ok = rp_annotate_choose(diagnosed, err);
    const char **paths[RP_CI_FILES] = RP_CI_PATHS(diagnosed);
    for (size_t i = 0; i < RP_CI_FILES; i++) {
        struct rp_error own = {0}; /* the hint of a later error is not for the first one */
        const char *path = *paths[i];
        bool good = true;
        for (size_t k = 0; k < i; k++)
            if (is_same(path, *paths[k]))
                good = rp_fail(&own, RP_E_USAGE, "'%s' is named for two outputs of this run", path);
        if (path == NULL || (good && begin_file(path, &outputs[i], &own)))
            continue;
        *paths[i] = NULL;
        if (ok)
            *err = own;
        ok = false;
    }
    return ok;
}

/* One file that another option of the command names. */
static bool is_apart(struct rp_diagnosed *diagnosed, const struct rp_option *row, const char *other,
                     struct rp_error *err) {
    const char **paths[RP_CI_FILES] = RP_CI_PATHS(diagnosed);
    bool ok = true;
    for (size_t i = 0; i < RP_CI_FILES; i++)
        if (is_same(*paths[i], other)) {
            ok = rp_fail(err, RP_E_USAGE, "'%s' is named twice: by %s and by --%s", *paths[i],
                         outputs[i].option, row->long_name);
            *paths[i] = NULL;
        }
    return ok;
}

/* Whatever else the command reads or writes is in none of the files. */
static bool are_apart(struct rp_diagnosed *diagnosed, const struct rp_command *command,
                      const void *options, struct rp_error *err) {
    bool ok = true;
    for (const struct rp_option *row = command->options; row->long_name != NULL; row++) {
        const char *at = (const char *)options + row->offset;
        bool is_own = at >= (const char *)diagnosed && at < (const char *)(diagnosed + 1);
        if (is_own || row->arg == NULL || strstr(row->arg, "FILE") == NULL)
            continue;
        if (row->kind == RP_OPT_TEXT || row->kind == RP_OPT_MAYBE)
            ok = is_apart(diagnosed, row, *(const char *const *)(const void *)at, err) && ok;
        const struct rp_strings *list = (const void *)at;
        for (size_t i = 0; row->kind == RP_OPT_LIST && i < list->count; i++)
            ok = is_apart(diagnosed, row, list->items[i], err) && ok;
    }
    return ok;
}

/* A document that follows the command's own output on the same stream could not be read. */
static bool stand_alone(struct rp_diagnosed *diagnosed, const struct rp_command *command,
                        const void *options, struct rp_error *err) {
    const char **paths[RP_CI_FILES] = RP_CI_PATHS(diagnosed);
    bool json = rp_option_is_set(command, options, "json");
    bool quiet = rp_option_is_set(command, options, "quiet");
    for (size_t i = 0; i < RP_CI_FILES; i++) {
        if (!rp_stream_is_stdout(*paths[i]) ||
            (!json && (quiet || outputs[i].write == rp_diagnostics_write)))
            continue;
        rp_fail(err, RP_E_USAGE, "%s '%s': the command's own output is there already",
                outputs[i].option, *paths[i]);
        *paths[i] = NULL;
        return rp_hint(err, json || rp_option_row(command, "quiet") == NULL
                                ? "give the name of a file"
                                : "give the name of a file, or add -q");
    }
    return true;
}

bool rp_ci_begin(struct rp_diagnosed *diagnosed, const struct rp_command *command,
                 const void *options, struct rp_error *err) {
    /* again afterwards: two names of one file are seen when it is there */
    bool ok = options == NULL || (stand_alone(diagnosed, command, options, err) &&
                                  are_apart(diagnosed, command, options, err));
    struct rp_error own = {0};
    bool begun = begin_files(diagnosed, &own);
    begun = (options == NULL || are_apart(diagnosed, command, options, &own)) && begun;
    if (ok && !begun && err != NULL)
        *err = own;
    return ok && begun;
}

/* ---- after ---- */

/* All of the text or, unless the path is a stream, what was there before. */
static bool write_text(const struct rp_outcome *outcome, const char *path,
                       const struct rp_buf *text, struct rp_error *err) {
    struct rp_outputs set = {0};
    bool ok = rp_outputs_begin(&set, outcome->arena, NULL, err) &&
              rp_outputs_add_named(&set, path, text->data, text->len, err) &&
              rp_outputs_check(&set, err) && rp_outputs_commit(&set, err);
    if (!ok)
        rp_outputs_abort(&set);
    return ok;
}

bool rp_ci_write(const struct rp_outcome *outcome, unsigned which, struct rp_error *err) {
    const char *const *paths[RP_CI_FILES] = RP_CI_PATHS(outcome->diagnosed);
    const struct rp_diagnostics all =
        rp_diagnostics_all(outcome->arena, outcome->diagnosed, outcome->failure);
    struct rp_buf text = {.arena = outcome->arena};
    if (*paths[which] == NULL)
        return true;
    outputs[which].write(outcome, &all, &text);
    return write_text(outcome, *paths[which], &text, err);
}

void rp_ci_print(const struct rp_outcome *outcome) {
    struct rp_buf text = {.arena = outcome->arena};
    if (!outcome->diagnosed->github)
        return;
    const struct rp_diagnostics all =
        rp_diagnostics_all(outcome->arena, outcome->diagnosed, outcome->failure);
    rp_annotate_github(outcome, &all, &text);
    fputs(rp_buf_text(&text), stderr);
}
