/* SPDX-License-Identifier: Apache-2.0 */
/* What pipelines read of a run: see forms.h. */
#include "cli/report/ci/forms.h"

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

/* The value of an option among words; "" for one of kind MAYBE without a value. */
static const char *word_of(const struct rp_command *command, const char *name, int argc,
                           char **argv) {
    const struct rp_option *row = rp_option_row(command, name);
    size_t len = strlen(name);
    const char *value = NULL;
    for (int i = 0; row != NULL && i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = argv[i];
        if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, len) != 0)
            continue;
        if (word[2 + len] == '=')
            value = word + 2 + len + 1;
        else if (word[2 + len] == '\0' && i + 1 < argc &&
                 (row->kind == RP_OPT_TEXT || argv[i + 1][0] != '-'))
            value = argv[++i];
        else if (word[2 + len] == '\0' && row->kind == RP_OPT_MAYBE)
            value = row->preset;
    }
    return value;
}

void rp_forms_wanted(struct rp_diagnosed *said, const struct rp_command *command,
                     const struct rp_command_line *line) {
    said->path = word_of(command, "diagnostics", line->argc, line->argv);
    said->annotate = word_of(command, "annotate", line->argc, line->argv);
    said->sarif = word_of(command, "sarif", line->argc, line->argv);
    said->junit = word_of(command, "junit", line->argc, line->argv);
}

/* How the files of earlier runs are known. */
struct kind {
    const char *option;
    const char *start;
    const char *inside; /* near the start */
    const char *none;   /* a whole file without anything to say; or NULL */
};
static const struct kind kinds[RP_SAID_FILES] = {
    {"--diagnostics", NULL, NULL, NULL}, /* see rp_diagnostics_begin */
    {"--sarif", "{\n\t\"$schema\":\t\"" RP_SARIF_SCHEMA "\"", "\"name\":\t\"relocpack\"", NULL},
    {"--annotate gitlab", "[{\n", "\"check_name\":\t\"RP", "[]\n"},
    {"--junit", RP_JUNIT_START, "", NULL}};

static bool is_ours(const char *path, const struct kind *kind) {
    struct rp_arena arena = {0};
    struct rp_bytes head;
    bool ours = rp_file_head(&arena, path, 1 << 16, &head, NULL);
    const char *text = ours ? (const char *)head.data : "";
    ours = ours && (head.size == 0 || (kind->none != NULL && strcmp(text, kind->none) == 0) ||
                    (rp_has_prefix(text, kind->start) && strstr(text, kind->inside) != NULL));
    rp_arena_release(&arena);
    return ours;
}

/*
 * An older file is emptied, so that it is not mistaken for this run's; one that holds something
 * else stays, because it may be an input. Without one, an empty file keeps the place: no other
 * output of the run can then take it.
 */
static bool begin_file(const char *path, const struct kind *kind, struct rp_error *err) {
    if (kind->start == NULL)
        return rp_diagnostics_begin(path, err);
    bool is_file = rp_path_is_file(path);
    if (!is_file && !rp_output_is_possible(path, err))
        return false;
    if (rp_stream_is(path))
        return true;
    if (!is_file || is_ours(path, kind))
        return rp_file_write(path, "", 0, err);
    rp_fail(err, RP_E_USAGE, "%s '%s': the file is there and holds something else", kind->option,
            path);
    rp_hint(err, "give the name of a new file, or remove this one");
    return rp_fail_in(err, path, 0);
}

static bool is_same(const char *a, const char *b) {
    return a != NULL && b != NULL &&
           ((rp_stream_is_stdout(a) && rp_stream_is_stdout(b)) || strcmp(a, b) == 0 ||
            (rp_path_is_file(a) && rp_path_same(a, b)));
}

static bool begin_files(struct rp_diagnosed *said, struct rp_error *err) {
    bool ok = rp_annotate_choose(said, err);
    const char **paths[RP_SAID_FILES] = RP_SAID_PATHS(said);
    for (size_t i = 0; i < RP_SAID_FILES; i++) {
        struct rp_error own = {0}; /* the hint of a later error is not for the first one */
        const char *path = *paths[i];
        bool good = true;
        for (size_t k = 0; k < i; k++)
            if (is_same(path, *paths[k]))
                good = rp_fail(&own, RP_E_USAGE, "'%s' is named for two outputs of this run", path);
        if (path == NULL || (good && begin_file(path, &kinds[i], &own)))
            continue;
        *paths[i] = NULL;
        if (ok)
            *err = own;
        ok = false;
    }
    return ok;
}

