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

bool rp_are_plain_words(const char *text, bool several) {
    bool plain = strchr("@+-", text[0]) == NULL || text[0] == '\0';
    for (; *text != '\0'; text++)
        plain = plain && *text != '=' && (is_plain(*text) || (several && *text == ' '));
    return plain;
}
