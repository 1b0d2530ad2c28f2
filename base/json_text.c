/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the words of a JSON text: see json_text.h. */
#include "base/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NESTING_MAX = 1000, /* CJSON_NESTING_LIMIT */
    NUMBER_MAX = 63     /* cJSON reads no more characters of a number */
};

size_t rp_utf8_length(const unsigned char *text) {
    static const struct {
        unsigned char first, last; /* of the first byte */
        unsigned char low, high;   /* of the second */
        size_t length;
    } forms[] = {
        {0x01, 0x7F, 0, 0, 1},       {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3},
        {0xE1, 0xEC, 0x80, 0xBF, 3}, {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3},
        {0xF0, 0xF0, 0x90, 0xBF, 4}, {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4}};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (text[0] < forms[i].first || text[0] > forms[i].last)
            continue;
        size_t length = forms[i].length;
        if (length > 1 && (text[1] < forms[i].low || text[1] > forms[i].high))
            return 0;
        for (size_t k = 2; k < length; k++)
            if ((text[k] & 0xC0u) != 0x80)
                return 0;
        return length;
    }
    return 0;
}

unsigned rp_json_line(const struct rp_json_text *text, size_t at) {
    unsigned line = 1;
    for (size_t i = 0; i < at && i < text->len; i++)
        line += text->text[i] == '\n';
    return line;
}

bool rp_json_text_fails(const struct rp_json_text *text, size_t at, const char *why,
                        struct rp_error *err) {
    unsigned line = rp_json_line(text, at);
    rp_fail(err, RP_E_MANIFEST, "%s:%u: not valid JSON%s%s", text->name, line,
            why[0] != '\0' ? ": " : "", why);
    return rp_fail_in(err, text->name, line);
}

/* ---- texts ---- */

/* The code unit of \uXXXX at text. */
static bool read_unit(const char *text, unsigned *unit) {
    static const char digits[] = "0123456789abcdefABCDEF";
    *unit = 0;
    if (text[0] != '\\' || text[1] != 'u')
        return false;
    for (size_t i = 2; i < 6; i++) {
        const char *digit = text[i] != '\0' ? strchr(digits, text[i]) : NULL;
        if (digit == NULL)
            return false;
        size_t value = (size_t)(digit - digits);
        *unit = *unit << 4 | (unsigned)(value < 16 ? value : value - 6);
    }
    return true;
}

/* Gets the length of the escape at text. Returns what is wrong with it, or NULL. */
static const char *check_escape(const char *text, size_t *length) {
    unsigned unit, low;
    *length = 2;
    if (text[1] != 'u')
        return text[1] != '\0' && strchr("\"\\/bfnrt", text[1]) != NULL
                   ? NULL
                   : "a backslash in a text must be followed by one of \"\\/bfnrtu";
    if (!read_unit(text, &unit))
        return "\\u in a text needs four hexadecimal digits";
    if (unit == 0) /* the text would seem to end there */
        return "\\u0000 is not supported in a text";
    *length = 6;
    if (unit < 0xD800 || unit > 0xDFFF)
        return NULL;
    *length = 12;
    return unit < 0xDC00 && read_unit(text + 6, &low) && low >= 0xDC00 && low <= 0xDFFF
               ? NULL
               : "half of a surrogate pair";
}

/* Moves *at from the opening quote past the closing one, or to what is wrong. */
static const char *check_string(const char **at) {
    for (++*at; **at != '"';) {
        size_t length = rp_utf8_length((const unsigned char *)*at);
        const char *why = **at == '\\' ? check_escape(*at, &length) : NULL;
        if (**at == '\0')
            return "a text has no end";
        if ((unsigned char)**at < 0x20)
            return "a line end or control character in a text must be written as an escape";
        if (why != NULL)
            return why;
        *at += length != 0 ? length : 1; /* file names need not be UTF-8 */
    }
    ++*at;
    return NULL;
}

/* ---- numbers, true, false, null ---- */

static const char *skip_digits(const char *at) {
    return at + strspn(at, "0123456789");
}

static bool is_number(const char *word, size_t length) {
    const char *start = word + (*word == '-'), *at = skip_digits(start);
    bool ok = at == start + 1 || (at != start && *start != '0');
    if (*at == '.') {
        start = at + 1;
        at = skip_digits(start);
        ok = ok && at != start;
    }
    if (*at == 'e' || *at == 'E') {
        start = at + 1 + (at[1] == '+' || at[1] == '-');
        at = skip_digits(start);
        ok = ok && at != start;
    }
    return ok && at == word + length;
}

/* Moves *at past the word. cJSON would read numbers that are too large as infinity. */
static const char *check_word(struct rp_arena *arena, const char **at) {
    static const char of_words[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-._";
    static const char *const literals[] = {"true", "false", "null"};
    const char *word = *at;
    const size_t length = strspn(word, of_words);
    const int shown = (int)(length < NUMBER_MAX ? length : NUMBER_MAX);
    if (length == 0)
        return "an unexpected character";
    *at += length;
    for (size_t i = 0; i < sizeof literals / sizeof literals[0]; i++)
        if (length == strlen(literals[i]) && strncmp(word, literals[i], length) == 0)
            return NULL;
    if (!is_number(word, length))
        return rp_format(arena, "'%.*s' is not a number, true, false or null", shown, word);
    if (length > NUMBER_MAX || !isfinite(strtod(word, NULL)))
        return rp_format(arena, "the number '%.*s' is too %s", shown, word,
                         length > NUMBER_MAX ? "long" : "large");
    return NULL;
}

/* ---- the whole text ---- */

bool rp_json_text_check(struct rp_json_text *text, struct rp_arena *arena, struct rp_error *err) {
    const char *at = text->text, *end = at + text->len, *why = NULL;
    size_t name = 0, depth = 0;
    if (strncmp(at, "\xEF\xBB\xBF", 3) ==
        0) /* a byte order mark, which RFC 8259 allows readers to ignore */
        at += 3;
    while (why == NULL && at < end) {
        const size_t start = (size_t)(at - text->text);
        switch (*at) {
        case '"':
            name = start;
            why = check_string(&at);
            break;
        case ':': /* follows a name, else cJSON will refuse the text */
            *RP_PUSH(arena, &text->names) = name;
            at++;
            break;
        case '[':
        case '{':
            at++;
            why = ++depth > NESTING_MAX ? "arrays and objects are nested too deeply" : NULL;
            break;
        case ']':
        case '}':
            depth -= depth != 0;
            at++;
            break;
        case ',':
        case ' ':
        case '\t':
        case '\r':
        case '\n':
            at++;
            break;
        default:
            why = check_word(arena, &at);
            break;
        }
    }
    return why == NULL || rp_json_text_fails(text, (size_t)(at - text->text), why, err);
}
