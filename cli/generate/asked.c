/* SPDX-License-Identifier: Apache-2.0 */
/* Names of files that texts ask for: see asked.h. */
#include "cli/generate/asked.h"

#include <string.h>

#include "base/file.h"
#include "base/path.h"
#include "base/map.h"

enum { SOURCE_MAX = 256 << 20 };
static const char ASKS[] = "__has_include", INCLUDE[] = "include", DEFINE[] = "define",
                  LETTERS[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

struct asked {
    struct rp_arena *arena;
    struct rp_strings *names;
    struct rp_map have;       /* of names */
    struct rp_strings macros; /* that stand in an #include */
    bool defines;             /* second time: what these macros are */
};

static void add_name(struct asked *asked, const char *name, size_t len) {
    void **at = rp_map_at(&asked->have, name, len);
    if (*at == NULL) {
        *at = rp_strndup(asked->arena, name, len);
        rp_strings_push(asked->arena, asked->names, *at);
    }
}

/* A text without its continued lines: "\\", blanks, line end. */
static const char *joined_lines(struct rp_arena *arena, const struct rp_bytes *from) {
    char *text = rp_alloc(arena, from->size + 1, 1), *to = text;
    for (const char *at = (const char *)from->data; *at != '\0'; at++) {
        size_t blank = *at == '\\' ? strspn(at + 1, " \t\r") : 0;
        if (*at == '\\' && at[1 + blank] == '\n')
            at += 1 + blank;
        else
            *to++ = *at;
    }
    return text;
}

/* Does the word ask for a file, or may ## make it a word that does? */
static bool may_ask(const char *word, size_t len) {
    enum { HEAD_MIN = 3, TAIL_MIN = 8 }; /* "__h", "_include" */
    size_t size = strlen(ASKS);
    return (len >= HEAD_MIN && memcmp(word, ASKS, len < size ? len : size) == 0) ||
           (len >= TAIL_MIN && len < size && memcmp(word, ASKS + size - len, len) == 0);
}

static const char *skip_blanks(const char *at) {
    for (;;) {
        at += strspn(at, " \t\v\f\r");
        const char *end = rp_has_prefix(at, "/*") ? strstr(at + 2, "*/") : NULL;
        if (end == NULL)
            return at;
        at = end + 2;
    }
}

/* The last character before the word that is not blank; '\0': there is none. */
static const char *before(const char *text, const char *word) {
    while (word > text && strchr(" \t\v\f", word[-1]) != NULL)
        word--;
    return word > text ? word - 1 : "";
}

/* Adds "x.h" or <x.h>; false: something else stands there. */
static bool add_quoted(struct asked *asked, const char *at) {
    size_t len = *at == '<' ? strcspn(at + 1, ">\n") : *at == '"' ? strcspn(at + 1, "\"\n") : 0;
    if (len == 0 || at[1 + len] == '\n' || at[1 + len] == '\0')
        return false;
    add_name(asked, at + 1, len);
    return true;
}

/* After "include": a name, or in a directive a macro. #, %:, ??= begin one, after a comment, too.
 */
static void take_include(struct asked *asked, const char *text, const char *word,
                         const char *after) {
    const char *name = skip_blanks(after);
    size_t len = strspn(name, LETTERS);
    char last = *before(text, word);
    if (add_quoted(asked, name) || len == 0 ||
        !(last == '#' || last == ':' || last == '=' || last == '/'))
        return;
    const char *macro = rp_strndup(asked->arena, name, len);
    if (!rp_strings_have(&asked->macros, macro))
        rp_strings_push(asked->arena, &asked->macros, macro);
}

/* After "define" or -D: is it a macro of an #include, and not simply a name? */
static bool take_define(struct asked *asked, const char *at) {
    at = skip_blanks(at);
    size_t len = strspn(at, LETTERS);
    for (size_t i = 0; i < asked->macros.count; i++) {
        const char *macro = asked->macros.items[i];
        if (strlen(macro) == len && memcmp(macro, at, len) == 0)
            return add_quoted(asked, skip_blanks(at + len + (at[len] == '=')));
    }
    return true;
}

/* __has_include of a name; only whether it exists is asked in #ifdef and defined(). */
static bool take_asked(struct asked *asked, const char *text, const char *word, const char *after) {
    static const char *const tests[] = {"defined(", "defined (", "defined",
                                        "ifdef",    "ifndef",    "define"};
    if (add_quoted(asked, after + strspn(after, " \t(")))
        return true;
    const char *end = before(text, word);
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        size_t size = strlen(tests[i]);
        if (*end != '\0' && (size_t)(end + 1 - text) >= size &&
            memcmp(end + 1 - size, tests[i], size) == 0)
            return true;
    }
    return false;
}

