/* SPDX-License-Identifier: Apache-2.0 */
/* Quoting: see quote.h. */
#include "toolchain/build/quote.h"

#include <string.h>

static bool is_plain(char c) {
    return c != '\0' && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_@%+=:,./-",
                               c) != NULL;
}

char *rp_rsp_quote(struct rp_arena *arena, const char *arg) {
    char *text = rp_alloc(arena, 2 * strlen(arg) + 3, 1);
    char *at = text;
    if (arg[0] == '\0')
        at = stpcpy(at, "\"\"");
    for (; *arg != '\0'; arg++) {
        if (!is_plain(*arg))
            *at++ = '\\';
        *at++ = *arg;
    }
    return text;
}

char *rp_shell_quote(struct rp_arena *arena, const char *arg) {
    bool plain = arg[0] != '\0';
    for (const char *c = arg; *c != '\0'; c++)
        plain = plain && is_plain(*c);
    if (plain)
        return rp_strdup(arena, arg);
    char *text = rp_alloc(arena, 4 * strlen(arg) + 3, 1);
    char *at = stpcpy(text, "'");
    for (; *arg != '\0'; arg++)
        at = *arg == '\'' ? stpcpy(at, "'\\''") : (*at = *arg, at + 1);
    *at = '\'';
    return text;
}

/* One word from *at, without its quotes; *at: behind it. NULL: it has no end. */
static char *take_word(struct rp_arena *arena, const char **at) {
    const char *from = *at;
    char *word = rp_alloc(arena, strlen(from) + 1, 1), *to = word;
    char quote = '\0';
    for (; *from != '\0' && (quote != '\0' || strchr(" \t\n", *from) == NULL); from++) {
        if (*from == '\\' && quote != '\'') {
            if (*++from == '\0')
                return NULL;
            *to++ = *from;
        } else if (quote == '\0' && (*from == '"' || *from == '\'')) {
            quote = *from;
        } else if (*from == quote) {
            quote = '\0';
        } else {
            *to++ = *from;
        }
    }
    *at = from;
    return quote == '\0' ? word : NULL;
}

bool rp_split_words(struct rp_arena *arena, const char *text, struct rp_strings *words,
                    struct rp_error *err) {
    size_t before = words->count;
    for (const char *at = text + strspn(text, " \t\n"); *at != '\0'; at += strspn(at, " \t\n")) {
        const char *word = take_word(arena, &at);
        if (word == NULL)
            return rp_fail(err, RP_E_USAGE, "'%s': a quote or a backslash at its end is not closed",
                           text);
        *RP_PUSH(arena, words) = word;
    }
    return words->count != before || rp_fail(err, RP_E_USAGE, "'%s': there is no word", text);
}

bool rp_are_plain_words(const char *text, bool several) {
    bool plain = strchr("@+-", text[0]) == NULL || text[0] == '\0';
    for (; *text != '\0'; text++)
        plain = plain && *text != '=' && (is_plain(*text) || (several && *text == ' '));
    return plain;
}
