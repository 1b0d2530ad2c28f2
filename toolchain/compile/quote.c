/* SPDX-License-Identifier: Apache-2.0 */
/* Quoting: see quote.h. */
#include "toolchain/compile/quote.h"

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

/* Copies one word from *from to *to, without its quotes, and ends it; false: it has no end. */
static bool copy_word(const char **from, char **to) {
    const char *at = *from;
    char quote = '\0';
    for (; *at != '\0' && (quote != '\0' || strchr(" \t\n", *at) == NULL); at++) {
        if (*at == '\\' && quote != '\'') {
            if (*++at == '\0')
                return false;
            *(*to)++ = *at;
        } else if (quote == '\0' && (*at == '"' || *at == '\'')) {
            quote = *at;
        } else if (*at == quote) {
            quote = '\0';
        } else {
            *(*to)++ = *at;
        }
    }
    *(*to)++ = '\0';
    *from = at;
    return quote == '\0';
}

bool rp_split_words(struct rp_arena *arena, const char *text, struct rp_strings *words,
                    struct rp_error *err) {
    size_t before = words->count;
    char *to = rp_alloc(arena, strlen(text) + 1, 1); /* all words: each ends where a blank was */
    for (const char *at = text + strspn(text, " \t\n"); *at != '\0'; at += strspn(at, " \t\n")) {
        *RP_PUSH(arena, words) = to;
        if (!copy_word(&at, &to))
            return rp_fail(err, RP_E_USAGE,
                           "'%s': a quote or the backslash at the end is not closed", text);
    }
    return words->count != before || rp_fail(err, RP_E_USAGE, "'%s' has no words", text);
}

bool rp_are_plain_words(const char *text, bool several) {
    bool plain = strchr("@+-", text[0]) == NULL || text[0] == '\0';
    for (; *text != '\0'; text++)
        plain = plain && *text != '=' && (is_plain(*text) || (several && *text == ' '));
    return plain;
}
