/* SPDX-License-Identifier: Apache-2.0 */
/* Notes, warnings and the error as JSON lines: see diagnostics.h. */
#include "cli/report/ci/diagnostics.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "base/path.h"
#include "base/printable.h"
#include "base/stream.h"
#include "cli/version.h"
#include "toolchain/compile/build.h"
#include "toolchain/compile/make.h"
#include "toolchain/compile/quote.h"

/* ---- the option ---- */

struct rp_diagnosed *rp_diagnosed_of(const struct rp_command *command, void *options) {
    const struct rp_option *row = rp_option_row(command, "diagnostics");
    return row != NULL ? (struct rp_diagnosed *)(void *)((char *)options + row->offset) : NULL;
}

/* ---- compilers ---- */

/* The severity with which the text begins. *taken is its length. */
static const char *severity_at(const char *text, size_t len, size_t *taken) {
    static const char *const words[][2] = {{"fatal error: ", "error"}, {"error: ", "error"},
                                           {"Error: ", "error"},       {"warning: ", "warning"},
                                           {"Warning: ", "warning"},   {"note: ", "note"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *taken = strlen(words[i][0]);
        if (len >= *taken && memcmp(text, words[i][0], *taken) == 0)
            return words[i][1];
    }
    return NULL;
}

/* Finds ":12" in front of end and returns the place of the colon; NULL when there is none. */
static const char *number_before(const char *start, const char *end) {
    const char *at = end;
    while (at > start && isdigit((unsigned char)at[-1]))
        at--;
    return at < end && at > start + 1 && at[-1] == ':' ? at - 1 : NULL;
}

bool rp_compiler_line(struct rp_arena *arena, const char *line, size_t len,
                      struct rp_diagnostic *out) {
    while (len != 0 && *line == ' ') {
        line++;
        len--;
    }
    for (size_t i = 0; i + 1 < len; i++) {
        size_t taken;
        if (line[i] != ':' || line[i + 1] != ' ')
            continue;
        const char *severity = severity_at(line + i + 2, len - i - 2, &taken);
        const char *last = number_before(line, line + i);
        if (severity == NULL || last == NULL)
            continue;
        const char *first = number_before(line, last);
        const char *number = first != NULL ? first : last; /* the assembler has no columns */
        const char *text = line + i + 2 + taken;
        *out = (struct rp_diagnostic){
            .severity = severity,
            .message = rp_strndup(arena, text, len - (size_t)(text - line)),
            .file = rp_strndup(arena, line, (size_t)(number - line)),
            .line = (unsigned)strtoul(number + 1, NULL, 10),
        };
        return true;
    }
    return false;
}

/* ---- lines ---- */

struct rp_json *rp_diagnostic_json(const struct rp_diagnostic *diagnostic, bool base_names) {
    struct rp_json *object = rp_json_object();
    const char *file = diagnostic->file;
    RP_JSON_PUT(object, RP_JSON_S("id", diagnostic->id),
                RP_JSON_S("severity", diagnostic->severity),
                RP_JSON_S("message", diagnostic->message),
                RP_JSON_S("file", file != NULL && base_names ? rp_path_base(file) : file));
    if (diagnostic->line != 0)
        rp_json_put_int(object, "line", diagnostic->line);
    return RP_JSON_PUT(object, RP_JSON_S("symbol", diagnostic->symbol),
                       RP_JSON_S("hint", diagnostic->hint));
}

/* A message about a place begins with it: "FILE:LINE: " or, if there is such a file, "FILE: ". */
static void find_place(struct rp_arena *arena, struct rp_diagnostic *diagnostic) {
    const char *message = diagnostic->message, *end = strstr(message, ": ");
    if (diagnostic->file != NULL || end == NULL)
        return;
    const char *colon = number_before(message, end);
    size_t len = (size_t)((colon != NULL ? colon : end) - message);
    const char *file = rp_strndup(arena, message, len);
    bool is_word = colon != NULL && strcspn(message, " \n") > len;
    if (!is_word && !rp_path_is_file(file))
        return;
    diagnostic->file = file;
    diagnostic->line = colon != NULL ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;
}

struct rp_diagnostic rp_diagnostic_of(struct rp_arena *arena, const struct rp_error *failure) {
    struct rp_diagnostic whole = {.severity = "error",
                                  .id = rp_format(arena, "RP%d", (int)failure->id),
                                  .message = failure->message,
                                  .file = failure->file,
                                  .line = failure->line,
                                  .symbol = failure->symbol,
                                  .hint = failure->hint};
    find_place(arena, &whole);
    return whole;
}

/* Adds the error, then what the compiler diagnosed about it. */
static void add_failure(struct rp_arena *arena, struct rp_diagnostics *out,
                        const struct rp_error *failure) {
    const struct rp_diagnostic whole = rp_diagnostic_of(arena, failure);
    const char *id = whole.id;
    *RP_PUSH(arena, out) = whole;
    const char *line = failure->message;
    while (*(line += strcspn(line, "\n")) != '\0') {
        struct rp_diagnostic one;
        line++;
        if (rp_compiler_line(arena, line, strcspn(line, "\n"), &one)) {
            one.id = id;
            *RP_PUSH(arena, out) = one;
        }
    }
}

struct rp_diagnostics rp_diagnostics_all(struct rp_arena *arena,
                                         const struct rp_diagnosed *diagnosed,
                                         const struct rp_error *failure) {
    struct rp_diagnostics all = {0};
    for (size_t i = 0; i < diagnosed->list.count; i++)
        *RP_PUSH(arena, &all) = diagnosed->list.items[i];
    if (failure->id != 0)
        add_failure(arena, &all, failure);
    return all;
}

void rp_diagnostics_write(const struct rp_outcome *outcome, const struct rp_diagnostics *all,
                          struct rp_buf *out) {
    (void)outcome;
    for (size_t i = 0; i < all->count; i++) {
        struct rp_json *object = rp_diagnostic_json(&all->items[i], false);
        char *line = rp_json_print_line(object);
        rp_buf_puts(out, line);
        free(line);
        rp_json_free(object);
    }
}

/* ---- the log ---- */

static const char *log_of(const struct rp_command *command, const void *options) {
    const struct rp_option *row = rp_option_row(command, "log");
    return row != NULL ? *(const char *const *)(const void *)((const char *)options + row->offset)
                       : NULL;
}

/* True for a path that is not a regular file, and for one that is empty or has a line of ours. */
static bool is_log(const char *path) {
    struct rp_arena arena = {0};
    struct rp_bytes head;
    bool is = !rp_path_is_file(path) || !rp_file_head(&arena, path, 1 << 20, &head, NULL) ||
              head.size == 0 || rp_has_prefix((const char *)head.data, RP_LOG_MARK) ||
              strstr((const char *)head.data, "\n" RP_LOG_MARK) != NULL;
    rp_arena_release(&arena);
    return is;
}

bool rp_log_end(const struct rp_command *command, const struct rp_command_line *line,
                const struct rp_diagnosed *diagnosed, const struct rp_error *failure,
                struct rp_error *err) {
    const char *path = log_of(command, line->options);
    struct rp_arena arena = {0};
    struct rp_buf text = {.arena = &arena};
    if (path == NULL || (!diagnosed->log_spares_inputs && !is_log(path)))
        return true;
    rp_buf_printf(&text, RP_LOG_MARK "version %s, %s", RP_VERSION, command->name);
    for (int i = 0; i < line->argc; i++)
        rp_buf_printf(&text, " %s", rp_shell_quote(&arena, line->argv[i]));
    rp_buf_puts(&text, "\n");
    for (size_t i = 0; i < diagnosed->list.count; i++) {
        const struct rp_diagnostic *note = &diagnosed->list.items[i];
        rp_buf_printf(&text, "relocpack: %s %s: %s\n", note->severity, note->id, note->message);
        if (note->hint != NULL)
            rp_buf_printf(&text, "relocpack: hint: %s\n", note->hint);
    }
    if (failure->id != 0)
        rp_buf_printf(&text, "relocpack: error RP%d: %s\n", (int)failure->id, failure->message);
    if (failure->hint != NULL)
        rp_buf_printf(&text, "relocpack: hint: %s\n", failure->hint);
    rp_buf_printf(&text, "relocpack: exit code %d\n",
                  failure->id != 0 ? (int)rp_exit_code(failure) : 0);
    const char *shown = rp_printable_lines(&arena, text.data);
    bool ok = rp_file_append(path, shown, strlen(shown), err);
    rp_arena_release(&arena);
    return ok;
}