/* One file that another option of the command names. */
static bool is_apart(struct rp_diagnosed *said, const struct rp_option *row, const char *other,
                     struct rp_error *err) {
    const char **paths[RP_SAID_FILES] = RP_SAID_PATHS(said);
    bool ok = true;
    for (size_t i = 0; i < RP_SAID_FILES; i++)
        if (is_same(*paths[i], other)) {
            ok = rp_fail(err, RP_E_USAGE, "'%s' is named twice: by %s and by --%s", *paths[i],
                         kinds[i].option, row->long_name);
            *paths[i] = NULL;
        }
    return ok;
}

/* Whatever else the command reads or writes is in none of the files. */
static bool are_apart(struct rp_diagnosed *said, const struct rp_command *command,
                      const void *options, struct rp_error *err) {
    bool ok = true;
    for (const struct rp_option *row = command->options; row->long_name != NULL; row++) {
        const char *at = (const char *)options + row->offset;
        bool is_said = at >= (const char *)said && at < (const char *)(said + 1);
        if (is_said || row->arg == NULL || strstr(row->arg, "FILE") == NULL)
            continue;
        if (row->kind == RP_OPT_TEXT || row->kind == RP_OPT_MAYBE)
            ok = is_apart(said, row, *(const char *const *)(const void *)at, err) && ok;
        const struct rp_strings *list = (const void *)at;
        for (size_t i = 0; row->kind == RP_OPT_LIST && i < list->count; i++)
            ok = is_apart(said, row, list->items[i], err) && ok;
    }
    return ok;
}

static bool is_set(const struct rp_command *command, const void *options, const char *name) {
    const struct rp_option *row = rp_option_row(command, name);
    return row != NULL && row->kind == RP_OPT_FLAG &&
           *(const bool *)(const void *)((const char *)options + row->offset);
}

/* A document that follows the command's own output on the same stream could not be read. */
static bool stand_alone(struct rp_diagnosed *said, const struct rp_command *command,
                        const void *options, struct rp_error *err) {
    const char **paths[RP_SAID_FILES] = RP_SAID_PATHS(said);
    bool json = is_set(command, options, "json"), quiet = is_set(command, options, "quiet");
    for (size_t i = 0; i < RP_SAID_FILES; i++) {
        if (!rp_stream_is_stdout(*paths[i]) || (!json && (quiet || kinds[i].start == NULL)))
            continue;
        rp_fail(err, RP_E_USAGE, "%s '%s': the command's own output is there already",
                kinds[i].option, *paths[i]);
        *paths[i] = NULL;
        return rp_hint(err, json || rp_option_row(command, "quiet") == NULL
                                ? "give the name of a file"
                                : "give the name of a file, or add -q");
    }
    return true;
}

bool rp_forms_begin(struct rp_diagnosed *said, const struct rp_command *command,
                    const void *options, struct rp_error *err) {
    /* again afterwards: two names of one file are seen when it is there */
    bool ok = options == NULL ||
              (stand_alone(said, command, options, err) && are_apart(said, command, options, err));
    struct rp_error own = {0};
    bool begun = begin_files(said, &own);
    begun = (options == NULL || are_apart(said, command, options, &own)) && begun;
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

bool rp_forms_write(const struct rp_outcome *outcome, unsigned which, struct rp_error *err) {
    const struct rp_diagnosed *said = outcome->said;
    const struct {
        const char *path;
        void (*print)(const struct rp_outcome *, struct rp_buf *);
    } files[RP_SAID_FILES] = {{said->sarif, rp_sarif_text},
                              {said->junit, rp_junit_text},
                              {said->gitlab, rp_annotate_gitlab},
                              {said->path, NULL}};
    struct rp_buf text = {.arena = outcome->arena};
    if (files[which].path == NULL)
        return true;
    if (files[which].print == NULL)
        return rp_diagnostics_write(outcome->arena, said, outcome->failure, err);
    files[which].print(outcome, &text);
    return write_text(outcome, files[which].path, &text, err);
}

void rp_forms_print(const struct rp_outcome *outcome) {
    struct rp_buf text = {.arena = outcome->arena};
    if (!outcome->said->github)
        return;
    rp_annotate_github(outcome, &text);
    fputs(rp_buf_text(&text), stderr);
}
