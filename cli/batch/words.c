/* SPDX-License-Identifier: Apache-2.0 */
/* Options of a matrix as words: see words.h. */
#include "cli/batch/words.h"

#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/nearest.h"
#include "base/path.h"
#include "base/stream.h"
#include "cli/generate/options.h"
#include "toolchain/compile/quote.h"

/* What the batch itself decides, or what makes no image. */
static const struct {
    const char *name, *why;
} refused[] = {
    {"output", "each cell has a folder of its own in the folder of -o"},
    {"stamp", "each cell has one already"},
    {"options-file", "the members of the matrix are the options"},
    {"diagnostics", "each cell has them in cell.jsonl"},
    {"parse-only", "that makes no image"},
    {"dry-run", "that makes no image"},
};

static bool check_member(struct rp_arena *arena, const struct rp_batch_level *level,
                         const char *name, struct rp_error *err) {
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (strcmp(name, refused[i].name) == 0)
            return rp_fail(err, RP_E_MANIFEST, "%s: '%s' is nothing for a matrix: %s", level->where,
                           name, refused[i].why);
    if (rp_has_word(level->alien, name)) {
        rp_fail(err, RP_E_MANIFEST, "%s: '%s' cannot stand here", level->where, name);
        return rp_hint(err,
                       "name and input are for models and variants, target and mcu for targets");
    }
    struct rp_buf known = {.arena = arena};
    rp_buf_puts(&known, level->own);
    for (const struct rp_option *row = rp_generate_rows; row->long_name != NULL; row++)
        rp_buf_printf(&known, " %s", row->long_name);
    if (rp_has_word(rp_buf_text(&known), name))
        return true;
    rp_fail(err, RP_E_MANIFEST, "%s: the member '%s' is not known", level->where, name);
    rp_hint_nearest(err, name, "", rp_buf_text(&known));
    return rp_hint(err, "members are%s%s, and the long options of relocpack generate",
                   level->own[0] != '\0' ? " " : "", level->own);
}

bool rp_batch_check_members(struct rp_arena *arena, const struct rp_batch_level *level,
                            struct rp_error *err) {
    for (const struct rp_json *item = rp_json_first(level->object); item != NULL;
         item = rp_json_next(item)) {
        const char *name = rp_json_key(item);
        if (!rp_has_word(level->own, name) && !check_member(arena, level, name, err))
            return false;
    }
    return true;
}

/* ---- values ---- */

struct putting {
    struct rp_arena *arena;
    const struct rp_option *row;
    const struct rp_batch_places *places;
    struct rp_strings *words;
    const char *where;
    struct rp_error *err;
};

/* Does the value name a file or folder, as the option's row says? */
static bool is_path(const struct rp_option *row, const char *text) {
    static const char *const paths[] = {"PATH", "FILE", "[FILE]", "DIR", "ELF"};
    for (size_t i = 0; row->arg != NULL && i < sizeof paths / sizeof paths[0]; i++)
        if (strcmp(row->arg, paths[i]) == 0)
            return true;
    bool may_be =
        row->arg != NULL && (strcmp(row->arg, "NAME|FILE") == 0 || strcmp(row->arg, "PREFIX") == 0);
    return may_be && (strchr(text, '/') != NULL || rp_has_suffix(text, ".json"));
}

/* Words of a command that name files, as seen from the matrix's folder; a plain program is on PATH.
 */
static const char *command_from(const struct putting *put, const char *text) {
    struct rp_strings words = {0};
    struct rp_buf out = {.arena = put->arena};
    if (!rp_split_words(put->arena, text, &words, NULL))
        return text;
    bool any = false;
    for (size_t i = 0; i < words.count; i++) {
        const char *path = rp_path_join(put->arena, put->places->dir, words.items[i]);
        bool is_file = (i != 0 || strchr(words.items[i], '/') != NULL) && rp_path_is_file(path);
        any = any || is_file;
        rp_buf_printf(&out, "%s%s", i == 0 ? "" : " ",
                      rp_shell_quote(put->arena, is_file ? path : words.items[i]));
    }
    return any ? rp_buf_text(&out) : text;
}

static bool put_text(const struct putting *put, const char *text) {
    const struct rp_option *row = put->row;
    const bool writes = (row->marks & RP_MARK_WRITES) != 0;
    if (row->kind == RP_OPT_COMMAS && strstr(text, "custom") != NULL) {
        rp_fail(put->err, RP_E_MANIFEST, "%s: '%s' names a custom file in '%s'", put->where,
                row->long_name, text);
        return rp_hint(put->err, "the member \"custom\": \"FILE\" does that");
    }
    if (is_path(row, text) && writes && rp_stream_is_stdout(text))
        return rp_fail(put->err, RP_E_MANIFEST,
                       "%s: '%s' cannot be the standard output, which all cells share", put->where,
                       row->long_name);
    const char *profile = row->kind == RP_OPT_PASSED ? strchr(text, '@') : NULL;
    if (profile != NULL)
        text = rp_format(put->arena, "%.*s@%s", (int)(profile - text), text,
                         rp_path_join(put->arena, put->places->dir, profile + 1));
    else if (row->arg != NULL && strcmp(row->arg, "CMD") == 0)
        text = command_from(put, text);
    else if (is_path(row, text))
        text = rp_path_join(put->arena, writes ? put->places->folder : put->places->dir, text);
    rp_strings_push(put->arena, put->words, rp_format(put->arena, "--%s=%s", row->long_name, text));
    return true;
}

