/* SPDX-License-Identifier: Apache-2.0 */
/* Fills placeholders in command lines: see command.h. */
#include "toolchain/compile/command.h"

#include <ctype.h>
#include <string.h>

#include "base/buf.h"

/* The value after "NAME=" if text begins with the name; else NULL. */
static const char *value_of(const char *text, const char *name, size_t len) {
    return strncmp(text, name, len) == 0 && text[len] == '=' ? text + len + 1 : NULL;
}

const char *rp_command_value(const struct rp_strings *values, const char *name) {
    for (size_t i = 0; i < values->count; i++) {
        const char *value = value_of(values->items[i], name, strlen(name));
        if (value != NULL && value[0] != '\0')
            return value;
    }
    return NULL;
}

/* {NAME} in a word; *len: of NAME. NULL: there is none. */
static const char *find_place(const char *word, size_t *len) {
    for (const char *open = strchr(word, '{'); open != NULL; open = strchr(open + 1, '{')) {
        const char *end = open + 1;
        while (islower((unsigned char)*end) || *end == '-')
            end++;
        *len = (size_t)(end - open - 1);
        if (*end == '}' && *len != 0)
            return open + 1;
    }
    return NULL;
}

static bool is_known(const struct rp_strings *values, const char *name, size_t len) {
    for (size_t i = 0; i < values->count; i++)
        if (value_of(values->items[i], name, len) != NULL)
            return true;
    return false;
}

static bool unknown(const struct rp_strings *words, const struct rp_strings *values,
                    const char *name, size_t len, struct rp_error *err) {
    struct rp_arena arena = {0};
    struct rp_buf names = {.arena = &arena};
    for (size_t i = 0; i < values->count; i++) {
        size_t width = strcspn(values->items[i], "=");
        bool duplicate = i != 0 && value_of(values->items[i - 1], values->items[i], width) != NULL;
        if (!duplicate)
            rp_buf_printf(&names, "%s{%.*s}", i != 0 ? ", " : "", (int)width, values->items[i]);
    }
    rp_fail(err, RP_E_USAGE, "unknown placeholder {%.*s} in the command line of '%s'", (int)len,
            name, words->items[0]);
    rp_hint(err, "valid placeholders: %s", rp_buf_text(&names));
    rp_arena_release(&arena);
    return false;
}

/*
 * The word with its placeholders filled, the first one with value; the others have only one value.
 */
static char *fill(struct rp_arena *arena, const char *word, const char *value,
                  const struct rp_strings *values) {
    struct rp_buf text = {.arena = arena};
    size_t len;
    for (const char *name = find_place(word, &len); name != NULL; name = find_place(word, &len)) {
        rp_buf_append(&text, word, (size_t)(name - 1 - word));
        if (value == NULL)
            value = rp_command_value(values, rp_strndup(arena, name, len));
        rp_buf_puts(&text, value != NULL ? value : "");
        value = NULL;
        word = name + len + 1;
    }
    rp_buf_puts(&text, word);
    return rp_buf_text(&text);
}

bool rp_command_has(const struct rp_strings *words, const char *name) {
    size_t len;
    for (size_t i = 0; i < words->count; i++)
        for (const char *at = find_place(words->items[i], &len); at != NULL;
             at = find_place(at + len + 1, &len))
            if (len == strlen(name) && strncmp(at, name, len) == 0)
                return true;
    return false;
}

bool rp_command_fill(struct rp_arena *arena, const struct rp_strings *words,
                     const struct rp_strings *values, struct rp_strings *line,
                     struct rp_error *err) {
    const char *option =
        NULL; /* the previous word, if it is repeated or omitted like the next one */
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->items[i];
        size_t len = 0, used = 0;
        const char *name = find_place(word, &len);
        if (name == NULL) {
            *RP_PUSH(arena, line) = word;
            option = word[0] == '-' ? word : NULL;
            continue;
        }
        size_t width = len;
        for (const char *at = name; at != NULL; at = find_place(at + width + 1, &width))
            if (!is_known(values, at, width))
                return unknown(words, values, at, width, err);
        for (size_t k = 0; k < values->count; k++) {
            const char *value = value_of(values->items[k], name, len);
            if (value == NULL || value[0] == '\0')
                continue;
            if (used++ != 0 && option != NULL)
                *RP_PUSH(arena, line) = option;
            *RP_PUSH(arena, line) = fill(arena, word, value, values);
        }
        if (used == 0 && option != NULL)
            line->count--;
        option = NULL;
    }
    return true;
}