/* False: the text has a name that does not stand there, or the time of a file. */
static bool take_text(struct asked *asked, const char *text) {
    static const char STAMP[] = "__TIMESTAMP__"; /* of the file that has it */
    for (const char *at = text; *(at += strcspn(at, LETTERS)) != '\0';) {
        const char *word = at;
        size_t len = strspn(at, LETTERS);
        at += len;
        if (asked->defines) {
            if (len == strlen(DEFINE) && memcmp(word, DEFINE, len) == 0 && !take_define(asked, at))
                return false;
        } else if (len == strlen(STAMP) && memcmp(word, STAMP, len) == 0) {
            return false;
        } else if (may_ask(word, len)) {
            if (!take_asked(asked, text, word, at))
                return false;
        } else if ((len >= strlen(INCLUDE) && memcmp(word, INCLUDE, strlen(INCLUDE)) == 0) ||
                   (len == strlen("embed") && memcmp(word, "embed", len) == 0) ||
                   (len == strlen("import") && memcmp(word, "import", len) == 0)) {
            take_include(asked, text, word, at); /* include_next, too */
        }
    }
    return true;
}

static bool take_file(struct asked *asked, const char *path) {
    struct rp_arena own = {0};
    struct rp_bytes text;
    if (!rp_file_look(&own, path, SOURCE_MAX, &text, NULL))
        text = (struct rp_bytes){(const uint8_t *)"", 0};
    bool known = memchr(text.data, '\0', text.size) != NULL /* weights, a library */
                     ? memmem(text.data, text.size, ASKS, strlen(ASKS)) == NULL
                     : take_text(asked, joined_lines(&own, &text));
    rp_arena_release(&own);
    return known;
}

/* -include FILE, in one word or two, and what other options have. */
static bool take_options(struct asked *asked, const struct rp_strings *options) {
    static const char *const named[] = {"-include", "-imacros"};
    const char *last = "";
    for (size_t i = 0; i < options->count; last = options->items[i++]) {
        const char *word = options->items[i];
        if (!take_text(asked, word))
            return false;
        for (size_t k = 0; k < sizeof named / sizeof named[0]; k++) {
            const char *file = strcmp(last, named[k]) == 0     ? word
                               : rp_has_prefix(word, named[k]) ? word + strlen(named[k])
                                                               : "";
            if (*file != '\0')
                add_name(asked, file, strlen(file));
        }
    }
    return true;
}

/* -D NAME=VALUE, in one word or two. */
static bool take_definitions(struct asked *asked, const struct rp_strings *options) {
    const char *last = "";
    for (size_t i = 0; i < options->count; last = options->items[i++]) {
        const char *word = options->items[i];
        const char *value = strcmp(last, "-D") == 0     ? word
                            : rp_has_prefix(word, "-D") ? word + strlen("-D")
                                                        : "";
        if (*value != '\0' && !take_define(asked, value))
            return false;
    }
    return true;
}

const char *rp_asked_names(struct rp_arena *arena, const struct rp_strings *files,
                           const struct rp_strings *options, struct rp_strings *names) {
    struct asked asked = {.arena = arena, .names = names, .have = {.arena = arena}};
    for (int pass = 0; pass < (asked.macros.count != 0 ? 2 : 1); pass++) {
        asked.defines = pass != 0;
        if (!(asked.defines ? take_definitions : take_options)(&asked, options))
            return "the command line";
        for (size_t i = 0; i < files->count; i++)
            if (!take_file(&asked, files->items[i]))
                return files->items[i];
    }
    return NULL;
}