static bool refuse_value(const struct putting *put, const char *wanted) {
    return rp_fail(put->err, RP_E_MANIFEST, "%s: '%s' is not %s", put->where, put->row->long_name,
                   wanted);
}

/* A text, or a whole number. NULL: neither. */
static const char *text_of(struct rp_arena *arena, const struct rp_json *value) {
    int64_t number;
    if (rp_json_integer(value, 0, UINT32_MAX, &number))
        return rp_format(arena, "%lld", (long long)number);
    return rp_json_string(value);
}

static bool put_one(const struct putting *put, const struct rp_json *value, const char *wanted) {
    const char *text = text_of(put->arena, value);
    return text != NULL ? put_text(put, text) : refuse_value(put, wanted);
}

static bool put_list(const struct putting *put, const struct rp_json *value) {
    static const char wanted[] = "a text or an array of texts";
    if (rp_json_type_of(value) != RP_JSON_ARRAY)
        return put_one(put, value, wanted);
    for (const struct rp_json *item = rp_json_first(value); item != NULL; item = rp_json_next(item))
        if (!put_one(put, item, wanted))
            return false;
    return true;
}

static bool put_flag(const struct putting *put, const struct rp_json *value, const char *wanted) {
    const struct rp_option *row = put->row;
    if (rp_json_type_of(value) != RP_JSON_BOOL)
        return put_one(put, value, wanted);
    if (row->kind == RP_OPT_MAYBE && row->preset != NULL)
        return put_text(put, row->preset);
    if (row->kind == RP_OPT_MAYBE)
        return refuse_value(put, "a text");
    rp_strings_push(put->arena, put->words, rp_format(put->arena, "--%s", row->long_name));
    return true;
}

static bool put_passed(const struct putting *put, const struct rp_json *value) {
    const char *arg = put->row->arg;
    if (arg == NULL && rp_json_type_of(value) != RP_JSON_BOOL)
        return refuse_value(put, "true or false");
    return arg != NULL && arg[0] != '[' ? put_one(put, value, "a text or a whole number")
                                        : put_flag(put, value, "a text, true or false");
}

static bool is_list(const struct rp_option *row) {
    return row->kind == RP_OPT_LIST || row->kind == RP_OPT_FLAGS || row->kind == RP_OPT_COMMAS;
}

static bool put_value(const struct putting *put, const struct rp_json *value) {
    switch (put->row->kind) {
    case RP_OPT_LIST:
    case RP_OPT_FLAGS:
    case RP_OPT_COMMAS:
        return put_list(put, value);
    case RP_OPT_TEXT:
    case RP_OPT_WORDS:
        return put_one(put, value, "a text");
    case RP_OPT_NUMBER:
    case RP_OPT_SIZE:
        return put_one(put, value, "a whole number, or a text like \"4K\"");
    case RP_OPT_MAYBE:
        return put_flag(put, value, "a text, true or false");
    case RP_OPT_PASSED:
        return put_passed(put, value);
    case RP_OPT_COUNT:
        return put_flag(put, value, "a whole number, true or false");
    case RP_OPT_FLAG:
    case RP_OPT_NO_FLAG:
    case RP_OPT_ADD:
        return rp_json_type_of(value) == RP_JSON_BOOL ? put_flag(put, value, "")
                                                      : refuse_value(put, "true or false");
    }
    return true;
}

bool rp_batch_words(struct rp_arena *arena, const struct rp_batch_levels *levels,
                    const struct rp_batch_places *places, struct rp_strings *words,
                    struct rp_error *err) {
    for (const struct rp_option *row = rp_generate_rows; row->long_name != NULL; row++) {
        struct putting put = {arena, row, places, words, "", err};
        const struct rp_json *last = NULL;
        for (size_t i = 0; i < levels->count; i++) {
            const struct rp_batch_level *level = &levels->items[i];
            const struct rp_json *value = rp_json_member(level->object, row->long_name);
            if (value == NULL || rp_has_word(level->own, row->long_name))
                continue;
            put.where = level->where;
            if (is_list(row) && !put_value(&put, value))
                return false;
            last = value;
        }
        bool taken_back =
            last != NULL && rp_json_type_of(last) == RP_JSON_BOOL && !rp_json_truth(last);
        if (!is_list(row) && last != NULL && !taken_back && !put_value(&put, last))
            return false;
    }
    return true;
}
